package similar

import (
	"unicode"
	"unicode/utf8"
)

// shingle is the number of words of a shingle: enough that two texts on one
// subject share few, little enough that a changed word costs few.
const shingle = 5

// Signer makes signatures. The zero Signer is ready. It allocates nothing and
// can be used again after Signature; it is not for use by several goroutines.
//
// A word is what stands between white space, in lower case. Scripts that do not
// separate words (Han, Kana, Thai, Lao, Khmer, Burmese) have one character for
// a word. Texts that are added one after the other are one text, so that it
// does not matter how it is divided into messages.
type Signer struct {
	smallest [bins]uint64 // hash by bin; 0: none
	recent   [shingle]uint64
	words    int
	rolling  uint64 // of the last words, as many as a shingle has
	whole    uint64 // of all words
}

// Sign returns the signature of texts.
func (s *Signer) Sign(texts ...string) Signature {
	for _, t := range texts {
		s.Add(t)
	}
	return s.Signature()
}

// Hashes of words are FNV-1a; those of a shingle are their polynomial, which
// rolls from one to the next.
const (
	offset = 14695981039346656037
	prime  = 1099511628211
	base   = 0x9e3779b97f4a7c15 // any odd number with bits everywhere
	base5  = base * base * base * base * base & (1<<64 - 1)
)

// classes of bytes: how a word goes on.
const (
	letter = iota
	capital
	blank
	wide // begins a character that is not ASCII
)

var classes = func() (c [256]byte) {
	for i := range c {
		switch {
		case i >= utf8.RuneSelf:
			c[i] = wide
		case i >= 'A' && i <= 'Z':
			c[i] = capital
		case i == ' ' || i >= '\t' && i <= '\r':
			c[i] = blank
		}
	}
	return c
}()

// Add adds a text after those before it. A word ends with its text.
func (s *Signer) Add(text string) {
	h := uint64(offset)
	inWord := false
	for i := 0; i < len(text); {
		c := text[i]
		switch classes[c] {
		case blank:
			if inWord {
				s.word(h)
				h, inWord = offset, false
			}
			i++
			continue
		case capital:
			c += 'a' - 'A'
			fallthrough
		case letter:
			h = (h ^ uint64(c)) * prime
			inWord = true
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		space, alone := unicode.IsSpace(r), standsAlone(r)
		if inWord && (space || alone) {
			s.word(h)
			h, inWord = offset, false
		}
		switch {
		case space:
		case alone:
			s.word((offset ^ uint64(r)) * prime)
		default:
			h = (h ^ uint64(unicode.ToLower(r))) * prime
			inWord = true
		}
	}
	if inWord {
		s.word(h)
	}
}

// standsAlone reports whether a character is a word of its own: those of
// scripts without white space between words, and their punctuation.
func standsAlone(r rune) bool {
	switch {
	case r < 0x0e00:
		return false
	case r < 0x1100: // Thai, Lao and Burmese; between them Tibetan, which separates
		return r < 0x0f00 || r >= 0x1000 && r < 0x10a0
	case r < 0x2e80:
		return r >= 0x1780 && r < 0x1800 // Khmer
	case r < 0xa000:
		return true // Han, Kana, Bopomofo and their punctuation
	case r < 0x20000:
		return r >= 0xf900 && r < 0xfb00 || r >= 0xff00 && r < 0xfff0 // compatibility and full-width forms
	}
	return r < 0x40000 // rare Han
}

// word ends a word with the given hash, and with it a shingle.
func (s *Signer) word(h uint64) {
	at := &s.recent[s.words%shingle]
	s.rolling = s.rolling*base + h - *at*base5
	s.whole = s.whole*base + h
	*at = h
	if s.words++; s.words >= shingle {
		s.keep(s.rolling)
	}
}

// keep deals a shingle to its bin.
func (s *Signer) keep(h uint64) {
	h = mix(h) | 1 // never 0
	bin := &s.smallest[h>>(64-binBits)]
	if h < *bin || *bin == 0 {
		*bin = h
	}
}

// Signature returns the signature of what was added, and begins anew.
func (s *Signer) Signature() (sig Signature) {
	filled := 0
	for i, h := range s.smallest {
		if h != 0 {
			sig[i] = entryOf(h)
			filled++
		}
	}
	if s.words > 0 && filled < least {
		for i := range sig {
			sig[i] = entryOf(s.whole + uint64(i)*base)
		}
	}
	*s = Signer{}
	return sig
}

// entryOf is what an entry of a signature keeps of a hash.
func entryOf(h uint64) byte { return byte(mix(h)%255) + 1 }

// mix spreads the bits of a hash (the finalizer of MurmurHash3).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
