// Package match finds what is looked for in texts: a query in any case, or the texts of
// a filter as the database finds them.
package match

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/core/words"
	"winnow/tui/reader/gist"
)

// Finding finds something in texts.
type Finding interface {
	// Each calls f with the bounds of every occurrence in text, in order and not
	// overlapping, until f returns false or ctx is done. buf is reused between
	// calls.
	Each(ctx context.Context, text string, buf []byte, f func(from, to int) bool) []byte
}

// matcher finds a query in texts: in any case, unless the query itself holds
// an upper-case letter.
type matcher struct {
	query   string
	exact   bool // case matters, or the query knows none
	letters bool // the query holds letters with cases outside ASCII
}

// New returns what finds a query, nil for one that finds nothing.
func New(query string) Finding {
	query = clean.Line(query)
	m := matcher{query: query}
	lower, upper := strings.ToLower(query), strings.ToUpper(query)
	m.exact = query != lower || lower == upper
	m.letters = strings.IndexFunc(query, func(c rune) bool { return c >= utf8.RuneSelf && unicode.ToUpper(c) != c }) >= 0
	if m.query == "" {
		return nil
	}
	return &m
}

// foldBlock is the size of text, in bytes, brought into lower case at once:
// it stays in the processor's cache.
const foldBlock = 32 << 10

// Each implements Finding.
func (m *matcher) Each(ctx context.Context, text string, buf []byte, f func(from, to int) bool) []byte {
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

// terms finds several texts as a search in the database does.
type terms []*words.Finder

// TermsOf returns what finds any of several texts, nil if there are none.
func TermsOf(texts []filter.Text) Finding {
	var list terms
	for _, t := range texts {
		if q, err := words.NewQuery(t.Value, t.Prefix); err == nil {
			list = append(list, &words.Finder{Query: q})
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// termHits bounds what is found of one text in one block: more than the reader keeps.
const termHits = 100_000

// Each implements Finding. Where two texts overlap, the one that begins first
// counts.
func (m terms) Each(ctx context.Context, text string, buf []byte, f func(from, to int) bool) []byte {
	if len(m) == 1 {
		m[0].Matches(ctx, text, f)
		return buf
	}
	type bounds struct{ from, to int }
	var all []bounds
	for _, t := range m {
		n := len(all)
		t.Matches(ctx, text, func(from, to int) bool {
			all = append(all, bounds{from, to})
			return len(all)-n < termHits
		})
	}
	slices.SortFunc(all, func(a, b bounds) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	next := 0
	for _, h := range all {
		if h.from < next {
			continue
		}
		if !f(h.from, h.to) {
			break
		}
		next = h.to
	}
	return buf
}
