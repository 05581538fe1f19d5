package review

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/filter"
)

// Why is a reason that a curator gives for a verdict with one key. It is kept as a
// tag, so that it is found, undone and told as tags are.
type Why struct {
	Key  string // one visible character
	Word string // "wrong answer"
}

// Whys returns the reasons there are without any configuration.
func Whys() []Why {
	return []Why{{"w", "wrong answer"}, {"l", "loop"}, {"g", "gave up"}, {"u", "unsafe"}, {"p", "private"}, {"b", "bad prompt"}}
}

// Tag is the tag of a reason: "why:wrong-answer".
func (w Why) Tag() string {
	return filter.WhyPrefix + strings.Join(strings.Fields(w.Word), "-")
}

// CheckWhys says what is wrong with a list of reasons: each has one visible character
// for a key and a word that makes a tag; no two share one of them.
func CheckWhys(whys []Why) error {
	for i, w := range whys {
		r, n := utf8.DecodeRuneInString(w.Key)
		same := func(o Why) bool { return o.Key == w.Key || o.Tag() == w.Tag() }
		switch err := CheckTag(w.Tag()); {
		case n != len(w.Key) || r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r):
			return fmt.Errorf("%q is no key: a reason has one visible character", w.Key)
		case strings.TrimSpace(w.Word) == "":
			return fmt.Errorf("%s: a reason needs a word", w.Key)
		case err != nil:
			return fmt.Errorf("%s: %w", w.Key, err)
		case slices.ContainsFunc(whys[:i], same):
			return fmt.Errorf("%s: %q is there already", w.Key, w.Word)
		}
	}
	return nil
}

// WhysOf returns the reasons among the tags of a segment, without what marks them as
// reasons.
func WhysOf(tags []string) []string {
	var whys []string
	for _, tag := range tags {
		if why, ok := strings.CutPrefix(tag, filter.WhyPrefix); ok && why != "" {
			whys = append(whys, why)
		}
	}
	return whys
}
