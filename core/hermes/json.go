package hermes

import (
	"bytes"
	"strings"
	"unicode/utf16"

	"winnow/core/rawjson"
)

// AppendSpaced appends a JSON value the way Python's json.dumps writes it with
// ensure_ascii=False, which is how trajectories and chat templates have it: on
// one line, a blank after every comma and colon, only what JSON demands is
// escaped. Keys stand in the order recorded; of one that is repeated the last
// value counts, in the place of the first. Numbers stay as recorded, and so
// does the escape of half a surrogate pair, which no text can hold. If value is
// not one valid JSON value, nothing is appended and ok is false.
func AppendSpaced(dst []byte, value string) (out []byte, ok bool) {
	if !rawjson.Valid(value) {
		return dst, false
	}
	p := printer{src: value, dst: dst}
	p.value()
	return p.dst, true
}

// printer writes the valid JSON value src anew.
type printer struct {
	src string
	i   int
	dst []byte
	// fields are those written so far of the objects around the place that is
	// being written, the innermost last.
	fields []fieldAt
}

// fieldAt is the place of a field in what is written.
type fieldAt struct {
	from, colon, to int
	latest          int // index of the field whose value counts
	repeats         bool
}

func (p *printer) blanks() { p.i = passBlanks(p.src, p.i) }

func (p *printer) value() {
	p.blanks()
	switch p.src[p.i] {
	case '{':
		p.object()
	case '[':
		p.list()
	default:
		from := p.i
		p.i = rawjson.End(p.src, from)
		if token := p.src[from:p.i]; rawjson.IsText(token) {
			p.text(rawjson.Inner(token))
		} else {
			p.dst = append(p.dst, token...)
		}
	}
}

func (p *printer) list() {
	p.i++
	p.dst = append(p.dst, '[')
	for n := 0; !p.closed(']'); n++ {
		if n > 0 {
			p.i++ // the comma
			p.dst = append(p.dst, ',', ' ')
		}
		p.value()
	}
}

func (p *printer) object() {
	p.i++
	start, first, repeated := len(p.dst), len(p.fields), false
	p.dst = append(p.dst, '{')
	var seen map[string]int
	for n := 0; !p.closed('}'); n++ {
		if n > 0 {
			p.i++
			p.dst = append(p.dst, ',', ' ')
		}
		f := fieldAt{from: len(p.dst), latest: len(p.fields)}
		p.value()
		f.colon = len(p.dst)
		p.blanks()
		p.i++
		p.dst = append(p.dst, ':', ' ')
		before, known := p.find(first, &f, &seen)
		if known {
			f.repeats, repeated = true, true
			p.fields[before].latest = f.latest
		}
		p.fields = append(p.fields, f)
		p.value()
		p.fields[f.latest].to = len(p.dst)
	}
	if repeated {
		p.unrepeat(start, p.fields[first:], first)
	}
	p.fields = p.fields[:first]
}

// closed passes over a closing bracket if it is next.
func (p *printer) closed(bracket byte) bool {
	p.blanks()
	if p.src[p.i] != bracket {
		return false
	}
	p.i++
	p.dst = append(p.dst, bracket)
	return true
}

// find returns the first field of the object with the key of f. seen is made
// once there are many.
func (p *printer) find(first int, f *fieldAt, seen *map[string]int) (at int, known bool) {
	const few = 16 // real objects have fewer keys, and comparing is faster then
	key := p.dst[f.from:f.colon]
	if len(p.fields)-first < few {
		for at = first; at < len(p.fields); at++ {
			if o := &p.fields[at]; !o.repeats && bytes.Equal(p.dst[o.from:o.colon], key) {
				return at, true
			}
		}
		return 0, false
	}
	if *seen == nil {
		*seen = make(map[string]int)
		for i := first; i < len(p.fields); i++ {
			if o := &p.fields[i]; !o.repeats {
				(*seen)[string(p.dst[o.from:o.colon])] = i
			}
		}
	}
	if at, known = (*seen)[string(key)]; !known {
		(*seen)[string(key)] = f.latest
	}
	return at, known
}

// unrepeat writes the object that begins at start anew, each key once.
func (p *printer) unrepeat(start int, fields []fieldAt, first int) {
	written := bytes.Clone(p.dst[start:])
	p.dst = append(p.dst[:start], '{')
	for i, f := range fields {
		if f.repeats {
			continue
		}
		if i > 0 {
			p.dst = append(p.dst, ',', ' ')
		}
		p.dst = append(p.dst, written[f.from-start:f.colon-start]...)
		last := fields[f.latest-first]
		p.dst = append(p.dst, written[last.colon-start:last.to-start]...)
	}
	p.dst = append(p.dst, '}')
}

// text writes a string in its shortest form. raw stands between its quotes.
func (p *printer) text(raw string) {
	p.dst = append(p.dst, '"')
	for {
		n := strings.IndexByte(raw, '\\')
		if n < 0 {
			p.dst = append(append(p.dst, strings.ToValidUTF8(raw, "\uFFFD")...), '"')
			return
		}
		p.dst = append(p.dst, strings.ToValidUTF8(raw[:n], "\uFFFD")...)
		raw = raw[n:]
		r, size := rawjson.Escape(raw)
		if size == 2 && r != '/' || utf16.IsSurrogate(r) { // there is no shorter form
			p.dst = append(p.dst, raw[:size]...)
		} else {
			p.dst = append(p.dst, rawjson.Inner(rawjson.AppendString(nil, string(r)))...)
		}
		raw = raw[size:]
	}
}
