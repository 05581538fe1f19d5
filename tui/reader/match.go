package reader

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/clean"
	"winnow/tui/reader/gist"
)

// matcher finds a query in texts: in any case, unless the query itself holds
// an upper-case letter.
type matcher struct {
	query   string
	exact   bool // case matters, or the query knows none
	letters bool // the query holds letters with cases outside ASCII
}

func newMatcher(query string) matcher {
	query = clean.Line(query)
	m := matcher{query: query}
	lower, upper := strings.ToLower(query), strings.ToUpper(query)
	m.exact = query != lower || lower == upper
	m.letters = strings.IndexFunc(query, func(c rune) bool { return c >= utf8.RuneSelf && unicode.ToUpper(c) != c }) >= 0
	return m
}

// foldBlock is the size of text, in bytes, brought into lower case at once:
// it stays in the processor's cache.
const foldBlock = 32 << 10

// each implements finding.
func (m *matcher) each(ctx context.Context, text string, buf []byte, f func(from, to int) bool) []byte {
	if m.query == "" {
		return buf
	}
	if m.exact {
		for at := 0; ctx.Err() == nil; {
			i := strings.Index(text[at:], m.query)
			if i < 0 || !f(at+i, at+i+len(m.query)) {
				return buf
			}
			at += i + len(m.query)
		}
		return buf
	}
	query := []byte(m.query)
	next := 0 // matches begin here or after
	for from := 0; from < len(text) && ctx.Err() == nil; {
		to := gist.Start(text, min(len(text), from+foldBlock))
		// A match that begins in this block may end in the next one.
		reach := gist.Start(text, min(len(text), to+len(query)+utf8.UTFMax))
		buf = m.lower(buf[:0], text[from:reach])
		for at := max(0, next-from); at < to-from; {
			i := bytes.Index(buf[at:], query)
			if i < 0 || at+i >= to-from {
				break
			}
			start := from + at + i
			if !f(start, start+len(query)) {
				return buf
			}
			next = start + len(query)
			at = next - from
		}
		from = to
	}
	return buf
}

// lower appends text in lower case. Every character keeps its length, so that
// offsets stay true; the few whose lower case has another length keep their
// case.
func (m *matcher) lower(dst []byte, text string) []byte {
	dst = append(dst, text...)
	lowerASCII(dst)
	if !m.letters {
		return dst
	}
	for i := 0; i < len(dst); {
		if dst[i] < utf8.RuneSelf {
			i++
			continue
		}
		c, size := utf8.DecodeRune(dst[i:])
		if l := unicode.ToLower(c); l != c && utf8.RuneLen(l) == size {
			utf8.EncodeRune(dst[i:], l)
		}
		i += size
	}
	return dst
}

// lowerASCII brings the letters A to Z in b into lower case, eight bytes at a
// time: this is most of what a find in a large text takes.
func lowerASCII(b []byte) {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	for len(b) >= 8 {
		x := binary.LittleEndian.Uint64(b)
		low := x &^ high
		// The high bit of a byte of from is set from 'A' on, of after 'Z'.
		from, behind := low+(0x80-'A')*ones, low+(0x80-'Z'-1)*ones
		upper := (from ^ behind) & high &^ x
		binary.LittleEndian.PutUint64(b, x|upper>>2) // 0x80>>2 is the bit of lower case
		b = b[8:]
	}
	for i, c := range b {
		if c-'A' < 26 {
			b[i] = c + ('a' - 'A')
		}
	}
}
