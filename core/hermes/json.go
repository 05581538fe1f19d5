package hermes

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
)

// AppendSpaced appends a JSON value the way Python's json.dumps writes it with
// ensure_ascii=False, which is how trajectories and chat templates have it: on
// one line, a blank behind every comma and colon, only what JSON demands is
// escaped. Keys stand in the order recorded; of one that is repeated the last
// value counts, in the place of the first. Numbers stay as recorded, and so
// does the escape of half a surrogate pair, which no text can hold. If value is
// not one valid JSON value, nothing is appended and ok is false.
func AppendSpaced(dst []byte, value string) (out []byte, ok bool) {
	v := jsontext.Value(value)
	if !v.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return dst, false
	}
	p := printer{src: v, dst: dst}
	p.value()
	return p.dst, true
}

// printer writes the valid JSON value src anew.
type printer struct {
	src []byte
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

func (p *printer) blanks() {
	for p.i < len(p.src) && isBlank(p.src[p.i]) {
		p.i++
	}
}

// isBlank reports whether a byte is white space of JSON.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func (p *printer) value() {
	p.blanks()
	switch p.src[p.i] {
	case '{':
		p.object()
	case '[':
		p.list()
	case '"':
		p.text()
	default:
		from := p.i
		for p.i < len(p.src) && strings.IndexByte(",]} \t\r\n", p.src[p.i]) < 0 {
			p.i++
		}
		p.dst = append(p.dst, p.src[from:p.i]...)
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

// text writes a string in its shortest form.
func (p *printer) text() {
	end := p.i + 1
	for p.src[end] != '"' {
		if p.src[end] == '\\' {
			end++
		}
		end++
	}
	raw := p.src[p.i+1 : end]
	p.i = end + 1
	p.dst = append(p.dst, '"')
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			p.plain(raw)
			p.dst = append(p.dst, '"')
			return
		}
		p.plain(raw[:n])
		raw = p.escape(raw[n:])
	}
}

// plain writes characters that stand for themselves.
func (p *printer) plain(raw []byte) {
	if !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	p.dst = append(p.dst, raw...)
}

// escape writes the character whose escape raw begins with, and returns what
// follows it.
func (p *printer) escape(raw []byte) (rest []byte) {
	switch raw[1] {
	case 'u':
		return p.codePoint(raw)
	case '/':
		p.dst = append(p.dst, '/')
	default: // there is no shorter form
		p.dst = append(p.dst, raw[:2]...)
	}
	return raw[2:]
}

// codePoint writes the character whose escape by number raw begins with.
func (p *printer) codePoint(raw []byte) (rest []byte) {
	n := 6
	if high := raw[2] == 'd' || raw[2] == 'D'; high && strings.IndexByte("89abAB", raw[3]) >= 0 &&
		len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
		n = 12
	}
	for {
		quoted := append(append([]byte{'"'}, raw[:n]...), '"')
		text, err := jsontext.AppendUnquote(nil, quoted)
		if err == nil {
			quoted = chat.AppendString(nil, string(text))
			p.dst = append(p.dst, quoted[1:len(quoted)-1]...)
			return raw[n:]
		}
		if n < 12 { // half of a pair
			p.dst = append(p.dst, raw[:n]...)
			return raw[n:]
		}
		n = 6
	}
}
