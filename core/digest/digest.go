// Package digest makes of a long run of messages what a person needs to judge
// it: each prompt, a line per step of the work between, the last answer of each
// turn.
//
// A Draft takes the messages one by one and keeps pieces of them only, so that a
// session of any size may be read; Lay makes lines of it for a width, as many as
// are allowed. Prompts, failures that were never made good, and the last answer
// come first; what is left goes to what changed something, then to the other
// answers, then to what was only looked at.
//
// It knows neither a terminal nor the store. It imports core/chat, core/clean,
// core/outcome, core/phrases, core/rawjson and core/voice; cells are counted as terminals do.
package digest

import (
	"strings"
	"time"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/voice"
)

// Draft is what is kept of messages for a digest. The zero Draft has none. It is
// for one goroutine until it has all messages; Lay changes nothing.
type Draft struct {
	ear         voice.Ear
	first, last int // message numbers, 0 without one
	count       int // of messages: numbers of dropped ones are missing, added ones repeat theirs
	system      *speech
	turns       []*turn
	waiting     map[string]*call   // calls without a result, by id
	failed      map[uint64][]*call // failures left open, by what they did
	before      time.Time          // of the message before
	begin       time.Time
}

// turn is a prompt and what follows it, up to the next one. The first may have
// no prompt.
type turn struct {
	prompt *speech
	beats  []*beat
	answer int // index of the last beat that says something, -1
	said   *speech
}

// beat is a message of the assistant with the results of its calls, or a mark
// between them.
type beat struct {
	from, to     int
	words        string // the first words said, or thought
	thought      bool   // they were thought only
	mark         string // a compaction, an interruption: no message of the assistant
	calls        []*call
	maybe        *call     // what it calls if a result follows, in text
	before, last time.Time // of the message before, and of its last one
}

// Take adds the next message, as curators left it: those that are dropped don't come,
// those that were added follow with the number of the one before them.
func (d *Draft) Take(m *chat.Message) {
	if m.N == 0 { // added in front of the first one, and told with it
		first := *m
		first.N = 1
		m = &first
	}
	if d.count++; d.first == 0 {
		d.first = m.N
		d.waiting, d.failed = map[string]*call{}, map[uint64][]*call{}
	}
	d.last = m.N
	at, timed := chat.ParseTime(m.Timestamp)
	if timed && d.begin.IsZero() {
		d.begin = at
	}
	who, said := d.ear.Hear(m)
	switch {
	case m.Summary() && len(m.ToolCalls) == 0:
		d.mark(m.N, "compaction")
	case m.Role == chat.System:
		if d.system == nil {
			d.system = speechOf(m.N, m.Content, at)
		}
	case m.Role == chat.Assistant:
		d.assistant(m, at)
	case m.Role == chat.Tool:
		d.result(m, at)
	default:
		d.user(m, who, said, at)
	}
	if timed {
		d.before = at
	}
}

func (d *Draft) user(m *chat.Message, who voice.Voice, said string, at time.Time) {
	switch who {
	case voice.Person, voice.Reset:
		if strings.TrimSpace(said) == "" {
			said = m.Content
		}
		d.turns = append(d.turns, &turn{prompt: speechOf(m.N, said, at), answer: -1})
	case voice.Result:
		d.result(m, at)
	case voice.Interrupt:
		d.mark(m.N, interruption)
	case voice.Compaction:
		d.mark(m.N, "compaction")
	}
}

// Prompts returns the numbers of the messages that somebody wrote, in order.
func (d *Draft) Prompts() []int {
	var all []int
	for _, t := range d.turns {
		if t.prompt != nil {
			all = append(all, t.prompt.n)
		}
	}
	return all
}

// turn returns the turn under way.
func (d *Draft) turn() *turn {
	if len(d.turns) == 0 {
		d.turns = []*turn{{answer: -1}}
	}
	return d.turns[len(d.turns)-1]
}

func (d *Draft) mark(n int, what string) {
	t := d.turn()
	t.beats = append(t.beats, &beat{from: n, to: n, mark: what, before: d.before, last: d.before})
}

func (d *Draft) assistant(m *chat.Message, at time.Time) {
	if m.Model == chat.NoModel && len(m.ToolCalls) == 0 {
		d.recorded(m)
		return
	}
	t := d.turn()
	b := &beat{from: m.N, to: m.N, before: d.before, last: at}
	thought, content := chat.SplitThink(m.Content)
	if strings.TrimSpace(content) != "" {
		b.words = sentence(content)
		t.answer, t.said = len(t.beats), speechOf(m.N, content, at)
	} else {
		for _, text := range [...]string{m.Reasoning, thought} {
			if b.words == "" {
				b.words, b.thought = sentence(text), true
			}
		}
	}
	for i := range m.ToolCalls {
		c := callOf(&m.ToolCalls[i])
		c.n = m.N
		if id := m.ToolCalls[i].ID; id != "" {
			d.waiting[id] = c
		}
		b.calls = append(b.calls, c)
	}
	if len(m.ToolCalls) == 0 && b.words != "" && !b.thought {
		b.maybe = plainCall(content)
		b.maybe.n = m.N
	}
	t.beats = append(t.beats, b)
}

// result gives a result to its call: the one with its id, or the first of the
// last message that has none yet.
func (d *Draft) result(m *chat.Message, at time.Time) {
	t := d.turn()
	if len(t.beats) == 0 {
		t.beats = append(t.beats, &beat{from: m.N, to: m.N, before: d.before, last: at})
	}
	b := t.beats[len(t.beats)-1]
	b.to, b.last = m.N, later(b.last, at)
	c := d.waiting[m.ToolCallID]
	if m.ToolCallID == "" || c == nil {
		for _, one := range b.calls {
			if c == nil && !one.answered {
				c = one
			}
		}
	}
	if c == nil {
		c = b.adopt()
	}
	if c == nil {
		c = &call{tool: word(m.Name), kind: kindOf(m.Name, ""), does: one(m.Name), judged: outcome.CallOf(m.Name, "")}
		b.calls = append(b.calls, c)
	}
	delete(d.waiting, m.ToolCallID)
	c.n = m.N
	c.take(m)
	if c.outcome != outcome.OK {
		d.fail(c)
	} else {
		d.succeed(c)
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
