package origin

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

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
	p.look(bytes.TrimSpace(text), "", 0)
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
	switch {
	case depth > partDepth:
	case rawjson.IsList(value):
		p.list(value, name, depth)
	default:
		for member, v := range rawjson.Members(value) {
			if below := string(member); rawjson.IsList(v) || rawjson.IsObject(v) {
				if name != "" {
					below = name + "." + below
				}
				p.look(v, below, depth+1)
			}
		}
	}
}

// list weighs the objects of a list. Lists in them are lists of parts of a
// message, which say less of it than it does.
func (p *parts) list(value []byte, name string, depth int) {
	objects := slices.Collect(rawjson.Elements(value))
	for i, o := range objects {
		if !rawjson.IsObject(o) {
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
func (p *parts) in(object []byte) (n int) {
	found := make([]bool, len(p.needles))
	for from, end := rawjson.Token(object, 0); from < end; from, end = rawjson.Token(object, end) {
		if end-from < len(`""`) || object[from] != '"' {
			continue
		}
		text := rawjson.Unquote(object[from:end])
		if !utf8.ValidString(text) {
			text = string([]rune(text)) // as what is invalid was mended when it was read
		}
		for i, needle := range p.needles {
			if !found[i] && strings.Contains(text, needle) {
				found[i] = true
				n++
			}
		}
	}
	return n
}
