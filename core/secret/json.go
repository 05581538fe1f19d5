package secret

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/rawjson"
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
		hits = append(hits, f.inString(value, t, rawjson.Unescape(value[t.start:t.end]), depth)...)
	}
	return joined(value, hits), true
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
		plain := rawjson.Unescape(value[t.start:t.end])
		if clean[plain] && !f.named(t, plain) {
			continue
		}
		if hits := joined(value, f.inString(value, t, plain, maxNested+1)); len(hits) > 0 {
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

// jsonTexts lists the strings of JSON values in order: of one, or of several in
// a row. spread is true if there is more white space than one blank between
// their parts.
func jsonTexts(value string) (texts []jsonText, spread, ok bool) {
	if !valid(value) {
		return nil, false, false
	}
	type level struct {
		list bool
		of   strength // of the name of the field that it is in
	}
	open := []level{{}}
	next, naming, last := noName, false, 0
	for from, end := rawjson.Token(value, 0); from < end; from, end = rawjson.Token(value, end) {
		in := open[len(open)-1]
		switch c := value[from]; c {
		case ',', ':':
			naming = c == ',' && !in.list
			continue
		case '{', '[':
			in = level{c == '[', next}
			open, naming = append(open, in), c == '{'
		case '}', ']':
			open, naming = open[:len(open)-1], false
			in = open[len(open)-1]
		case '"':
			spread = spread || from-last > 2
			t := jsonText{start: from + 1, end: end - 1, name: naming, of: next}
			texts = append(texts, t)
			if naming {
				next, last = nameStrength(rawjson.Unescape(value[t.start:t.end])), end
				continue
			}
		}
		next, last = noName, end
		if in.list {
			next = in.of // entries of a list are of the field that the list is in
		}
	}
	return texts, spread, true
}

// valid reports whether a text is JSON values in a row, without the defects that
// a reader would have to mend.
func valid(text string) bool {
	var s rawjson.Scanner
	for rest := []byte(text); len(rest) > 0; rest = rest[s.End:] {
		s.Reset()
		if p := s.Scan(rest, true); p != rawjson.Done && p != rawjson.TooWide {
			return p == rawjson.More && len(bytes.TrimSpace(rest)) == 0
		}
		if !s.Clean(rest[:s.End]) {
			return false
		}
	}
	return true
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

// unescaped returns the text that a string of JSON means. What is not valid,
// such as half of an escape, stays.
func unescaped(raw string) string {
	quoted := `"` + raw + `"`
	if strings.IndexByte(raw, '\\') < 0 || !jsontext.Value(quoted).IsValid() {
		return raw
	}
	return rawjson.Unescape(raw)
}

// escapeLength returns the length of the escape at a place of a string of JSON
// and of what it means, both 1 for what is none.
func escapeLength(raw string, at int) (length, plain int) {
	if raw[at] != '\\' || at+1 >= len(raw) {
		return 1, 1
	}
	if r, n := rawjson.Escape(raw[at:]); n > 0 {
		return n, utf8.RuneLen(r)
	}
	return 2, 1
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

// whole returns a place of the string, after the escape that it lies in.
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
