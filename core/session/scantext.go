package session

import (
	"encoding/binary"
	"math/bits"
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

// text goes on inside of a string and stops behind its closing quote.
func (s *scanner) text(b []byte) progress {
	i, high := s.i, s.high
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
			s.i, s.high = i, high
			return more
		}
		switch c := b[i]; {
		case c == '"':
			s.i, s.high = i+1, high
			return done
		case c == '\\':
			n, p := s.escape(b[i:])
			if p != done {
				s.i, s.high = i, high
				return p
			}
			i += n
		case c == 0:
			s.i, s.high = i, high
			return broken
		case c < ' ':
			s.flawed = true
			i++
		default:
			high |= uint64(c)
			i++
		}
	}
}

// escape returns the length of the escape sequence that b starts with. A line
// end inside of it is passed over: repair takes it out.
func (s *scanner) escape(b []byte) (int, progress) {
	i := s.passLineEnd(b, 1)
	if i >= len(b) {
		return 0, more
	}
	switch b[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1, done
	case 'u':
	default:
		return 0, broken
	}
	if r, ok := hex4(b[i+1:]); ok && i == 1 {
		if !isSurrogate(r) {
			return 6, done
		}
		if pairAt(b) {
			return 12, done
		}
		s.flawed = true
		return 6, done
	}
	i++
	for range 4 {
		i = s.passLineEnd(b, i)
		if i >= len(b) {
			return 0, more
		}
		if !isHex(b[i]) {
			return 0, broken
		}
		i++
	}
	return i, done
}

func (s *scanner) passLineEnd(b []byte, i int) int {
	for i < len(b) && (b[i] == '\n' || b[i] == '\r') {
		s.flawed = true
		i++
	}
	return i
}

// pairAt reports whether b starts with two escapes that form one character.
// Bytes that are not there yet count as wrong: repair looks again.
func pairAt(b []byte) bool {
	if len(b) < 12 {
		return false
	}
	first, ok1 := hex4(b[2:])
	second, ok2 := hex4(b[8:])
	return ok1 && ok2 && b[6] == '\\' && b[7] == 'u' && isHigh(first) && isLow(second)
}

func isHigh(r rune) bool { return r >= 0xD800 && r < 0xDC00 }
func isLow(r rune) bool  { return r >= 0xDC00 && r < 0xE000 }

func isSurrogate(r rune) bool { return r >= 0xD800 && r < 0xE000 }

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// hex4 returns the value of four hexadecimal digits.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
