package words

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

// ErrNoWord says that there is nothing in a question that could be found.
var ErrNoWord = errors.New("no letter and no digit to search for")

// Query is what is searched for.
type Query struct {
	// Words are what the set of a text that is found holds, all of them.
	// A set also holds a word that begins with Prefix, unless that is "".
	Words  []string
	Prefix string
	// Sure says that a set which holds them is of a text that is found; else
	// In has to tell.
	Sure bool

	needle        []byte
	before, after bool // a word begins with it, or ends
}

// NewQuery returns the query for a value as a person wrote it: characters that
// stand together in a text, whatever their case, with any white space where it
// has some. It begins and ends with whole words; with prefix the last one may go
// on. Writing without spaces has no words, there it may stand anywhere.
// ErrNoWord says that it has none.
func NewQuery(value string, prefix bool) (Query, error) {
	var q Query
	var f folder
	q.needle = bytes.TrimFunc(f.fold(nil, value, false), unicode.IsSpace)
	q.needle = bytes.TrimLeftFunc(q.needle, func(r rune) bool { return classOf(r) == classMark }) // of what stood before
	pieces := piecesOf(q.needle)
	if len(pieces) == 0 {
		return q, fmt.Errorf("%w in %q", ErrNoWord, value)
	}
	head, tail := pieces[0], pieces[len(pieces)-1]
	ends := tail.class == classLetter && tail.to == len(q.needle)
	open := prefix && ends // the last word may go on
	q.before, q.after = head.class == classLetter && head.from == 0, ends && !open
	whole := head.to-head.from == len(q.needle)
	for i, p := range pieces {
		text := q.needle[p.from:p.to]
		isLast := i == len(pieces)-1
		switch {
		case p.class == classDense:
			whole = q.addPairs(text) && whole
		case isLast && open && len(text) <= Longest:
			q.Prefix = string(text)
		default:
			// A word this long may be all that is kept of a longer one.
			whole = whole && len(text) <= Longest-utf8.UTFMax
			q.Words = append(q.Words, string(text[:cut(text, Longest)]))
		}
	}
	q.Sure = whole
	slices.Sort(q.Words)
	q.Words = slices.Compact(q.Words)
	if len(q.Words) > 1 && q.Prefix != "" && !q.Sure && len(q.Prefix) < 2 {
		q.Prefix = "" // nearly any text has such a word, and looking for it costs more than looking into texts
	}
	return q, nil
}

// joins reports whether a character belongs to a word with those beside it.
func joins(r rune) bool {
	k := classOf(r)
	return k == classLetter || k == classMark
}

// endsWord reports whether text ends in a word.
func endsWord(text []byte) bool { return lastClass(text) == classLetter }

// lastClass returns the class of the last character of text, without the marks
// that hang on it.
func lastClass(text []byte) class {
	for len(text) > 0 {
		r, size := utf8.DecodeLastRune(text)
		if k := classOf(r); k != classMark {
			return k
		}
		text = text[:len(text)-size]
	}
	return classNone
}

// addPairs adds what is sought of characters of a script without spaces, and
// reports whether what is found by that is sure.
func (q *Query) addPairs(text []byte) (sure bool) {
	runes := bytes.Runes(text)
	if len(runes) == 1 {
		if q.Prefix == "" {
			q.Prefix = string(runes)
		}
		return true
	}
	for i := range runes[1:] {
		q.Words = append(q.Words, string(runes[i:i+2]))
	}
	return len(runes) == 2
}

// piece is a part of a folded text that words are made of.
type piece struct {
	from, to int
	class    class
}

// piecesOf returns the words, signs and runs without spaces of a folded text.
func piecesOf(text []byte) (list []piece) {
	open := classNone
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		k := classOf(r)
		if k == classMark && (open == classLetter || open == classDense) {
			k = open
		}
		switch {
		case k == open && k != classNone && k != classSign:
			list[len(list)-1].to = i + size
		case k == classLetter || k == classDense || k == classSign:
			list = append(list, piece{i, i + size, k})
			open = k
		default:
			open = classNone
		}
		i += size
	}
	return list
}

// Finder looks for a query in texts. Its memory is kept for the next text. It is
// not safe for concurrent use.
type Finder struct {
	Query
	folder folder
	buf    []byte
}

// In reports whether a text holds what is searched for.
func (f *Finder) In(text string) bool {
	found, escaped := f.in(text, false), f.folder.escaped
	if !found && escaped { // the line ends in it may be written down as \n
		found = f.in(text, true)
	}
	if cap(f.buf) > keepBuffer {
		f.buf = nil
	}
	return found
}

// keepBuffer is the memory, in bytes, that a Finder keeps: messages that are
// longer are rare.
const keepBuffer = 1 << 20

func (f *Finder) in(text string, escapes bool) bool {
	f.buf = f.folder.fold(f.buf[:0], text, escapes)
	rest := f.buf
	at := 0
	for {
		n := bytes.Index(rest[at:], f.needle)
		if n < 0 {
			return false
		}
		at += n
		end := at + len(f.needle)
		if f.fits(rest, at, end) {
			return true
		}
		_, size := utf8.DecodeRune(rest[at:])
		at += size
	}
}

// fits reports whether what stands beside a place leaves its words whole.
func (f *Finder) fits(text []byte, at, end int) bool {
	if f.before && endsWord(text[:at]) {
		return false
	}
	if f.after && end < len(text) {
		if r, _ := utf8.DecodeRune(text[end:]); joins(r) {
			return false
		}
	}
	return true
}

// folder brings texts into the form in which they are compared.
type folder struct {
	escaped bool // the last text had a backslash before a letter for white space
}

// fold appends text, each character folded, each run of white space as one
// space and without colours, to dst. With escapes, \n and the like are white
// space.
func (f *folder) fold(dst []byte, text string, asSpace bool) []byte {
	text = composed(text)
	f.escaped = false
	start := len(dst)
	space := func() {
		if n := len(dst); n > start && dst[n-1] != ' ' {
			dst = append(dst, ' ')
		}
	}
	coloured := false // something was left out that stands between words
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			switch {
			case c == ' ' || c >= '\t' && c <= '\r':
				space()
				i++
				continue
			case c == esc:
				i, coloured = skipColour(text, i), true
				continue
			case c == '\\':
				n := i + 1
				for n < len(text) && text[n] == '\\' {
					n++
				}
				if n < len(text) && escapes(text[n]) {
					f.escaped = true
					if asSpace {
						space()
						i = n + 1
						continue
					}
				}
			}
			if low := lowered[c]; low != 0 {
				if coloured {
					dst = parted(dst, start, classLetter)
				}
				c = low
			}
			coloured = false
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if unicode.IsSpace(r) {
			space()
			continue
		}
		if r = fold(r); coloured {
			dst = parted(dst, start, classOf(r))
		}
		coloured = false
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// parted appends a space if a character of class next that followed would go on
// with a word, or with writing without spaces.
func parted(dst []byte, start int, next class) []byte {
	last := lastClass(dst[start:])
	if (last == classLetter || last == classDense) && (next == last || next == classMark) {
		dst = append(dst, ' ')
	}
	return dst
}
