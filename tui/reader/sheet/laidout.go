package sheet

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/clean"
	"winnow/core/rawjson"
)

// Most is the size of JSON that is laid out among other texts, in bytes.
const Most = 256 << 10

// nestedMost is how deep JSON inside of strings of JSON is laid out.
const nestedMost = 3

// Of lays out one JSON value, or several, with what JSON their strings hold. It
// returns nil for what is larger than Most, no JSON, or would not be shown whole.
// It takes time linear in value.
func Of(value string) *Sheet {
	if len(value) > Most {
		return nil
	}
	s := &jsonSheet{nested: nestedMost, spelled: true}
	if !s.layOut([]byte(value)) || s.cut > 0 {
		return nil
	}
	return &s.Sheet
}

// jsonWithin returns the object or list that a string of JSON holds, nil for
// strings that hold anything else, or little.
func jsonWithin(raw []byte) []byte {
	if len(raw) < inlineMost {
		return nil
	}
	inner := bytes.TrimLeft(raw[1:len(raw)-1], " ")
	if inner = bytes.TrimPrefix(inner, []byte(`\n`)); len(inner) == 0 || inner[0] != '{' && inner[0] != '[' {
		return nil
	}
	value := strings.TrimSpace(rawjson.Unquote(string(raw)))
	if len(value) < inlineMost || !rawjson.Valid(value) {
		return nil
	}
	return []byte(value)
}

// inside appends JSON that a string holds, between the quotes of the string.
func (s *jsonSheet) inside(value []byte) {
	flat := s.flat
	s.nested--
	s.flat = 0
	s.WriteByte('"')
	s.tokens(value)
	s.WriteByte('"')
	s.flat = flat
	s.nested++
}

// object appends a text that is a JSON object or list; false if it is none.
func (s *Sheet) object(text string) bool {
	if text = strings.TrimSpace(text); text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	of := Of(text)
	if of != nil {
		s.laid(of)
	}
	return of != nil
}

// laid appends what was laid out.
func (s *Sheet) laid(of *Sheet) {
	if s.Len() > 0 {
		s.WriteByte('\n')
	}
	at := s.Len()
	for _, part := range of.Sections {
		s.Sections = append(s.Sections, Section{at + part.From, part.Kind})
	}
	for _, t := range of.Tables {
		s.Tables = append(s.Tables, t.moved(at))
	}
	s.WriteString(of.String())
}

const (
	// embeddedTries is how often what looks like JSON may be none before a text
	// is taken for one without, and embeddedScans how many times its size is read
	// for that at most.
	embeddedTries, embeddedScans = 64, 2
)

// Prose lays out a text, recorded as it is, that has JSON in it: a value that
// ends a line, and is alone in it or after a few words. It returns nil for a text
// without any, and for one larger than Most.
func Prose(text string) *Sheet {
	s := &Sheet{}
	if !s.prose(text) {
		return nil
	}
	return s
}

// prose appends a text that is not clean yet, with the JSON in it laid out.
// It reports whether there was any.
func (s *Sheet) prose(text string) (found bool) {
	if len(text) > Most {
		return false
	}
	tries, budget := embeddedTries, embeddedScans*len(text)
	done := 0 // up to here text is appended
	for at := 0; at < len(text) && tries > 0 && budget > 0; {
		line, _, _ := strings.Cut(text[at:], "\n")
		next := at + len(line) + 1
		if i := embedded(line); i >= 0 {
			size, read := valueSize(text[at+i:])
			budget -= read
			if size == 0 {
				tries--
			}
			end := at + i + size
			rest, _, _ := strings.Cut(text[min(end, len(text)):], "\n")
			if size >= inlineMost && strings.TrimSpace(rest) == "" {
				if of := Of(text[at+i : end]); of != nil {
					if before := text[done : at+i]; strings.TrimSpace(before) != "" {
						s.put(PlainLines, Body(before))
					}
					s.laid(of)
					found, done, next = true, end, end+len(rest)+1
				}
			}
		}
		at = next
	}
	if rest := Body(text[min(done, len(text)):]); found && rest != "" {
		s.put(PlainLines, rest)
	}
	return found
}

// embedded returns where JSON may begin in a line, -1 for nowhere: what begins the
// line, or else the first object with a name, or list of such.
func embedded(line string) int {
	if i := len(line) - len(strings.TrimLeft(line, " \t")); i < len(line) && (line[i] == '{' || line[i] == '[') {
		return i
	}
	i := strings.Index(line, `{"`)
	if i > 0 && line[i-1] == '[' {
		i--
	}
	return i
}

// valueSize returns the size of the JSON object or list that a text begins with, 0
// if there is none, and how much of the text was read to tell.
func valueSize(text string) (size, read int) {
	dec := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	err := dec.SkipValue()
	read = int(dec.InputOffset())
	if err != nil {
		return 0, max(read, inlineMost)
	}
	return read, read
}

// Indented returns a JSON text over several lines, as clean text: order of
// keys, numbers and strings stay as recorded. It returns "" for what is too
// large or no JSON.
func Indented(text string) string {
	if len(text) > Most {
		return ""
	}
	v := jsontext.Value(text)
	err := v.Indent(jsontext.WithIndent("  "), jsontext.PreserveRawStrings(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return ""
	}
	return clean.Text(string(v))
}
