package edit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/chat"
)

// boundless is how many letters a text must have to be found inside of a word.
const boundless = 8

// Finder finds texts in what messages say. A short one has to be words of its own:
// "Ann" is not in "Annual". A nil Finder finds nothing.
type Finder struct {
	texts []string
	any   *strings.Replacer // changes what holds one of them, wherever
}

// NewFinder returns a finder of texts, nil without any.
func NewFinder(texts []string) *Finder {
	if len(texts) == 0 {
		return nil
	}
	pairs := make([]string, 0, 2*len(texts))
	for _, text := range texts {
		pairs = append(pairs, text, "")
	}
	return &Finder{slices.Clone(texts), strings.NewReplacer(pairs...)}
}

// In reports whether a message says one of the texts: in its content, its reasoning,
// names, or arguments of calls, however these are escaped.
func (f *Finder) In(m *chat.Message) bool {
	return f != nil && slices.ContainsFunc(sayings(m), f.in)
}

func (f *Finder) in(text string) bool {
	if text == "" || len(f.any.Replace(text)) == len(text) {
		return false
	}
	return slices.ContainsFunc(f.texts, func(one string) bool { return stands(text, one) })
}

// Replace puts another text in the place of those that a text holds. Of those that
// overlap the one that comes first in the list goes.
func (f *Finder) Replace(text, with string) string {
	if f == nil || f.any.Replace(text) == text {
		return text
	}
	pieces := []string{text}
	for _, one := range f.texts {
		var next []string
		for _, rest := range pieces {
			for i := place(rest, one); i >= 0; i = place(rest, one) {
				next = append(next, rest[:i])
				rest = rest[i+len(one):]
			}
			next = append(next, rest)
		}
		pieces = next
	}
	return strings.Join(pieces, with)
}

// stands reports whether a text holds another one, which is not a part of a word if it
// is short.
func stands(text, one string) bool { return place(text, one) >= 0 }

// place returns where a text holds another one as stands has it, −1 if nowhere.
func place(text, one string) int {
	free := utf8.RuneCountInString(one) >= boundless
	for rest := text; ; {
		i := strings.Index(rest, one)
		if i < 0 {
			return -1
		}
		from := len(text) - len(rest) + i
		if free || !joins(text[:from], one) && !joins(one, text[from+len(one):]) {
			return from
		}
		rest = rest[i+1:]
	}
}

// joins reports whether two texts that meet make one word there.
func joins(a, b string) bool {
	x, _ := utf8.DecodeLastRuneInString(a)
	y, _ := utf8.DecodeRuneInString(b)
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return word(x) && word(y)
}
