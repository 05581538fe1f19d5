// Package token estimates how many tokens a text costs.
package token

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// charsPerToken is the usual rule of thumb for English text and code.
const charsPerToken = 4

// highBits has the highest bit of each byte of a word.
const highBits = 0x8080808080808080

// Estimate returns the number of tokens of UTF-8 text by the rule of thumb of
// four characters each. A character outside ASCII counts as a whole token:
// Chinese, Japanese and emoji take about one each. It never allocates and
// counts eight bytes at a time, because an import runs it over every byte.
func Estimate(text string) int {
	b := unsafe.Slice(unsafe.StringData(text), len(text))
	notASCII, continued := 0, 0
	for len(b) >= 8 {
		w := binary.LittleEndian.Uint64(b)
		if high := w & highBits; high != 0 {
			notASCII += bits.OnesCount64(high)
			continued += bits.OnesCount64(high &^ (w << 1)) // 10xxxxxx
		}
		b = b[8:]
	}
	for _, c := range b {
		if c >= 0x80 {
			notASCII++
			if c < 0xC0 {
				continued++
			}
		}
	}
	ascii := len(text) - notASCII
	return (ascii+charsPerToken-1)/charsPerToken + notASCII - continued
}
