package draw

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// TestWidths: whatever a text is made of, what is cut has no more cells than it
// may have, and what is filled has all of them.
func TestWidths(t *testing.T) {
	for _, text := range []string{"", "plain", "two words", "日本語テキスト", "ab日本", "e\u0301e\u0301e\u0301e\u0301", "👩‍👩‍👧‍👦abc", "\x1b[1m日本語\x1b[0m x"} {
		for w := range 20 {
			for name, got := range map[string]string{
				"Fit": Fit(text, w, "…"), "Right": Right(text, w), "Cut": Cut(text, w, "…"), "Tail": Tail(text, w, "…"), "Tail ..": Tail(text, w, ".."),
			} {
				n := ansi.StringWidth(got)
				if n > w || (name == "Fit" || name == "Right") && n < w {
					t.Errorf("%s(%q, %d): %q has %d cells", name, text, w, got, n)
				}
				if ansi.StringWidth(text) <= w && strings.Trim(got, " ") != text {
					t.Errorf("%s(%q, %d): %q, although there is room", name, text, w, got)
				}
			}
			if got := CutWords(text, w, "…"); ansi.StringWidth(got) > max(1, w) {
				t.Errorf("CutWords(%q, %d): %q", text, w, got)
			}
		}
	}
	if got := Fit("gone", -1, "…") + Right("", -1) + Right("gone", -1) + Cut("gone", -1, "…"); got != "" {
		t.Errorf("%q in no cells", got)
	}
}

// TestCut: where texts are cut, and what stands there then.
func TestCut(t *testing.T) {
	for _, c := range []struct{ name, got, want string }{
		{"filled", Fit("ab", 4, "…"), "ab  "},
		{"cut", Fit("abcdef", 4, "…"), "abc…"},
		{"before a wide one", Fit("ab日本", 4, "…"), "ab… "},
		{"with its accents", Fit("e\u0301e\u0301e\u0301", 2, "…"), "e\u0301…"},
		{"to the right", Right("42", 4), "  42"},
		{"not filled", Cut("ab", 4, "…"), "ab"},
		{"nor before a wide one", Cut("ab日本", 4, "…"), "ab…"},
		{"the end of a path", Tail("/home/ann/a.jsonl", 8, "…"), "…a.jsonl"},
		{"after a wide one", Tail("日本語", 4, "…"), "…語"},
		{"after a wide one that just goes", Tail("日本語", 5, "…"), "…本語"},
		{"after a word", CutWords("one two three", 10, "…"), "one two…"},
		{"in a word that begins early", CutWords("a verylongword", 9, "…"), "a verylo…"},
		{"without the comma", CutWords("one two, three", 11, "…"), "one two…"},
		{"all of it", CutWords("one two", 7, "…"), "one two"},
		{"a word that nothing follows", CutWords("日本語 テキスト", 10, "…"), "日本語…"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
	for i := range 4 {
		if got := Head(strings.Repeat("x", i) + strings.Repeat("日", 1<<10)); !utf8.ValidString(got) || len(got) < 2<<10-2 {
			t.Errorf("the head of a long text ends with %q, after %d bytes", got[len(got)-3:], len(got))
		}
	}
	if got := Head(strings.Repeat("\x80", 1<<20)); len(got) < 2<<10-utf8.UTFMax {
		t.Errorf("the head of a text that is none has %d bytes", len(got))
	}
	if got := Head(strings.Repeat("x", 1<<20)); len(got) != 2<<10 || Head("short") != "short" {
		t.Errorf("the head of a long text has %d bytes", len(got))
	}
}

// TestOver: a box hides what is below it and nothing else, also where it covers
// half of a wide character or goes beyond the screen.
func TestOver(t *testing.T) {
	for _, c := range []struct {
		name         string
		lines        []string
		line, column int
		want         []string
	}{
		{"in the middle", []string{"abcdef", "ghijkl", "mnopqr"}, 1, 2, []string{"abcdef", "gh##kl", "mn##qr"}},
		{"above the screen", []string{"abcdef"}, -1, 0, []string{"##cdef"}},
		{"below it", []string{"abcdef"}, 1, 0, []string{"abcdef"}},
		{"at the right end", []string{"abcdef", "abcdef"}, 0, 4, []string{"abcd##", "abcd##"}},
		{"after a short line", []string{"a", "abcdef"}, 0, 3, []string{"a  ##", "abc##f"}},
		{"over the first half of one", []string{"a日本b", "a日本b"}, 0, 3, []string{"a日##b", "a日##b"}},
		{"between two halves", []string{"日本語", "日本語"}, 0, 1, []string{" ## 語", " ## 語"}},
	} {
		Over(c.lines, []string{"##", "##"}, c.line, c.column)
		if got := strings.Join(c.lines, "\n"); got != strings.Join(c.want, "\n") {
			t.Errorf("%s: %q, want %q", c.name, c.lines, c.want)
		}
	}
}
