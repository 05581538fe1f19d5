package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/phrases"
)

// ContainsWords reports whether a phrase stands in a text, not inside of longer
// words where words have spaces between them.
func ContainsWords(text, phrase string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], phrase)
		if i < 0 {
			return false
		}
		if StandsAt(text, at+i, phrase) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[at+i:])
		at += i + size
	}
}

// StandsAt reports whether a phrase that is at text[at:] is no part of longer words.
func StandsAt(text string, at int, phrase string) bool {
	return apart(text[:at], phrase, true) && apart(text[at+len(phrase):], phrase, false)
}

// apart reports whether what is before or after a phrase does not go on with the
// word at that end of it.
func apart(beside, phrase string, before bool) bool {
	next, own := utf8.DecodeRuneInString, utf8.DecodeLastRuneInString
	if before {
		next, own = own, next
	}
	r, _ := next(beside)
	end, _ := own(phrase)
	return beside == "" || !letter(r) || !letter(end) || phrases.Unspaced(end) || phrases.Unspaced(r)
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// terms returns the words of a text that tell it from others, in order: without
// short ones, and of writing without spaces each two characters that stand
// together.
func terms(text string) (list []string) {
	const least = 4 // letters, where words have spaces between them
	for _, word := range strings.Fields(plainWords(text)) {
		runes := []rune(word)
		dense := 0
		for i, r := range runes {
			if !phrases.Unspaced(r) {
				continue
			}
			dense++
			if i > 0 && phrases.Unspaced(runes[i-1]) {
				list = append(list, string(runes[i-1:i+1]))
			}
		}
		if dense == 0 && len(runes) >= least || dense == 1 && len(runes) > 1 {
			list = append(list, word)
		}
	}
	return list
}
