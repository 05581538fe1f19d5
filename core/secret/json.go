package secret

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxNested is how deep JSON in strings of JSON is taken apart. Agents that
// call agents make three levels.
const maxNested = 4

// find looks at a text, or at the strings of JSON, with what finds secrets in a
// text. names says that names of fields count.
func find(text string, inText func(string) []Hit, names bool) []Hit {
	f := finder{inText, names}
	return f.find(text, maxNested)
}

type finder struct {
	inText func(string) []Hit
	names  bool
}

func (f *finder) find(text string, depth int) []Hit {
	if depth > 0 && looksLikeJSON(text) {
		if hits, ok := f.inJSON(text, depth); ok {
			return hits
		}
	}
	hits := f.inText(text)
	if f.names && depth > 0 {
		if more := f.inEscapes(text, depth-1); len(more) > 0 {
			return Join(text, hits, more)
		}
	}
	return hits
}

func looksLikeJSON(text string) bool {
	text = strings.Trim(text, " \t\r\n")
	return len(text) > 1 && (text[0] == '{' && text[len(text)-1] == '}' || text[0] == '[' && text[len(text)-1] == ']')
}

// inJSON looks at a JSON value; ok is false if it is none.
func (f *finder) inJSON(value string, depth int) (hits []Hit, ok bool) {
	texts, spread, ok := jsonTexts(value)
	if !ok {
		return nil, false
	}
	if f.names {
		hits = inWriting(value, texts, spread, f.inText)
	}
	for i := range texts {
		t := &texts[i]
		hits = append(hits, f.inString(value, t, meaning(value[t.start:t.end]), depth)...)
	}
	return settle(value, hits), true
}

// inString looks at one string of a JSON value, which means the text plain.
func (f *finder) inString(value string, t *jsonText, plain string, depth int) (hits []Hit) {
	if f.named(t, plain) {
		hits = append(hits, Hit{Field, t.start + schemeLength(value[t.start:t.end]), t.end, true})
	}
	walk := escapes{raw: value[t.start:t.end]}
	for _, h := range f.find(plain, depth-1) {
		start := walk.plainPlace(h.Start)
		hits = append(hits, Hit{h.Rule, t.start + start, t.start + walk.plainPlace(h.End), true})
	}
	return hits
}

// named reports whether a string is a secret by the name of its field.
func (f *finder) named(t *jsonText, plain string) bool {
	return f.names && !t.name && secretValue(t.of, plain)
}

// FindInStrings returns the first secret in the strings of a JSON value, each
// looked at for itself, with the name of the field that it is in: what stands
// next to each other in a record, its format has put there. ok is false if the
// value is no JSON. clean are texts that Find has found nothing in: they are
// not looked at again.
func (s *Scanner) FindInStrings(value string, clean map[string]bool) (hit Hit, found, ok bool) {
	texts, _, ok := jsonTexts(value)
	if !ok || s.Load() != nil {
		return Hit{}, false, false
	}
	f := finder{s.findText, true}
	for i := range texts {
		t := &texts[i]
		plain := meaning(value[t.start:t.end])
		if clean[plain] && !f.named(t, plain) {
			continue
		}
		if hits := settle(value, f.inString(value, t, plain, maxNested+1)); len(hits) > 0 {
			return hits[0], true, true
		}
	}
	return Hit{}, false, true
}

// jsonText is a string of a JSON value: value[start:end], without quotes.
type jsonText struct {
	start, end int
	name       bool     // of a field
	of         strength // of the name of the field that it is in
}

// jsonTexts lists the strings of a JSON value in order. spread is true if
// there is more white space than one blank between its parts.
func jsonTexts(value string) (texts []jsonText, spread, ok bool) {
	dec := jsontext.NewDecoder(bytes.NewBufferString(value), jsontext.AllowDuplicateNames(true))
	var of []strength // of the fields that are open, by depth
	next := noName
	for last := 0; ; {
		kind := dec.PeekKind()
		if kind == 0 {
			break
		}
		if kind != '"' {
			if kind == '{' || kind == '[' {
				of = append(of, next)
			}
			if _, err := dec.ReadToken(); err != nil {
				return nil, false, false
			}
			if kind == '}' || kind == ']' {
				of = of[:len(of)-1]
			}
			next = inherited(dec, of)
			last = int(dec.InputOffset())
			continue
		}
		raw, err := dec.ReadValue()
		if err != nil {
			return nil, false, false
		}
		end := int(dec.InputOffset())
		t := jsonText{start: end - len(raw) + 1, end: end - 1, of: next}
		if t.start-1-last > 2 {
			spread = true
		}
		last = end
		if parent, length := dec.StackIndex(dec.StackDepth()); parent == '{' && length%2 == 1 {
			t.name, t.of = true, noName
			next = nameStrength(unescaped(value[t.start:t.end]))
		} else {
			next = inherited(dec, of)
		}
		texts = append(texts, t)
	}
	return texts, spread, dec.StackDepth() == 0 && int(dec.InputOffset())+trailing(value) == len(value)
}

