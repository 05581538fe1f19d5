package offline

import (
	"math/bits"
	"unicode"
	"unicode/utf8"

	"winnow/core/phrases"
)

// word is one term of a text: a stem, a pair of characters in scripts without
// spaces, a path, a number, an identifier.
type word struct {
	id     uint32
	weight uint8 // what it says about the subject: 0 to 4, and 8 for an entity
}

const (
	fullWeight   = 4
	entityWeight = 8 // paths, numbers and identifiers count double
)

func (w word) entity() bool { return w.weight == entityWeight }

const (
	hashBasis = 2166136261 // FNV-1a, 32 bits
	hashPrime = 16777619
)

// stemLength is how many characters of a word tell it from others: inflection
// in most languages is at the end.
const stemLength = 6

// wordReader takes texts apart; it keeps its buffer between them.
type wordReader struct{ words []word }

// read returns the words of s in order, with repetitions. The result is valid
// until the next call.
func (r *wordReader) read(s string) []word {
	r.words = r.words[:0]
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if k := class(asciiClasses[c]); k != classLetter && k != classDigit {
				i++
				continue
			}
			i = r.run(s, i)
			continue
		}
		c, size := utf8.DecodeRuneInString(s[i:])
		switch classOf(c) {
		case classDense:
			i = r.denseRun(s, i)
		case classLetter, classDigit:
			i = r.run(s, i)
		default:
			i += size
		}
	}
	return r.words
}

type class uint8

const (
	classOther  class = iota
	classLetter       // of a script with spaces between words
	classDigit
	classJoin  // stands inside of paths and identifiers
	classDense // of a script without spaces
	classMark  // combines with a letter
)

// asciiClasses has the class of each ASCII character: letters, digits, and the
// joiners - . / @ \ _.
const asciiClasses = "" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x03\x03\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x00\x00\x00\x00\x00\x00" +
	"\x03\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x00\x03\x00\x00\x03" +
	"\x00\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x00\x00\x00\x00\x00"

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		return class(asciiClasses[r])
	case r >= 0x2E80 && phrases.Dense(r), r >= 0x0E00 && r < 0x1000 && unicode.IsLetter(r):
		return classDense
	case unicode.IsLetter(r):
		return classLetter
	case unicode.IsDigit(r):
		return classDigit
	case unicode.IsMark(r):
		return classMark
	}
	return classOther
}

// longestRun is how much of a run without spaces is read as one, in bytes: a
// line of base64 is no word.
const longestRun = 256

// run reads characters that stand together, from a letter or digit on, and
// returns where they end: words and numbers, and the whole as an entity if it
// is a path or an identifier.
func (r *wordReader) run(s string, i int) (end int) {
	from := i
	limit := min(len(s), from+longestRun)
	letters, digits := 0, 0
	joins := false  // a joiner other than a dash was read
	joined := false // and something after it
	for i < limit {
		start := i
		id, n, next := letterRun(s, i, limit)
		if n > 0 {
			r.add(id, letterWeight(n))
			letters += n
		}
		i = next
		if i < limit && (s[i] >= utf8.RuneSelf || class(asciiClasses[s[i]]) == classDigit) {
			id, n, next = digitRun(s, i, limit)
			if n >= 3 {
				r.add(id, entityWeight)
			}
			digits += n
			i = next
		}
		if i > start {
			end, joined = i, joins
			continue
		}
		for i < limit && s[i] < utf8.RuneSelf && class(asciiClasses[s[i]]) == classJoin {
			joins = joins || s[i] != '-'
			i++
		}
		if i == start {
			break
		}
	}
	if whole := s[from:end]; len(whole) >= 4 && letters > 0 && (digits > 0 || joined) {
		h := uint32(hashBasis)
		for _, c := range whole {
			h = hashRune(h, phrases.Fold(c))
		}
		r.add(h^wholeSalt, entityWeight)
	}
	return max(end, i)
}

// wholeSalt tells an identifier from a word of the same letters.
const wholeSalt = 0x9E3779B9

