package session

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// scanner finds the end of one JSON value and the fields of a top-level
// object in a single pass. It can be given the same bytes again with more
// behind them and goes on where it stopped, so that values which span many
// lines or reads are looked at once.
//
// It accepts all of JSON (RFC 8259), names that occur twice, and inside of
// strings three defects that repair mends: invalid UTF-8, lone surrogates and
// control characters. Being our own, it runs twice as fast as validating and
// walking tokens in two passes; a fuzz test holds it to package jsontext.
type scanner struct {
	i      int // the next byte to look at
	expect expectation
	stack  []byte // '{' or '[' per open level
	inText bool   // inside of a string
	high   uint64 // all bytes of strings or-ed together: any outside of ASCII?
	flawed bool   // something repair has to look at

	fields []field // of a top-level object, in order
	open   field   // the one being read
}

// field is one member of an object: the place of its name, without quotes,
// and of its value.
type field struct{ keyLo, keyHi, lo, hi int }

type expectation byte

const (
	wantValue expectation = iota
	wantValueOrEnd
	wantName
	wantNameOrEnd
	wantColon
	wantComma
)

type progress byte

const (
	more    progress = iota // the bytes end inside of the value
	done                    // the value ends at scanner.i
	broken                  // no JSON at scanner.i
	tooDeep                 // nested deeper than maxDepth
	tooWide                 // more than maxFields fields
)

const (
	// maxDepth is the nesting that package jsontext allows: deeper values
	// could be stored but never be read again.
	maxDepth = 10000
	// maxFields bounds the memory for the fields of a hostile object; real
	// ones have a few dozen.
	maxFields = 1 << 16
)

func (s *scanner) reset() {
	*s = scanner{stack: s.stack[:0], fields: s.fields[:0]}
}

// scan looks at b, which starts with the value and with all that was given
// before. final says that nothing will follow b, which ends a number.
func (s *scanner) scan(b []byte, final bool) progress {
	for {
		if s.inText {
			if p := s.text(b); p != done {
				return p
			}
			s.inText = false
			if s.expect == wantName {
				if len(s.stack) == 1 {
					s.open.keyHi = s.i - 1
				}
				s.expect = wantColon
			} else if s.closed() {
				return done
			}
		}
		i := s.i
		for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
			i++
		}
		s.i = i
		if i == len(b) {
			return more
		}
		if p := s.token(b, b[i], final); p != more {
			return p
		} else if s.i == i {
			return more // an unfinished token
		}
	}
}

// token takes the token that starts with c at s.i. It returns more to go on;
// if s.i stays, the token is not complete.
func (s *scanner) token(b []byte, c byte, final bool) progress {
	switch s.expect {
	case wantComma:
		return s.separator(c)
	case wantColon:
		if c != ':' {
			return broken
		}
		s.expect = wantValue
		s.i++
		return more
	case wantNameOrEnd, wantName:
		if c == '"' {
			s.expect, s.inText = wantName, true
			s.i++
			if len(s.stack) == 1 {
				s.open.keyLo = s.i
			}
			return more
		}
		if c == '}' && s.expect == wantNameOrEnd {
			return s.pop()
		}
		return broken
	case wantValueOrEnd:
		if c == ']' {
			return s.pop()
		}
	}
	if len(s.stack) == 1 {
		s.open.lo = s.i
	}
	switch c {
	case '"':
		s.expect, s.inText = wantComma, true
		s.i++
		return more
	case '{':
		return s.push(c, wantNameOrEnd)
	case '[':
		return s.push(c, wantValueOrEnd)
	}
	return s.scalar(b, final)
}

func (s *scanner) separator(c byte) progress {
	object := s.stack[len(s.stack)-1] == '{'
	switch {
	case c == ',' && object:
		s.expect = wantName
	case c == ',':
		s.expect = wantValue
	case c == '}' && object, c == ']' && !object:
		return s.pop()
	default:
		return broken
	}
	s.i++
	return more
}

func (s *scanner) push(c byte, then expectation) progress {
	if len(s.stack) == maxDepth {
		return tooDeep
	}
	s.stack = append(s.stack, c)
	s.expect = then
	s.i++
	return more
}

func (s *scanner) pop() progress {
	s.stack = s.stack[:len(s.stack)-1]
	s.i++
	if s.closed() {
		if len(s.fields) > maxFields {
			return tooWide
		}
		return done
	}
	return more
}

// closed notes that a value ended at s.i and reports whether it was the
// outermost.
func (s *scanner) closed() bool {
	s.expect = wantComma
	if len(s.stack) == 1 && s.stack[0] == '{' && len(s.fields) <= maxFields {
		s.open.hi = s.i
		s.fields = append(s.fields, s.open)
	}
	return len(s.stack) == 0
}

// scalar takes a number or literal.
func (s *scanner) scalar(b []byte, final bool) progress {
	n, p := scanScalar(b[s.i:], final)
	switch {
	case p == broken:
		return broken
	case p == more:
		return more
	}
	s.i += n
	if s.closed() {
		return done
	}
	return more
}

// scanScalar returns the length of the number, true, false or null that b
// starts with.
func scanScalar(b []byte, final bool) (int, progress) {
	for _, word := range [...]string{"null", "true", "false"} {
		if b[0] != word[0] {
			continue
		}
		for j := range len(word) {
			if j == len(b) {
				return 0, more
			}
			if b[j] != word[j] {
				return 0, broken
			}
		}
		return len(word), done
	}
	return scanNumber(b, final)
}

func scanNumber(b []byte, final bool) (int, progress) {
	i := 0
	short := func() (int, progress) {
		if final || i < len(b) {
			return 0, broken
		}
		return 0, more
	}
	digits := func() bool {
		from := i
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		return i > from
	}
	if b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if !digits() {
		return short()
	}
	if i < len(b) && b[i] == '.' {
		i++
		if !digits() {
			return short()
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if !digits() {
			return short()
		}
	}
	if i == len(b) && !final {
		return 0, more
	}
	return i, done
}

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

// clean reports whether the scanned value v holds nothing that repair would
// change.
func (s *scanner) clean(v []byte) bool {
	return !s.flawed && (s.high&highs == 0 || utf8.Valid(v))
}
