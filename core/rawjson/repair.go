package rawjson

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// The repairs, as Repair tells them.
const (
	noteUTF8      = "invalid UTF-8 replaced by U+FFFD"
	noteSurrogate = "lone surrogate replaced by U+FFFD"
	noteControl   = "control character inside of a string"
	noteJoined    = "line broken inside of a string, joined"
)

// Repair rewrites a value that a Scanner accepted as valid JSON, so that all
// that comes after it deals with valid JSON only. Only strings are touched.
// notes tell what was mended, each once; without any, the value is as it was.
func Repair(v []byte) (value []byte, notes []string) {
	m := mender{src: v, out: make([]byte, 0, len(v)+64)}
	for m.i < len(v) {
		n := bytes.IndexByte(v[m.i:], '"')
		if n < 0 {
			m.take(len(v) - m.i)
			break
		}
		m.take(n + 1)
		m.text()
	}
	return m.out, m.notes
}

type mender struct {
	src   []byte
	i     int
	out   []byte
	notes []string
}

func (m *mender) note(s string) {
	for _, have := range m.notes {
		if have == s {
			return
		}
	}
	m.notes = append(m.notes, s)
}

// take copies n bytes as they are.
func (m *mender) take(n int) {
	m.out = append(m.out, m.src[m.i:m.i+n]...)
	m.i += n
}

// text copies a string up to and with its closing quote.
func (m *mender) text() {
	for m.i < len(m.src) {
		switch c := m.src[m.i]; {
		case c == '"':
			m.take(1)
			return
		case c == '\\':
			m.escape()
		case c < ' ':
			m.control(c)
		case c < utf8.RuneSelf:
			m.take(1)
		default:
			m.rune()
		}
	}
}

func (m *mender) control(c byte) {
	if c == '\r' && m.i+1 < len(m.src) && m.src[m.i+1] == '\n' {
		m.i++ // belongs to the line end
		return
	}
	m.i++
	switch c {
	case '\n':
		m.note(noteJoined)
		m.out = append(m.out, `\n`...)
	case '\t':
		m.note(noteControl)
		m.out = append(m.out, `\t`...)
	default:
		m.note(noteControl)
		const hex = "0123456789abcdef"
		m.out = append(m.out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
}

// rune copies one character outside of ASCII. One that a line end split is
// put together again.
func (m *mender) rune() {
	rest := m.src[m.i:]
	if r, n := utf8.DecodeRune(rest); r != utf8.RuneError || n == 3 {
		m.take(n)
		return
	}
	if joined, n := splitRune(rest); n > 0 {
		m.note(noteJoined)
		m.out = append(m.out, joined[:utf8.RuneLen(decode(joined))]...)
		m.i += n
		return
	}
	m.note(noteUTF8)
	m.out = append(m.out, "\uFFFD"...)
	m.i++
}

func decode(b [utf8.UTFMax]byte) rune {
	r, _ := utf8.DecodeRune(b[:])
	return r
}

// splitRune reads one character with a line end inside; n is 0 if there is
// none.
func splitRune(b []byte) (joined [utf8.UTFMax]byte, n int) {
	have, crossed := 0, false
	for n < len(b) && have < utf8.UTFMax {
		if c := b[n]; c == '\n' || c == '\r' {
			crossed = true
		} else if have > 0 && utf8.RuneStart(c) {
			break
		} else {
			joined[have] = c
			have++
			if utf8.FullRune(joined[:have]) {
				n++
				break
			}
		}
		n++
	}
	if r, size := utf8.DecodeRune(joined[:have]); !crossed || r == utf8.RuneError || size != have {
		return joined, 0
	}
	return joined, n
}

// escape copies one escape sequence, or two that form a character.
func (m *mender) escape() {
	seq, n := m.unbroken(m.i)
	m.i += n
	half, _ := escape(seq)
	if !utf16.IsSurrogate(half) {
		m.out = append(m.out, seq...)
		return
	}
	first := half < 0xDC00 // of a pair
	if first && m.i < len(m.src) && m.src[m.i] == '\\' {
		second, n := m.unbroken(m.i)
		both := append(seq, second...)
		if _, whole := escape(both); whole == len(both) {
			m.i += n
			m.out = append(m.out, both...)
			return
		}
	}
	m.note(noteSurrogate)
	m.out = append(m.out, `\ufffd`...)
}

// unbroken returns the escape sequence at i without the line ends inside of
// it, and its length with them.
func (m *mender) unbroken(i int) (seq []byte, n int) {
	seq = make([]byte, 0, 6)
	want := 2
	for i+n < len(m.src) && len(seq) < want {
		c := m.src[i+n]
		n++
		if c == '\n' || c == '\r' {
			m.note(noteJoined)
			continue
		}
		seq = append(seq, c)
		if len(seq) == 2 && c == 'u' {
			want = 6
		}
	}
	for len(seq) < 2 {
		seq = append(seq, ' ') // not reached for what a scanner accepted
	}
	return seq, n
}
