package rawjson

import "unicode/utf8"

// Scanner finds the end of one JSON value and the fields of a top-level
// object in a single pass. It can be given the same bytes again with more
// after them and goes on where it stopped, so that values which span many
// lines or reads are looked at once.
//
// It accepts all of JSON (RFC 8259), names that occur twice, and inside of
// strings three defects that Repair mends: invalid UTF-8, lone surrogates and
// control characters. A line end inside of an escape counts as one of these.
// It runs twice as fast as validating and walking tokens in two passes.
type Scanner struct {
	End    int     // the next byte to look at: the end of the value, once it is Done
	Fields []Field // of a top-level object, in order
	Flawed bool    // Repair has something to do, invalid UTF-8 aside

	expect expectation
	stack  []byte // '{' or '[' per open level
	inText bool   // inside of a string
	high   uint64 // all bytes of strings or-ed together: any outside of ASCII?
	open   Field  // the one being read
}

type expectation byte

const (
	wantValue expectation = iota
	wantValueOrEnd
	wantName
	wantNameOrEnd
	wantColon
	wantComma
)

// Progress is how far a scan has come.
type Progress byte

const (
	More    Progress = iota // the bytes end inside of the value
	Done                    // the value ends at Scanner.End
	Broken                  // no JSON at Scanner.End
	TooDeep                 // nested deeper than MaxDepth
	TooWide                 // more than MaxFields fields
)

const (
	// MaxDepth is the nesting that package jsontext allows: deeper values
	// could be stored but never be read again.
	MaxDepth = 10000
	// MaxFields bounds the memory for the fields of a hostile object; real
	// ones have a few dozen.
	MaxFields = 1 << 16
)

// Reset makes the scanner ready for another value.
func (s *Scanner) Reset() {
	*s = Scanner{stack: s.stack[:0], Fields: s.Fields[:0]}
}

// Drop says that the first n bytes given so far, all of which were looked at, are
// not given again. Fields in them are forgotten, and places count from their end.
func (s *Scanner) Drop(n int) {
	s.End -= n
	s.Fields, s.open = s.Fields[:0], Field{}
}

// Scan looks at b, which begins with all that was given
// before. final says that nothing follows b, which ends a number.
func (s *Scanner) Scan(b []byte, final bool) Progress {
	for {
		if s.inText {
			if p := s.text(b); p != Done {
				return p
			}
			s.inText = false
			if s.expect == wantName {
				if len(s.stack) == 1 {
					s.open.NameHi = s.End - 1
				}
				s.expect = wantColon
			} else if s.closed() {
				return Done
			}
		}
		i := s.End
		for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
			i++
		}
		s.End = i
		if i == len(b) {
			return More
		}
		if p := s.token(b, b[i], final); p != More {
			return p
		} else if s.End == i {
			return More // an unfinished token
		}
	}
}

// token takes the token that starts with c at s.i. It returns more to go on;
// if s.i stays, the token is not complete.
func (s *Scanner) token(b []byte, c byte, final bool) Progress {
	switch s.expect {
	case wantComma:
		return s.separator(c)
	case wantColon:
		if c != ':' {
			return Broken
		}
		s.expect = wantValue
		s.End++
		return More
	case wantNameOrEnd, wantName:
		if c == '"' {
			s.expect, s.inText = wantName, true
			s.End++
			if len(s.stack) == 1 {
				s.open.NameLo = s.End
			}
			return More
		}
		if c == '}' && s.expect == wantNameOrEnd {
			return s.pop()
		}
		return Broken
	case wantValueOrEnd:
		if c == ']' {
			return s.pop()
		}
	}
	if len(s.stack) == 1 {
		s.open.Lo = s.End
	}
	switch c {
	case '"':
		s.expect, s.inText = wantComma, true
		s.End++
		return More
	case '{':
		return s.push(c, wantNameOrEnd)
	case '[':
		return s.push(c, wantValueOrEnd)
	}
	return s.scalar(b, final)
}

func (s *Scanner) separator(c byte) Progress {
	object := s.stack[len(s.stack)-1] == '{'
	switch {
	case c == ',' && object:
		s.expect = wantName
	case c == ',':
		s.expect = wantValue
	case c == '}' && object, c == ']' && !object:
		return s.pop()
	default:
		return Broken
	}
	s.End++
	return More
}

func (s *Scanner) push(c byte, then expectation) Progress {
	if len(s.stack) == MaxDepth {
		return TooDeep
	}
	s.stack = append(s.stack, c)
	s.expect = then
	s.End++
	return More
}

func (s *Scanner) pop() Progress {
	s.stack = s.stack[:len(s.stack)-1]
	s.End++
	if s.closed() {
		if len(s.Fields) > MaxFields {
			return TooWide
		}
		return Done
	}
	return More
}

// closed notes that a value ended at s.i and reports whether it was the
// outermost.
func (s *Scanner) closed() bool {
	s.expect = wantComma
	if len(s.stack) == 1 && s.stack[0] == '{' && len(s.Fields) <= MaxFields {
		s.open.Hi = s.End
		s.Fields = append(s.Fields, s.open)
	}
	return len(s.stack) == 0
}

// scalar takes a number or literal.
func (s *Scanner) scalar(b []byte, final bool) Progress {
	n, p := scanScalar(b[s.End:], final)
	switch {
	case p == Broken:
		return Broken
	case p == More:
		return More
	}
	s.End += n
	if s.closed() {
		return Done
	}
	return More
}

// scanScalar returns the length of the number, true, false or null that b
// starts with.
func scanScalar(b []byte, final bool) (int, Progress) {
	for _, word := range [...]string{"null", "true", "false"} {
		if b[0] != word[0] {
			continue
		}
		for j := range len(word) {
			if j == len(b) {
				return 0, More
			}
			if b[j] != word[j] {
				return 0, Broken
			}
		}
		return len(word), Done
	}
	return scanNumber(b, final)
}

func scanNumber(b []byte, final bool) (int, Progress) {
	i := 0
	short := func() (int, Progress) {
		if final || i < len(b) {
			return 0, Broken
		}
		return 0, More
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
		return 0, More
	}
	return i, Done
}

// Whole reports whether b is one value and nothing else, not even white space
// after it. It begins anew.
func (s *Scanner) Whole(b []byte) bool {
	s.Reset()
	return s.Scan(b, true) == Done && s.End == len(b)
}

// AtValue reports whether a value can begin where the bytes given so far end.
func (s *Scanner) AtValue() bool {
	return !s.inText && (s.expect == wantValue || s.expect == wantValueOrEnd)
}

// InList reports whether the bytes given so far end directly inside of an array.
func (s *Scanner) InList() bool { return len(s.stack) > 0 && s.stack[len(s.stack)-1] == '[' }

// Clean reports whether the scanned value v holds nothing that Repair would
// change.
func (s *Scanner) Clean(v []byte) bool {
	return !s.Flawed && (s.high&highs == 0 || utf8.Valid(v))
}
