package review

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxTag is how many characters a tag has at most: it is a word to find
// segments by. What is longer is a note.
const maxTag = 64

// CheckTag says what is wrong with a tag that a curator gives. A tag is a word
// of 1 to 64 visible characters. It has no spaces and no commas, which stand
// between tags, and does not begin with + or -, which say what to do with one.
// Case counts, as it does in a filter.
func CheckTag(tag string) error {
	switch n := utf8.RuneCountInString(tag); {
	case tag == "":
		return fmt.Errorf("a tag is empty")
	case n > maxTag:
		return fmt.Errorf("a tag of %d characters: it must have %d at most", n, maxTag)
	case !utf8.ValidString(tag):
		return fmt.Errorf("tag %q: must be valid UTF-8", tag)
	case tag[0] == '+' || tag[0] == '-':
		return fmt.Errorf("tag %q: must not begin with %c", tag, tag[0])
	}
	for _, r := range tag {
		switch {
		case r == ',' || unicode.IsSpace(r):
			return fmt.Errorf("tag %q: must be one word, without spaces and commas", tag)
		case !unicode.IsGraphic(r):
			return fmt.Errorf("tag %q: must have visible characters only", tag)
		}
	}
	return nil
}

// TagText returns tags as Mark.Tags has them: a JSON list, sorted, each once; ""
// for none.
func TagText(tags []string) string {
	if len(tags) == 0 {
		return ""
	}
	sorted := slices.Clone(tags)
	slices.Sort(sorted)
	text, _ := json.Marshal(slices.Compact(sorted), jsontext.AllowInvalidUTF8(true)) // of texts: can't fail
	return string(text)
}

// ParseTags is the other way round.
func ParseTags(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	var tags []string
	if err := json.Unmarshal([]byte(text), &tags); err != nil {
		return nil, fmt.Errorf("%q is no list of tags", text)
	}
	return tags, nil
}

// TagsWith returns tags with others taken away and added, sorted. on wins. The
// list given is kept as it is.
func TagsWith(tags, on, off []string) []string {
	all := slices.DeleteFunc(slices.Clone(tags), func(t string) bool { return slices.Contains(off, t) })
	all = append(all, on...)
	slices.Sort(all)
	if all = slices.Compact(all); len(all) == 0 {
		return nil
	}
	return all
}
