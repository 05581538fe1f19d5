// Package tongue tells the language of a text, roughly: by its writing, and where
// several languages share one by their most frequent small words. It imports
// nothing of winnow.
package tongue

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// smallWords are frequent in one language and rare in the others.
var smallWords = map[string][]string{
	"en": {"the", "and", "is", "to", "of", "this", "that", "with", "for", "you"},
	"de": {"der", "die", "und", "nicht", "ist", "das", "mit", "ein", "auf", "ich"},
	"fr": {"les", "des", "est", "une", "dans", "pour", "pas", "que", "vous", "je"},
	"es": {"los", "las", "una", "para", "con", "por", "el", "como", "esta", "del"},
	"pt": {"não", "uma", "com", "os", "para", "você", "mais", "em", "isso", "são"},
	"it": {"che", "non", "il", "per", "una", "sono", "con", "della", "gli", "questo"},
}

// ofWords has each small word with its language, but for those of several: they
// tell nothing.
var ofWords = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for tongue, words := range smallWords {
		for _, w := range words {
			if _, shared := all[w]; shared {
				all[w] = ""
			} else {
				all[w] = tongue
			}
		}
	}
	return all
})

// Of returns the language of a text, as in "en", or "" if fewer than least words
// or signs tell it.
func Of(text string, least int) string {
	words, votes := ofWords(), map[string]int{}
	for i := 0; i < len(text); {
		from := i
		for _, r := range text[from:] {
			if !unicode.IsLetter(r) {
				break
			}
			if of := writing(r); of != "" {
				votes[of]++
			}
			i += utf8.RuneLen(r)
		}
		if i == from {
			i += next(text[i:])
			continue
		}
		if i-from <= longest {
			if of := words[strings.ToLower(text[from:i])]; of != "" {
				votes[of]++
			}
		}
	}
	if votes["ja"] > 0 { // which is written with Chinese signs, too
		votes["ja"] += votes["zh"]
		delete(votes, "zh")
	}
	best := ""
	for of, n := range votes {
		if n >= least && (best == "" || n > votes[best] || n == votes[best] && of < best) {
			best = of
		}
	}
	return best
}

// longest is no small word longer, in bytes.
const longest = 8

// next is the length of the first character.
func next(text string) int {
	_, size := utf8.DecodeRuneInString(text)
	return size
}

// writing tells a language from a letter, where it can be told.
func writing(r rune) string {
	switch {
	case r < 0x250:
		return ""
	case unicode.In(r, unicode.Hiragana, unicode.Katakana):
		return "ja"
	case unicode.Is(unicode.Han, r):
		return "zh"
	case unicode.Is(unicode.Hangul, r):
		return "ko"
	}
	return ""
}

// scripts are those that whole languages are written in.
var scripts = []struct {
	name  string
	table *unicode.RangeTable
}{
	{"Latin", unicode.Latin}, {"Chinese", unicode.Han}, {"Cyrillic", unicode.Cyrillic}, {"Arabic", unicode.Arabic},
	{"Korean", unicode.Hangul}, {"Japanese", unicode.Hiragana}, {"Japanese", unicode.Katakana}, {"Greek", unicode.Greek},
	{"Hebrew", unicode.Hebrew}, {"Thai", unicode.Thai}, {"Devanagari", unicode.Devanagari},
}

// Scripts counts the letters of a text by their writing.
func Scripts(text string) map[string]int {
	counts := map[string]int{}
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		for i := range scripts {
			if unicode.Is(scripts[i].table, r) {
				counts[scripts[i].name]++
				break
			}
		}
	}
	return counts
}