func trailing(value string) int { return len(value) - len(strings.TrimRight(value, " \t\r\n")) }

// inherited returns what the name of a field says of the next value: entries
// of a list are of the field that the list is in.
func inherited(dec *jsontext.Decoder, of []strength) strength {
	if kind, _ := dec.StackIndex(dec.StackDepth()); kind == '[' && len(of) > 0 {
		return of[len(of)-1]
	}
	return noName
}

// inWriting looks at a JSON value as it is written, on one line: what stands in
// a string next to a name is known by that name, and formats write values into
// texts. Only what lies in strings counts.
func inWriting(value string, texts []jsonText, spread bool, find func(string) []Hit) (hits []Hit) {
	written, shift := value, []int(nil)
	if spread {
		written, shift = respaced(value, texts)
	}
	t := 0
	var walk escapes // of texts[t]
	for _, h := range find(written) {
		for ; t < len(texts) && texts[t].start+at(shift, t) < h.End; t++ {
			text := &texts[t]
			raw := value[text.start:text.end]
			if len(walk.raw) == 0 {
				walk.raw = raw
			}
			from, to := h.Start-at(shift, t)-text.start, h.End-at(shift, t)-text.start
			if from < len(raw) {
				start := walk.whole(max(0, from))
				if end := walk.whole(min(len(raw), to)); start < end {
					hits = append(hits, Hit{h.Rule, text.start + start, text.start + end, true})
				}
			}
			if to <= len(raw) {
				break // the next hit may lie in the same string
			}
			walk = escapes{}
		}
	}
	return hits
}

func at(shift []int, i int) int {
	if shift == nil {
		return 0
	}
	return shift[i]
}

// respaced writes a JSON value with one blank at most between its parts. shift
// is how much farther each string stands then.
func respaced(value string, texts []jsonText) (string, []int) {
	var b strings.Builder
	b.Grow(len(value))
	shift := make([]int, len(texts))
	last := 0
	for i := range texts {
		t := &texts[i]
		b.WriteString(strings.Join(strings.Fields(value[last:t.start-1]), " "))
		shift[i] = b.Len() + 1 - t.start
		b.WriteString(value[t.start-1 : t.end+1])
		last = t.end + 1
	}
	b.WriteString(value[last:])
	return b.String(), shift
}

// short are what the letters of short escapes mean.
var short = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// meaning is unescaped of a string that is valid, and faster.
func meaning(raw string) string {
	at := strings.IndexByte(raw, '\\')
	if at < 0 {
		return raw
	}
	var plain strings.Builder
	plain.Grow(len(raw))
	for rest := raw; ; at = strings.IndexByte(rest, '\\') {
		if at < 0 {
			plain.WriteString(rest)
			return plain.String()
		}
		if at+1 == len(rest) || short[rest[at+1]] == 0 {
			return unescaped(raw)
		}
		plain.WriteString(rest[:at])
		plain.WriteByte(short[rest[at+1]])
		rest = rest[at+2:]
	}
}

// unescaped returns the text that a string of JSON means. What is not valid,
// such as half of an escape, stays.
func unescaped(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	quoted := make([]byte, 0, len(raw)+2)
	quoted = append(append(append(quoted, '"'), raw...), '"')
	plain, err := jsontext.AppendUnquote(make([]byte, 0, len(raw)), quoted)
	if err != nil {
		return raw
	}
	return string(plain)
}

// escapeLength returns the length of the escape at a place of a string of JSON
// and of what it means, both 1 for what is none.
func escapeLength(raw string, at int) (length, plain int) {
	if raw[at] != '\\' || at+1 >= len(raw) {
		return 1, 1
	}
	if raw[at+1] != 'u' || at+6 > len(raw) {
		return 2, 1
	}
	r := hexRune(raw[at+2 : at+6])
	if r >= 0xD800 && r < 0xDC00 && at+12 <= len(raw) && raw[at+6] == '\\' {
		return 12, 4
	}
	return 6, utf8.RuneLen(max(r, 0))
}

func hexRune(digits string) (r rune) {
	for i := range len(digits) {
		c := lower(digits[i])
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		default:
			return -1
		}
	}
	return r
}

// escapes walks a string of JSON and the text that it means at the same time.
type escapes struct {
	raw       string
	at, plain int
}

// plainPlace returns where the text's byte number plain stands in the string.
// Places must not go back.
func (e *escapes) plainPlace(plain int) int {
	for e.plain < plain && e.at < len(e.raw) {
		e.step()
	}
	return e.at
}

// whole returns a place of the string, behind the escape that it lies in.
// Places must not go back.
func (e *escapes) whole(at int) int {
	for e.at < at && e.at < len(e.raw) {
		e.step()
	}
	return e.at
}

func (e *escapes) step() {
	length, plain := escapeLength(e.raw, e.at)
	e.at += length
	e.plain += plain
}
