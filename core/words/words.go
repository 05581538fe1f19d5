// Package words turns text into the words it can be found by, and what people
// search for into the same words.
//
// One idea rules it: text and question go through the same folding and the same
// splitting, so that a word of a question is either in the set of a text's words
// or the text does not hold it. Only what is more than a word (a phrase, a
// path, an identifier with underscores) has to be looked for in the text
// itself; a Query tells which.
//
// A word is a run of letters and digits, in lower case, without the accents of
// Latin and Greek letters. Writing without spaces (Chinese, Japanese, Thai) and
// Korean, whose words carry their endings, is cut into pairs of characters, each
// beginning one character after the last one: any two characters that stand
// together are found. An emoji is a word.
package words

import (
	"bytes"
	"unicode/utf8"
)

// Longest is how many bytes of a word are kept: the hexadecimal digits of
// SHA-256. What is longer is found by its beginning and a look at the text.
const Longest = 64

// Set holds the distinct words of texts. The zero Set is empty and ready for
// use. Its memory is kept for the next texts.
type Set struct {
	list  []byte // words, each with a space after it
	slots []slot // a hash table of places in list
	used  int
	round uint32 // slots of other rounds are free

	blobEnd int // where the last encoded data in the text ended; -1: nowhere
}

type slot struct {
	round, hash uint32
	at          uint32
	size        uint8
}

// firstSlots suits some pages of text.
const firstSlots = 1 << 12

// Reset empties the set.
func (s *Set) Reset() {
	s.list, s.used = s.list[:0], 0
	s.round++
	if s.round == 0 { // after four thousand million passages
		clear(s.slots)
		s.round = 1
	}
}

// Len returns the number of words.
func (s *Set) Len() int { return s.used }

// Bytes returns the words in the order they came, with a space after each. It
// is valid until the set is changed.
func (s *Set) Bytes() []byte { return s.list }

// FNV-1a, 32 bits.
const (
	hashStart = 2166136261
	hashPrime = 16777619
)

// Add adds the words of a text.
func (s *Set) Add(text string) {
	if s.round == 0 {
		s.round = 1
	}
	text = composed(text)
	s.blobEnd = -1
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == esc:
			i = skipColour(text, i)
		case lowered[c] != 0:
			i = s.word(text, i)
		case c < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			switch classOf(r) {
			case classLetter:
				i = s.word(text, i)
			case classDense:
				i = s.pairs(text, i)
			case classSign:
				s.sign(r)
				i += size
			default:
				i += size
			}
		}
	}
}

// word adds the word that begins at i and returns where the text goes on.
func (s *Set) word(text string, i int) (next int) {
	if s.blobEnd >= 0 && i-s.blobEnd <= blobGap {
		if end := blobLineAt(text, i); end > 0 {
			s.blobEnd = end
			return end
		}
	}
	from, start := i, len(s.list)
	list, h := s.list, uint32(hashStart)
	for i < len(text) {
		if c := lowered[text[i]]; c != 0 {
			list = append(list, c)
			h = (h ^ uint32(c)) * hashPrime
			i++
			continue
		}
		if text[i] < utf8.RuneSelf {
			break
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if k := classOf(r); k != classLetter && k != classMark {
			break
		}
		i += size
		at := len(list)
		list = utf8.AppendRune(list, fold(r))
		for _, c := range list[at:] {
			h = (h ^ uint32(c)) * hashPrime
		}
	}
	if s.list = list; len(list)-start > Longest {
		s.list = list[:start+cut(list[start:], Longest)]
		h = hashOf(s.list[start:])
	}
	if i-from >= blobWord {
		if end := blobAround(text, from, i); end > 0 {
			s.list = s.list[:start]
			s.blobEnd = end
			return end
		}
	}
	s.keep(start, h)
	if from > 0 && text[from-1] == '\\' && i-from > 1 && escapes(text[from]) {
		// \nfoo: a line end that was written down, or a path of Windows.
		s.again(text[from+1 : i])
	}
	return i
}

// again adds a word without looking for encoded data.
func (s *Set) again(word string) {
	start := len(s.list)
	for _, r := range word {
		s.list = utf8.AppendRune(s.list, fold(r))
	}
	s.list = s.list[:start+cut(s.list[start:], Longest)]
	s.keep(start, hashOf(s.list[start:]))
}

// pairs adds the characters of a script without spaces from i on, two by two,
// and the last one alone: so each character begins a word.
func (s *Set) pairs(text string, i int) (next int) {
	var last rune
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if k := classOf(r); k != classDense && (k != classMark || last == 0) {
			break
		}
		i += size
		r = fold(r)
		if last != 0 {
			s.runes(last, r)
		}
		last = r
	}
	if last != 0 {
		s.runes(last)
	}
	return i
}

func (s *Set) sign(r rune) { s.runes(r) }

func (s *Set) runes(list ...rune) {
	start := len(s.list)
	for _, r := range list {
		s.list = utf8.AppendRune(s.list, r)
	}
	s.keep(start, hashOf(s.list[start:]))
}

// cut returns the length of a word of which no more than limit bytes are kept.
func cut(word []byte, limit int) int {
	if len(word) <= limit {
		return len(word)
	}
	for !utf8.RuneStart(word[limit]) {
		limit--
	}
	return limit
}

func hashOf(word []byte) uint32 {
	h := uint32(hashStart)
	for _, c := range word {
		h = (h ^ uint32(c)) * hashPrime
	}
	return h
}

// keep ends the word that was written from start on, or takes it back if it is
// there already.
func (s *Set) keep(start int, h uint32) {
	word := s.list[start:]
	if len(word) == 0 {
		return
	}
	if 2*s.used >= len(s.slots) {
		s.grow()
	}
	mask := uint32(len(s.slots) - 1)
	for at := spread(h) & mask; ; at = (at + 1) & mask {
		e := &s.slots[at]
		if e.round != s.round {
			*e = slot{s.round, h, uint32(start), uint8(len(word))}
			s.used++
			s.list = append(s.list, ' ')
			return
		}
		if e.hash == h && int(e.size) == len(word) && bytes.Equal(s.list[e.at:][:e.size], word) {
			s.list = s.list[:start]
			return
		}
	}
}

// spread makes the low bits of a hash depend on all of it.
func spread(h uint32) uint32 { return h ^ h>>15 }

func (s *Set) grow() {
	old := s.slots
	s.slots = make([]slot, max(firstSlots, 2*len(old)))
	mask := uint32(len(s.slots) - 1)
	for i := range old {
		if old[i].round != s.round {
			continue
		}
		at := spread(old[i].hash) & mask
		for s.slots[at].round == s.round {
			at = (at + 1) & mask
		}
		s.slots[at] = old[i]
	}
}
