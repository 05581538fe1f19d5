package words

import (
	"unicode"
	"unicode/utf8"
)

// class is what a character is for taking texts apart.
type class uint8

const (
	classNone   class = iota // stands between words
	classLetter              // of a word: a letter or a digit
	classDense               // of a script that is cut into pairs
	classSign                // an emoji: a word of its own
	classMark                // hangs on the character before it
)

// lowered has the lower case of the ASCII letters and digits, 0 for all other
// bytes.
var lowered = [256]byte{
	'0': '0', '1': '1', '2': '2', '3': '3', '4': '4', '5': '5', '6': '6', '7': '7', '8': '8', '9': '9',
	'A': 'a', 'B': 'b', 'C': 'c', 'D': 'd', 'E': 'e', 'F': 'f', 'G': 'g', 'H': 'h', 'I': 'i', 'J': 'j', 'K': 'k', 'L': 'l', 'M': 'm',
	'N': 'n', 'O': 'o', 'P': 'p', 'Q': 'q', 'R': 'r', 'S': 's', 'T': 't', 'U': 'u', 'V': 'v', 'W': 'w', 'X': 'x', 'Y': 'y', 'Z': 'z',
	'a': 'a', 'b': 'b', 'c': 'c', 'd': 'd', 'e': 'e', 'f': 'f', 'g': 'g', 'h': 'h', 'i': 'i', 'j': 'j', 'k': 'k', 'l': 'l', 'm': 'm',
	'n': 'n', 'o': 'o', 'p': 'p', 'q': 'q', 'r': 'r', 's': 's', 't': 't', 'u': 'u', 'v': 'v', 'w': 'w', 'x': 'x', 'y': 'y', 'z': 'z',
}

// firstSign is where emoji and the like begin; the symbols below, such as
// arrows and lines of boxes, are decoration.
const firstSign = 0x2600

// classOf returns the class of a character. An invalid byte stands between
// words.
func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		if r >= 0 && lowered[r] != 0 {
			return classLetter
		}
		return classNone
	case r >= 0x3400 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7A3, r >= 0x3041 && r <= 0x3096:
		return classDense // nearly all there is of them
	case r == utf8.RuneError:
		return classNone
	case r >= 0x0E00 && dense(r):
		return classDense
	case unicode.IsLetter(r), unicode.IsNumber(r):
		return classLetter
	case unicode.IsMark(r):
		if r >= 0xFE00 && r <= 0xFE0F { // how an emoji is drawn
			return classNone
		}
		return classMark
	case r >= firstSign && unicode.Is(unicode.So, r):
		return classSign
	}
	return classNone
}

// dense reports whether a character is of a script that is written without
// spaces, or of Korean.
func dense(r rune) bool {
	switch {
	case r <= 0x0EFF: // Thai, Lao
		return unicode.IsLetter(r)
	case r >= 0x1000 && r <= 0x109F, r >= 0x1780 && r <= 0x17FF: // Burmese, Khmer
		return unicode.IsLetter(r)
	case r == 0x3005, r == 0x3006, r == 0x3007: // 々 〆 〇
		return true
	case r >= 0x30A1 && r <= 0x30FF: // Katakana, but for its middle dot
		return r != 0x30FB
	case r >= 0x1100 && r <= 0x11FF, r >= 0x3105 && r <= 0x318E, r >= 0x31A0 && r <= 0x31BF, r >= 0x31F0 && r <= 0x31FF:
		return true // Jamo, Bopomofo, small Katakana
	case r >= 0xF900 && r <= 0xFAFF, r >= 0x20000 && r <= 0x3FFFF: // further Han
		return unicode.IsLetter(r)
	}
	return false
}
