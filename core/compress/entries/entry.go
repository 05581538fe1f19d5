package entries

import (
	"errors"
	"fmt"
	"strings"

	"winnow/core/chat"
	"winnow/core/hermes"
	"winnow/core/rawjson"
)

// entry is a trajectory that is read: its turns, and messages that are made of them.
// It prices those by what the turns cost.
type entry struct {
	Counter
	text     string
	raw      []string // turns
	cost     []int    // of each
	tokens   int
	messages []chat.Message
	turns    map[int]*turn // of messages, by their numbers
}

// turn is what a turn became.
type turn struct {
	messages []chat.Message
	cost     []int // of each
	around   int   // what stands around a result, in tokens
}

// Errors of entries that cannot be read.
var (
	errNoTurns = errors.New("conversations is no list of turns")
	errNoValue = errors.New("value is no text")
)

// read reads the turns.
func (e *entry) read(c Counter) error {
	e.Counter = c
	list := rawjson.Get(e.text, "conversations")
	if !rawjson.IsList(list) {
		return errNoTurns
	}
	for raw := range rawjson.Elements(list) {
		from, value := "", ""
		for key, val := range rawjson.Members(raw) {
			switch {
			case key == "from" && from == "":
				from = val
			case key == "value" && value == "":
				value = val
			}
		}
		if !rawjson.IsObject(raw) || value != "" && !rawjson.IsText(value) && value != "null" {
			return fmt.Errorf("turn %d: %w", len(e.raw), errNoValue)
		}
		text, role := "", chat.System // what nobody knows stays
		if rawjson.IsText(value) {
			text = rawjson.Unquote(value)
		}
		if rawjson.IsText(from) {
			if known, ok := roles[rawjson.Unquote(from)]; ok {
				role = known
			}
		}
		e.raw = append(e.raw, raw)
		e.cost = append(e.cost, e.count(text))
		e.tokens += e.cost[len(e.cost)-1]
		e.add(role, text)
	}
	e.unpair()
	for i := range e.messages {
		m := &e.messages[i]
		t := e.turns[m.N]
		t.messages = append(t.messages, *m)
	}
	return nil
}

// add makes messages of a turn.
func (e *entry) add(role chat.Role, text string) {
	n := len(e.raw)
	t := &turn{cost: []int{e.cost[n-1]}}
	e.turns[n] = t
	one := []chat.Message{{Role: role, Content: text}}
	switch role {
	case chat.Assistant:
		if strings.Contains(text, "<tool_call>") {
			one, _ = hermes.Messages([]hermes.Turn{{From: hermes.Model, Value: text}})
		}
	case chat.Tool:
		one, _ = hermes.Messages([]hermes.Turn{{From: hermes.Tool, Value: text}})
		t.share(e, one)
	}
	for i := range one {
		one[i].N = n
		if len(one) > 1 {
			one[i].Part = i + 1
		}
	}
	e.messages = append(e.messages, one...)
}

// share deals what a turn costs to its results, by what they hold.
func (t *turn) share(e *entry, results []chat.Message) {
	whole, held := t.cost[0], 0
	t.cost = t.cost[:0]
	for i := range results {
		t.cost = append(t.cost, e.count(results[i].Content))
		held += t.cost[i]
	}
	t.around = max(0, whole-held) / len(results)
	for i := range t.cost {
		t.cost[i] += t.around
	}
	t.cost[0] += whole - held - t.around*len(results)
}

// unpair takes the calls off messages that have not as many results as calls, since
// these belong together by their places alone, and names results after their calls.
func (e *entry) unpair() {
	for i := range e.messages {
		m := &e.messages[i]
		if m.Role != chat.Assistant {
			continue
		}
		n := 0
		for k := i + 1; k < len(e.messages) && e.messages[k].Role == chat.Tool; k++ {
			if n < len(m.ToolCalls) && e.messages[k].Name == "" {
				e.messages[k].Name = m.ToolCalls[n].Name
			}
			e.messages[k].ToolCallID = ""
			n++
		}
		if n != len(m.ToolCalls) && n > 0 {
			m.ToolCalls = nil
		}
		for k := range m.ToolCalls {
			m.ToolCalls[k].ID = ""
		}
	}
}

// value is the text of a turn.
func (e *entry) value(at int) string { return rawjson.Unquote(rawjson.Get(e.raw[at], "value")) }

func (e *entry) count(text string) int {
	if text == "" {
		return 0
	}
	return e.Counter.Count(text)
}

// Text counts the tokens of a text.
func (e *entry) Text(text string) int { return e.count(text) }

// Rest is nothing: the tools stand in the turn of the system.
func (e *entry) Rest() int { return 0 }

// Message is what a message costs: that of a turn what its value does.
func (e *entry) Message(m *chat.Message) int {
	t := e.turns[m.N]
	if t == nil {
		return e.count(m.Content)
	}
	i := max(0, m.Part-1)
	if m.Content == t.messages[i].Content {
		return t.cost[i]
	}
	return t.around + e.count(m.Content)
}
