package session

import "unicode/utf8"

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

// clean reports whether the scanned value v holds nothing that repair would
// change.
func (s *scanner) clean(v []byte) bool {
	return !s.flawed && (s.high&highs == 0 || utf8.Valid(v))
}
