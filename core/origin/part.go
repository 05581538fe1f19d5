package origin

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
)

// asRecorded is how recorded JSON is read: nothing about it is judged.
var asRecorded = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

const (
	// partDepth is how deep the list of messages may stand in a conversation.
	partDepth = 4
	// needleBytes is how much of a text is looked for.
	needleBytes = 200
)

// partOf returns the part of a recorded conversation that a message was read
// from, and its name, as in "messages[3]"; "" if it was not found. of is the
// number of messages of the session.
func partOf(text []byte, m *chat.Message, of int) (part []byte, name string) {
	p := parts{needles: needlesOf(m), at: m.N - 1, of: of}
	if len(p.needles) == 0 {
		return nil, ""
	}
	p.look(text, "", 0)
	return p.best, p.name
}

// needlesOf returns what tells a message: ids of its calls first.
func needlesOf(m *chat.Message) (needles []string) {
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" {
			needles = append(needles, text[:min(len(text), needleBytes)])
		}
	}
	add(m.ToolCallID)
	for i := range m.ToolCalls {
		add(m.ToolCalls[i].ID)
		add(m.ToolCalls[i].Name)
	}
	add(m.Content)
	add(m.Reasoning)
	return needles
}

// parts is a search for a message in a conversation.
type parts struct {
	needles []string
	at, of  int // the message's place, and the number of messages

	best        []byte
	name        string
	found, away int // needles in the best part, and how far it is from where one expects it
}

// look goes through a value for lists of objects.
func (p *parts) look(value []byte, name string, depth int) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(value), asRecorded...)
	switch kind := dec.PeekKind(); {
	case depth > partDepth || kind != '{' && kind != '[':
		return
	case kind == '[':
		p.list(value, name, depth)
		return
	}
	if _, err := dec.ReadToken(); err != nil {
		return
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return
		}
		member := key.String()
		if name != "" {
			member = name + "." + member
		}
		v, err := dec.ReadValue()
		if err != nil {
			return
		}
		if k := v.Kind(); k == '{' || k == '[' {
			p.look(bytes.Clone(v), member, depth+1)
		}
	}
}

// list weighs the objects of a list. Lists in them are lists of parts of a
// message, which say less of it than it does.
func (p *parts) list(value []byte, name string, depth int) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(value), asRecorded...)
	if _, err := dec.ReadToken(); err != nil {
		return
	}
	var objects [][]byte
	for k := dec.PeekKind(); k != ']' && k != 0; k = dec.PeekKind() {
		v, err := dec.ReadValue()
		if err != nil {
			break
		}
		objects = append(objects, bytes.Clone(v))
	}
	for i, o := range objects {
		if jsontext.Value(o).Kind() != '{' {
			continue
		}
		found := p.in(o)
		if found == 0 {
			continue
		}
		want := p.at
		if p.of > 0 && len(objects) != p.of {
			want = p.at * len(objects) / p.of
		}
		away := max(i-want, want-i)
		if found > p.found || found == p.found && away < p.away {
			p.best, p.name, p.found, p.away = o, name+"["+strconv.Itoa(i)+"]", found, away
		}
	}
	if p.name == "" {
		for i, o := range objects {
			p.look(o, name+"["+strconv.Itoa(i)+"]", depth+1)
		}
	}
}

// in counts the needles that stand in the strings of an object.
func (p *parts) in(object []byte) int {
	found := make([]bool, len(p.needles))
	dec := jsontext.NewDecoder(bytes.NewBuffer(object), asRecorded...)
	for {
		t, err := dec.ReadToken()
		if err != nil {
			break
		}
		if t.Kind() != '"' {
			continue
		}
		text := t.String()
		for i, needle := range p.needles {
			found[i] = found[i] || strings.Contains(text, needle)
		}
	}
	n := 0
	for _, ok := range found {
		if ok {
			n++
		}
	}
	return n
}
