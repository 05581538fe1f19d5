package metric

import (
	"hash/maphash"
	"strings"
	"time"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/voice"
)

// Meter reads the messages of one segment in their order. It keeps counts and
// hashes, never their text, so that a chunk of stored messages can go as soon
// as it was read. It is not safe for concurrent use.
type Meter struct {
	// Found, if set, is told what became of the call that each tool message
	// answers, while that is added.
	Found func(*chat.Message, outcome.Finding)

	start    int
	began    string  // see Analysis.Began
	now      reading // of the message at hand, reused
	ear      voice.Ear
	calls    pairing
	tools    toolTable
	measures []measured
	facts    facts
	kind     evidence
}

// measured is a measure with what it counts. Those that are switched off, with
// the weight 0, still raise flags.
type measured struct {
	name   string
	weight float64
	measure
}

// reading is one message and what the Meter found out about it.
type reading struct {
	m *chat.Message
	n int // number in the session

	voice voice.Voice // of a user's message
	text  string      // of a user's message: what was said; of an assistant's: the content after leading reasoning

	own     bool // an assistant's message that a model wrote
	thought bool // it carries reasoning
	calls   []call

	failed  bool            // a tool result, by the rule of chat.Message.Failed
	found   outcome.Finding // what became of the call that it answers
	paired  bool            // it answers a call:
	answers call
	tool    int // of a result: the row of its tool, whoever named it
}

// ending is what is known after the last message.
type ending struct {
	open  []call // unanswered, in order; the earliest may be missing
	lost  int    // how many are missing
	tools *toolTable
}

// unanswered counts the calls without a result.
func (e *ending) unanswered() int { return len(e.open) + e.lost }

// NewMeter returns a Meter for a segment whose first message has the number
// start in its session. The configuration was checked.
func NewMeter(c Config, start int) *Meter {
	m := &Meter{start: start}
	seed := maphash.MakeSeed()
	m.calls.seed, m.tools.rows = seed, map[string]int{}
	for _, row := range registry() {
		if row.new != nil {
			m.measures = append(m.measures, measured{row.name, c.Weight(row.name), row.new()})
		}
	}
	return m
}

// Add takes the next message. Its number is the one it says, as some may be dropped
// and others added; without one it counts from the start of the segment.
func (m *Meter) Add(msg *chat.Message) {
	r := &m.now
	*r = reading{m: msg, n: msg.N, calls: r.calls[:0]}
	if msg.N < m.start {
		r.n = m.start + m.facts.messages
	}
	r.voice, r.text = m.ear.Hear(msg)
	if msg.Role != chat.Assistant {
		m.calls.joins = false
	}
	switch msg.Role {
	case chat.Assistant:
		r.own = msg.Model != chat.NoModel && !msg.Summary()
		r.thought, r.text = thinks(msg)
		r.calls = m.calls.made(r.calls, r.n, msg, &m.tools)
	case chat.Tool:
		r.failed = msg.Failed()
		r.answers, r.paired = m.calls.answered(msg, &m.tools)
		if r.tool = r.answers.tool; !r.paired {
			r.tool = m.tools.row(msg.Name)
		}
		if !r.paired {
			r.answers.judges = outcome.CallOf(msg.Name, "")
		}
		r.found = outcome.Of(r.answers.judges, msg)
		m.tools.result(r.tool, r.failed, r.found)
		if m.Found != nil {
			m.Found(msg, r.found)
		}
	}
	if m.began == "" && msg.Timestamp != "" {
		m.began = timeText(msg.Timestamp)
	}
	m.facts.add(r)
	m.kind.add(r)
	for i := range m.measures {
		m.measures[i].add(r)
	}
	r.m, r.text = nil, "" // they keep a whole chunk in memory
}

// thinks reports whether a message of the assistant carries reasoning, and
// returns its content without that.
func thinks(m *chat.Message) (bool, string) {
	thought := strings.TrimSpace(m.Reasoning) != ""
	head := strings.TrimLeft(m.Content[:min(len(m.Content), 64)], " \t\r\n")
	if head != "" && head[0] != '<' {
		return thought, m.Content
	}
	inside, rest := chat.SplitThink(m.Content)
	return thought || inside != "", rest
}

// Analysis returns what the messages so far amount to.
func (m *Meter) Analysis() Analysis {
	end := &ending{open: m.calls.open, lost: m.calls.lost, tools: &m.tools}
	a := Analysis{Version: Version, Scorer: Offline, Start: m.start, Began: m.began, Metrics: map[string]*Value{}, ToolStats: m.tools.stats()}
	for i := range m.measures {
		row := &m.measures[i]
		if row.weight == 0 {
			continue
		}
		a.Metrics[row.name] = nil
		if score, reason, ok := row.score(end); ok {
			a.Metrics[row.name] = &Value{round(score), row.weight, reason}
		}
	}
	a.Flags = m.flags(end)
	a.Rescore()
	m.summarize(&a, end)
	return a
}

// Measure is a Meter over messages that are all there.
func Measure(c Config, start int, messages []chat.Message) Analysis {
	m := NewMeter(c, start)
	for i := range messages {
		m.Add(&messages[i])
	}
	return m.Analysis()
}

// timeText writes a recorded time as Analysis.Began, "" if it is none that can
// be written so.
func timeText(recorded string) string {
	t, ok := chat.ParseTime(recorded)
	if !ok || t.Year() < 1 || t.Year() > 9999 {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}
