package review_test

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/review"
)

// TestWhatATagMayBe: a word that can be typed, seen and found again.
func TestWhatATagMayBe(t *testing.T) {
	for _, tag := range []string{"keep", "Keep", "größe", "保留", "v1.2", "a-b", "a+b", `"q"`, `\`, "a:b", "🧪", strings.Repeat("ä", 64)} {
		if err := review.CheckTag(tag); err != nil {
			t.Errorf("%q: %v", tag, err)
		}
	}
	for _, tag := range []string{
		"", " ", "two words", "a,b", "a\tb", "a\u00a0b", "a\u3000b", "-x", "+x", "a\x1b[2J", "a\x07", "a\u0085b", "a\u202eb", "a\u200bb", "\ufeffa", "a\xff",
		strings.Repeat("x", 65),
	} {
		if err := review.CheckTag(tag); err == nil {
			t.Errorf("%q is taken", tag)
		} else if text := err.Error(); strings.ContainsAny(text, "\x1b\x07\u202e\n") || len(text) > 400 {
			t.Errorf("%q: %q", tag, text)
		}
	}
}

// TestTagText: the same tags are the same text, whatever their order.
func TestTagText(t *testing.T) {
	for _, tags := range [][]string{nil, {"a"}, {"a", "b"}, {`"`, `\`, "保留"}} {
		back, err := review.ParseTags(review.TagText(tags))
		if err != nil || !slices.Equal(back, tags) {
			t.Errorf("%q became %q: %v", tags, back, err)
		}
	}
	given := []string{"b", "a", "b"}
	if got := review.TagText(given); got != `["a","b"]` || !slices.Equal(given, []string{"b", "a", "b"}) {
		t.Errorf("%q, left %q", got, given)
	}
	for _, text := range []string{"a", `"a"`, `[1]`, `["a"`} {
		if tags, err := review.ParseTags(text); err == nil {
			t.Errorf("%q was read as %q", text, tags)
		}
	}
}

func TestTagsWith(t *testing.T) {
	for _, c := range []struct{ had, on, off, want []string }{
		{nil, []string{"b", "a"}, nil, []string{"a", "b"}},
		{[]string{"a", "b"}, []string{"b"}, nil, []string{"a", "b"}},
		{[]string{"a", "b"}, nil, []string{"b", "c"}, []string{"a"}},
		{[]string{"a"}, nil, []string{"a"}, nil},
		{[]string{"a"}, []string{"a"}, []string{"a"}, []string{"a"}},
	} {
		had := slices.Clone(c.had)
		if got := review.TagsWith(had, c.on, c.off); !slices.Equal(got, c.want) || !slices.Equal(had, c.had) {
			t.Errorf("%q with %q and without %q: %q, want %q", c.had, c.on, c.off, got, c.want)
		}
	}
}
