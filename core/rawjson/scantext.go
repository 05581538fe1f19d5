package rawjson

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special has the high bit of the first byte set that ends a run of plain
// text: a quote, a backslash or a control character.
func special(w uint64) uint64 {
	quote, slash := w^(ones*'"'), w^(ones*'\\')
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*0x20)&^w) & highs
}

// text goes on inside of a string and stops after its closing quote.
func (s *Scanner) text(b []byte) Progress {
	i, high := s.End, s.high
	for {
		for i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			high |= w
			if hit := special(w); hit != 0 {
				i += bits.TrailingZeros64(hit) >> 3
				break
			}
			i += 8
		}
		if i >= len(b) {
			s.End, s.high = i, high
			return More
		}
		switch c := b[i]; {
		case c == '"':
			s.End, s.high = i+1, high
			return Done
		case c == '\\':
			n, p := s.escape(b[i:])
			if p != Done {
				s.End, s.high = i, high
				return p
			}
			i += n
		case c == 0:
			s.End, s.high = i, high
			return Broken
		case c < ' ':
			s.Flawed = true
			i++
		default:
			high |= uint64(c)
			i++
		}
	}
}

// escape returns the length of the escape sequence that b starts with. A line
// end inside of it is passed over: Repair takes it out.
func (s *Scanner) escape(b []byte) (int, Progress) {
	if len(b) > 1 && short[b[1]] != 0 {
		return 2, Done
	}
	// Half of a pair whose other half is not there yet counts as alone: Repair
	// looks again.
	if r, n := escape(b); n > 0 {
		s.Flawed = s.Flawed || utf16.IsSurrogate(r)
		return n, Done
	}
	i := s.passLineEnd(b, 1)
	if i >= len(b) {
		return 0, More
	}
	if short[b[i]] != 0 {
		return i + 1, Done
	}
	if b[i] != 'u' {
		return 0, Broken
	}
	i++
	for range 4 {
		i = s.passLineEnd(b, i)
		if i >= len(b) {
			return 0, More
		}
		if !isHex(b[i]) {
			return 0, Broken
		}
		i++
	}
	return i, Done
}

func (s *Scanner) passLineEnd(b []byte, i int) int {
	for i < len(b) && (b[i] == '\n' || b[i] == '\r') {
		s.Flawed = true
		i++
	}
	return i
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}
