package store

import (
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// value is a JSON value whose parts can be changed: an object if it has names,
// a list if list is set, else what stands in text.
type value struct {
	text  string
	list  bool
	names []string // quoted, one for each part of an object
	parts []*value
}

func (v *value) object() bool    { return v.names != nil }
func (v *value) container() bool { return v.list || v.object() }

func (v *value) clone() *value {
	c := &value{text: v.text, list: v.list, names: slices.Clone(v.names)}
	for _, p := range v.parts {
		c.parts = append(c.parts, p.clone())
	}
	return c
}

func (v *value) append(b []byte) []byte {
	if !v.container() {
		return append(b, v.text...)
	}
	ends := "{}"
	if v.list {
		ends = "[]"
	}
	b = append(b, ends[0])
	for i, p := range v.parts {
		if i > 0 {
			b = append(b, ',')
		}
		if v.object() {
			b = append(append(b, v.names[i]...), ':')
		}
		b = p.append(b)
	}
	return append(b, ends[1])
}

// valuesOf reads the values of a source up to what is none.
func valuesOf(src []byte) (list []*value) {
	d := jsontext.NewDecoder(bytes.NewReader(src), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		v, err := readValue(d)
		if err != nil {
			return list
		}
		list = append(list, v)
	}
}

func readValue(d *jsontext.Decoder) (*value, error) {
	kind := d.PeekKind()
	if kind != '{' && kind != '[' {
		raw, err := d.ReadValue()
		if err == io.EOF || err != nil {
			return nil, err
		}
		return &value{text: string(raw)}, nil
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	v := &value{list: kind == '['}
	if !v.list {
		v.names = []string{}
	}
	for end := d.PeekKind(); end != '}' && end != ']'; end = d.PeekKind() {
		if !v.list {
			name, err := d.ReadValue()
			if err != nil {
				return nil, err
			}
			v.names = append(v.names, string(name))
		}
		p, err := readValue(d)
		if err != nil {
			return nil, err
		}
		v.parts = append(v.parts, p)
	}
	_, err := d.ReadToken()
	return v, err
}

// mutator changes sources as no recorder would write them, but as crashes,
// merges and other programs leave them.
type mutator struct {
	*rand.Rand
	lines []*value // of the source
	other []*value // of another one of the same format
}

// strays are what may stand anywhere instead of what belongs there.
var strays = [...]string{
	`null`, `true`, `false`, `0`, `-1`, `1e400`, `12345678901234567890`, `""`, `"x"`, `" "`, `[]`, `{}`, `[null]`, `[[]]`, `["x",7]`,
	`{"type":"text","text":"t"}`, `{"type":"tool_use","id":"t1","name":"Bash","input":{}}`, `{"type":"tool_result","tool_use_id":"t1","content":"r"}`,
	`"\ud800"`, `"\u0000"`, `"assistant"`, `"user"`, `"tool"`, `"system"`, `"2026-05-03T10:00:00Z"`, `"gone"`,
}

// mutate returns a source with a few changes; now and then with many.
func (m *mutator) mutate() []byte {
	n := 1 + m.IntN(5)
	if m.IntN(8) == 0 {
		n = 10 + m.IntN(40)
	}
	for range n {
		if len(m.lines) == 0 || m.IntN(3) == 0 {
			m.lines = m.order(m.lines)
		} else {
			m.change(m.pick(m.lines))
		}
	}
	return m.write()
}

func (m *mutator) pick(list []*value) *value { return list[m.IntN(len(list))] }

// inside returns a container in v, v itself perhaps; nil if there is none.
func (m *mutator) inside(v *value) *value {
	for v.container() {
		var deeper []*value
		for _, p := range v.parts {
			if p.container() {
				deeper = append(deeper, p)
			}
		}
		if len(deeper) == 0 || m.IntN(3) == 0 {
			return v
		}
		v = m.pick(deeper)
	}
	return nil
}

// change changes something in a value.
func (m *mutator) change(line *value) {
	v := m.inside(line)
	if v == nil || len(v.parts) == 0 {
		return
	}
	if v.list && m.IntN(2) == 0 {
		v.parts = m.order(v.parts)
		return
	}
	i := m.IntN(len(v.parts))
	switch m.IntN(8) {
	case 0:
		v.parts = slices.Delete(v.parts, i, i+1)
		if v.object() {
			v.names = slices.Delete(v.names, i, i+1)
		}
	case 1: // one name twice
		if v.object() {
			v.names, v.parts = append(v.names, v.names[i]), append(v.parts, m.some())
		}
	case 2:
		v.parts[i] = &value{text: strays[m.IntN(len(strays))]}
	case 3:
		v.parts[i] = m.some()
	case 4:
		if v.object() {
			v.names[i] = v.names[m.IntN(len(v.names))]
		}
	case 5:
		v.parts[i] = &value{list: true, parts: []*value{v.parts[i]}}
	default:
		m.relink(v)
	}
}

// some returns a copy of a value from anywhere.
func (m *mutator) some() *value {
	v := m.inside(m.pick(m.lines))
	if v == nil || len(v.parts) == 0 {
		return &value{text: "{}"}
	}
	return m.pick(v.parts).clone()
}

// ids are the names of what identifies entries, messages, calls and sessions,
// or refers to them, in all formats.
var ids = [...]string{
	"uuid", "parentUuid", "logicalParentUuid", "leafUuid", "sessionId", "agentId", "id", "parentId", "parent_id", "tool_use_id", "tool_call_id",
	"toolCallId", "call_id", "session_id", "parent_tool_use_id", "source_call_id", "step_id", "firstKeptEntryId",
}

// relink makes entries refer to others: to each other, to themselves, to none,
// or to have the id of another.
func (m *mutator) relink(v *value) {
	var own []int
	for i, name := range v.names {
		if name, err := strconv.Unquote(name); err == nil && slices.Contains(ids[:], name) {
			own = append(own, i)
		}
	}
	if len(own) == 0 {
		return
	}
	i := own[m.IntN(len(own))]
	if m.IntN(8) == 0 {
		v.parts[i] = &value{text: `"gone` + strconv.Itoa(m.IntN(3)) + `"`}
		return
	}
	from := v
	if m.IntN(4) > 0 {
		from = m.pick(m.lines)
	}
	var found []*value
	for k, name := range from.names {
		if name == v.names[i] && m.IntN(2) == 0 || slices.Contains(ids[:], name[1:len(name)-1]) {
			found = append(found, from.parts[k])
		}
	}
	if len(found) > 0 {
		v.parts[i] = m.pick(found).clone()
	}
}

// order drops, doubles, swaps or adds some of a list.
func (m *mutator) order(list []*value) []*value {
	if len(list) == 0 {
		return append(list, m.pick(m.other).clone())
	}
	a, b := m.IntN(len(list)), m.IntN(len(list))
	switch m.IntN(7) {
	case 0:
		return slices.Delete(list, a, a+1)
	case 1:
		return slices.Insert(list, b, list[a].clone())
	case 2, 3:
		list[a], list[b] = list[b], list[a]
	case 4:
		return slices.Insert(list, a, m.pick(m.other).clone())
	case 5: // a stretch again
		a, b = min(a, b), min(max(a, b)+1, min(a, b)+6)
		again := make([]*value, 0, b-a)
		for _, v := range list[a:b] {
			again = append(again, v.clone())
		}
		return append(list, again...)
	case 6: // what is in the middle, to the end
		v := list[a]
		return append(slices.Delete(list, a, a+1), v)
	}
	return list
}

// write returns the source, mostly a value on each line.
func (m *mutator) write() []byte {
	var b []byte
	odd := m.IntN(3) == 0
	for i, v := range m.lines {
		if odd {
			b = append(b, m.between(i)...)
		}
		from := len(b)
		b = v.append(b)
		if odd && m.IntN(12) == 0 {
			var pretty bytes.Buffer
			if raw := jsontext.Value(slices.Clone(b[from:])); raw.Indent(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) == nil {
				pretty.Write(raw)
				b = append(b[:from], pretty.Bytes()...)
			}
		}
		if !odd || m.IntN(10) > 0 {
			b = append(b, '\n') // else the next one is glued to it
		}
	}
	if odd {
		b = m.spoil(b)
	}
	return b
}

// between is what may stand between two lines.
func (m *mutator) between(line int) string {
	list := [...]string{"\n", "  \t\n", "\r\n", "\x00\x00", "\uFEFF", ",", "]\n", "[\n", "null\n", "\"x\"\n", "7 {\n", "\xff\xfe\n"}
	if line == 0 || m.IntN(10) > 0 {
		return ""
	}
	return list[m.IntN(len(list))]
}

// spoil damages the bytes of a source, and its end.
func (m *mutator) spoil(b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	at := m.IntN(len(b))
	switch m.IntN(8) {
	case 0:
		b[at] ^= 1 << m.IntN(8)
	case 1:
		b = b[:at]
	case 2:
		b = slices.Delete(b, at, min(len(b), at+1+m.IntN(200)))
	case 3:
		b = append(b, "  \t "...)
	case 4:
		b = append(b, make([]byte, m.IntN(40))...)
	case 5:
		b = bytes.TrimRight(b, "\n")
	}
	return b
}
