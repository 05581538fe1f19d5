package metric

import (
	"hash/maphash"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/rawjson"
)

// call is a call of a tool, without its text.
type call struct {
	n       int    // number of its message
	tool    int    // row of the tool table
	id      uint64 // hash of its id, 0 without one
	key     uint64 // equal for calls of the same tool with the same arguments
	fault   fault
	effects effects
	judges  outcome.Call // what its result is judged by
	about   kind         // what work its file or command belongs to
	hands   bool         // it gives the work to a person
}

// fault is what is wrong with a call as it stands.
type fault uint8

const (
	sound     fault = iota
	nameless        // the tool has no name
	malformed       // the arguments are no JSON object
)

// pairing finds the call that a tool result answers.
type pairing struct {
	seed  maphash.Seed
	open  []call // not answered yet, in order
	lost  int    // calls that left open because they were too many
	from  int    // number of the message that began the last step
	joins bool   // an assistant's message would belong to that step
	buf   []byte // of a value, reused
}

// openMost bounds the calls that wait for a result: no agent makes so many at
// once, and a search among them stays cheap.
const openMost = 512

// made takes the calls of an assistant's message. Neighbouring messages of the
// assistant are one step.
func (p *pairing) made(dst []call, n int, m *chat.Message, tools *toolTable) []call {
	if !p.joins {
		p.from, p.joins = n, true
	}
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		made := call{n: n, tool: tools.row(c.Name), id: p.id(c.ID)}
		p.arguments(&made, c, tools.info(made.tool))
		made.judges = outcome.CallOf(c.Name, c.Arguments)
		tools.called(made.tool)
		dst = append(dst, made)
	}
	p.open = append(p.open, dst...)
	if over := len(p.open) - openMost; over > 0 {
		p.lost += over
		p.open = append(p.open[:0], p.open[over:]...)
	}
	return dst
}

func (p *pairing) id(id string) uint64 {
	if id == "" {
		return 0
	}
	return maphash.String(p.seed, id) | 1
}

// answered takes the call off the open ones that a result answers: the latest
// with its id; without an id, or for calls that have none, the first open one
// of the last step.
func (p *pairing) answered(m *chat.Message, tools *toolTable) (call, bool) {
	id := p.id(m.ToolCallID)
	if id != 0 {
		for i := len(p.open) - 1; i >= 0; i-- {
			if p.open[i].id == id {
				return p.take(i), true
			}
		}
	}
	for i := range p.open {
		c := &p.open[i]
		if c.n < p.from || id != 0 && (c.id != 0 || m.Name != "" && tools.row(m.Name) != c.tool) {
			continue
		}
		return p.take(i), true
	}
	return call{}, false
}

func (p *pairing) take(i int) call {
	c := p.open[i]
	p.open = append(p.open[:i], p.open[i+1:]...)
	return c
}

// arguments reads the arguments of a call once: whether they are an object,
// what the call is known by, and what it may change. The order of the members
// and the space between tokens tell no calls apart.
func (p *pairing) arguments(made *call, c *chat.ToolCall, tool *toolInfo) {
	made.key, made.effects, made.about = maphash.String(p.seed, c.Name), tool.effects, kindNone
	made.hands = tool.hands
	if strings.TrimSpace(c.Name) == "" {
		made.fault = nameless
	}
	text := strings.TrimSpace(c.Arguments)
	if text == "" || text == "null" {
		return // recorders write nothing for a tool without parameters
	}
	if !chat.IsObject(text) {
		made.key ^= maphash.String(p.seed, text)
		if made.fault == sound {
			made.fault = malformed
		}
		return
	}
	var sum uint64
	for name, value := range rawjson.Pairs(text) {
		sum += maphash.String(p.seed, name) * (p.value(value) | 1)
		switch {
		case tool.shell && isCommand(name):
			made.effects, made.about = commandEffects(value), commandKind(value)
		case slices.Contains(pathMembers, name):
			made.about = pathKind(value)
		}
	}
	made.key ^= sum*0x9E3779B97F4A7C15 + 1
}

// value hashes a JSON value: of lists and objects without the space between
// their tokens.
func (p *pairing) value(json string) uint64 {
	if json == "" || json[0] != '{' && json[0] != '[' {
		return maphash.String(p.seed, json)
	}
	p.buf = p.buf[:0]
	for from, end := rawjson.Token(json, 0); from < end; from, end = rawjson.Token(json, end) {
		p.buf = append(p.buf, json[from:end]...)
	}
	hash := maphash.Bytes(p.seed, p.buf)
	if cap(p.buf) > bufMost {
		p.buf = nil
	}
	return hash
}

// bufMost is the largest memory, in bytes, that is kept for values.
const bufMost = 1 << 20