// letterRun reads letters: the hash of the first of them, how many they stand
// for, and where they end.
func letterRun(s string, i, limit int) (id uint32, n, end int) {
	id = hashBasis
	for i < limit {
		c := s[i]
		if c < utf8.RuneSelf {
			if class(asciiClasses[c]) != classLetter {
				break
			}
			if n < stemLength {
				id = (id ^ uint32(c|0x20)) * hashPrime
			}
			n++
			i++
			continue
		}
		u, size := utf8.DecodeRuneInString(s[i:])
		k := classOf(u)
		if k != classLetter && k != classMark {
			break
		}
		if n < stemLength {
			id = hashRune(id, phrases.Fold(u))
		}
		if k == classLetter {
			n += letters(u)
		}
		i += size
	}
	return id, n, i
}

// letters is how many letters of an alphabet a character stands for: a Hangul
// syllable is two or three. Endings are glued to Korean words, so that the
// first two syllables are the stem.
func letters(r rune) int {
	if r >= 0xAC00 && r <= 0xD7A3 {
		return 3
	}
	return 1
}

func digitRun(s string, i, limit int) (id uint32, n, end int) {
	id = hashBasis
	for ; i < limit; n++ {
		c, size := rune(s[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(s[i:])
		}
		if classOf(c) != classDigit {
			break
		}
		id = hashRune(id, c)
		i += size
	}
	return id, n, i
}

// denseRun reads pairs of characters from writing without spaces.
func (r *wordReader) denseRun(s string, i int) (end int) {
	var last rune
	for i < len(s) {
		c, size := utf8.DecodeRuneInString(s[i:])
		if classOf(c) != classDense {
			break
		}
		if last != 0 {
			r.add(hashRune(hashRune(hashBasis, last), c), pairWeight(last, c))
		}
		last = c
		i += size
	}
	return i
}

// pairWeight is low where a pair is mostly grammar: hiragana.
func pairWeight(a, b rune) uint8 {
	kana := 0
	for _, c := range [...]rune{a, b} {
		if c >= 0x3040 && c <= 0x309F {
			kana++
		}
	}
	return [...]uint8{3, 1, 0}[kana]
}

// letterWeight is low for short words, which are grammar in most languages.
func letterWeight(chars int) uint8 {
	switch {
	case chars <= 2:
		return 0
	case chars == 3:
		return 1
	case chars == 4:
		return 2
	}
	return 4
}

func (r *wordReader) add(id uint32, weight uint8) {
	if weight > 0 {
		r.words = append(r.words, word{id, weight})
	}
}

func hashRune(h uint32, c rune) uint32 {
	for c >= 0x80 {
		h = (h ^ uint32(c&0x7F|0x80)) * hashPrime
		c >>= 7
	}
	return (h ^ uint32(c)) * hashPrime
}

// seen remembers when words stood last, and in how many messages. It forgets
// the oldest when there are more than it has room for, so that a session of
// any length takes the same memory.
type seen struct {
	slots []sighting // sets of 4
	used  int
}

type sighting struct {
	id   uint32
	turn int32 // the last, from 1; 0 is a free slot
	row  int32 // the last message
	rows int32 // messages it stood in
}

const (
	slotsAtFirst = 1 << 9
	slotsAtMost  = 1 << 15 // 512 KiB
)

// touch notes that a word stands in a message, and returns when it stood
// before: turn 0 is never. rows counts earlier messages.
func (s *seen) touch(id uint32, turn, row int32) (before, rows int32) {
	if s.used*2 >= len(s.slots) && len(s.slots) < slotsAtMost {
		s.grow()
	}
	set := s.set(id)
	oldest := &set[0]
	for i := range set {
		e := &set[i]
		if e.id == id && e.turn != 0 {
			before, rows = e.turn, e.rows
			e.turn = turn
			if e.row != row {
				e.row = row
				e.rows++
			}
			return before, rows
		}
		if e.turn < oldest.turn {
			oldest = e
		}
	}
	if oldest.turn == 0 {
		s.used++
	}
	*oldest = sighting{id, turn, row, 1}
	return 0, 0
}

func (s *seen) set(id uint32) []sighting {
	sets := uint32(len(s.slots) / 4)
	hi, _ := bits.Mul32(id*0x9E3779B1, sets)
	return s.slots[hi*4 : hi*4+4 : hi*4+4]
}

func (s *seen) grow() {
	old := s.slots
	s.slots = make([]sighting, max(slotsAtFirst, 4*len(old)))
	s.used = 0
	for _, e := range old {
		if e.turn == 0 {
			continue
		}
		set := s.set(e.id)
		for i := range set {
			if set[i].turn == 0 {
				set[i] = e
				s.used++
				break
			}
		}
	}
}
