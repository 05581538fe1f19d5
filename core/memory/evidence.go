package memory

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/metric"
	"winnow/core/outcome"
	"winnow/core/secret"
	"winnow/core/voice"
)

// About is what memories keep of a segment and its session, and what was measured.
type About struct {
	Segment    string // id
	Content    chat.Digest
	File       string // session_file
	Start, End int    // message numbers
	Agent, Dir string
	TaskType   string
	Topic      string
	// Analysis is what was measured, nil if nothing was.
	Analysis *metric.Analysis
	// Delegated says that another agent began the session: what stands in the user's
	// role is its words, and nobody's.
	Delegated bool
	// Plain has secrets shown as they are. What holds one is no memory nevertheless.
	Plain bool
	// Told are instructions of the session that lie before the segment: what the
	// system said, files such as AGENTS.md.
	Told []string
	From int // messages at the beginning about which a model was asked before
}

// Source is the source of memories of this segment, without cites.
func (a *About) Source() Source {
	return Source{
		Detail: ContentKey(a.Content), Segment: a.Segment, Fingerprint: a.Content.Fingerprint,
		File: a.File, Start: a.Start, End: a.End, Live: true,
	}
}

// NotShown stands for instructions and recalled memories in what is said: they
// prove nothing.
const NotShown = "[instructions, not shown]"

// Said is a message as the gate and models see it: without reasoning, which is
// no evidence, without instructions, and with placeholders for secrets.
type Said struct {
	N       int // from 1, without gaps
	Message int // number in the session
	Part    int
	Role    chat.Role // a result that stands in a user's message is the tool's
	Person  bool      // a person wrote the text
	Text    string    // what was said, or a tool answered
	Calls   []chat.ToolCall
	// Of a result: the tool, and the message and call that it answers; 0 if that
	// is not in the segment. Found is what became of it.
	Tool    string
	Answers int
	Call    int
	Found   outcome.Finding

	plain string   // the text with white space folded
	calls []string // the calls likewise: see callText
}

// OK reports whether a message is a result that succeeded.
func (s *Said) OK() bool { return s.Role == chat.Tool && s.Text != NotShown && !s.Found.Failed() }

// Evidence is a segment as memories are made of it.
type Evidence struct {
	About
	Said         []Said   // by number, from 1
	Instructions []string // all that the session was told, in it and before

	scanner *secret.Scanner
	secrets *secret.Known // those that were found, wherever they stand
}

// NewEvidence makes the evidence of the messages of a segment, in their order, as
// they are now. The scanner finds what must not be seen.
func NewEvidence(about About, messages []chat.Message, scanner *secret.Scanner) *Evidence {
	e := &Evidence{About: about, Said: make([]Said, 0, len(messages)), scanner: scanner}
	var ear voice.Ear
	var calls pairing
	for i := range messages {
		m := &messages[i]
		s := Said{N: i + 1, Message: m.N, Part: m.Part, Role: m.Role}
		v, text := ear.Hear(m)
		e.say(&s, m, v, text)
		calls.take(&s, m)
		if about.Delegated && s.Role == chat.User {
			s.Role, s.Person = chat.Assistant, false
		}
		e.Said = append(e.Said, s)
	}
	e.hideFiles()
	e.Instructions = append(e.Instructions, about.Told...)
	e.redact()
	for i := range e.Said {
		s := &e.Said[i]
		s.plain = fold(s.Text)
		for j := range s.Calls {
			s.calls = append(s.calls, callText(&s.Calls[j]))
		}
	}
	return e
}

// say fills in what a message says.
func (e *Evidence) say(s *Said, m *chat.Message, v voice.Voice, heard string) {
	s.Calls = append(s.Calls, m.ToolCalls...)
	switch {
	case m.Summary() || m.Role == chat.User && v == voice.Compaction: // nobody's words, but what is in it was not told either
		s.Text = NotShown
		return
	case m.Role == chat.System,
		m.Role == chat.User && (v == voice.Machine || v == voice.Interrupt):
		if strings.TrimSpace(m.Content) != "" {
			s.Text = NotShown
			if v != voice.Interrupt && !byCommand(m.Content) {
				e.instruct(m.Content)
			}
		}
		return
	case m.Role == chat.User && v == voice.Result:
		s.Role = chat.Tool
		s.Text = heard
	case m.Role == chat.User:
		s.Person, s.Text = true, heard
		if before, found := strings.CutSuffix(strings.TrimSpace(m.Content), heard); found && strings.TrimSpace(before) != "" {
			e.instruct(before)
		}
	case m.Role == chat.Assistant:
		_, s.Text = chat.SplitThink(m.Content)
	default:
		s.Text = m.Content
	}
	s.Text = e.withoutInjected(s.Text)
}

func (e *Evidence) instruct(text string) { e.Instructions = append(e.Instructions, text) }

// redact finds secrets, and puts placeholders where they are. What is a secret in one text is one
// in all of them.
func (e *Evidence) redact() {
	if e.scanner == nil {
		return
	}
	var texts []*string
	for i := range e.Said {
		s := &e.Said[i]
		texts = append(texts, &s.Text)
		for j := range s.Calls {
			texts = append(texts, &s.Calls[j].Arguments)
		}
	}
	for i := range e.Instructions {
		texts = append(texts, &e.Instructions[i])
	}
	texts = append(texts, &e.Topic)
	hits := make([][]secret.Hit, len(texts))
	var found []secret.Secret
	for i, t := range texts {
		hits[i] = e.scanner.Find(*t)
		for _, h := range hits[i] {
			found = append(found, secret.Secret{Rule: h.Rule, Value: h.Value(*t)})
		}
	}
	if len(found) == 0 {
		return
	}
	e.secrets = secret.NewKnown(found)
	if e.Plain {
		return
	}
	for i, t := range texts {
		all := secret.Join(*t, hits[i], e.secrets.Find(*t))
		*t = secret.Replace(*t, all, func(h secret.Hit) string { return secret.Placeholder(h.Rule, 0) })
	}
}

// Shown is a text about the segment that is none of its messages, with placeholders
// for secrets: those that stand in messages, and its own.
func (e *Evidence) Shown(text string) string {
	if e.scanner == nil || e.Plain {
		return text
	}
	all := secret.Join(text, e.scanner.Find(text), e.secrets.Find(text))
	return secret.Replace(text, all, func(h secret.Hit) string { return secret.Placeholder(h.Rule, 0) })
}

// leaks reports whether a secret is in one of the texts.
func (e *Evidence) leaks(texts ...string) bool {
	for _, t := range texts {
		if e.scanner != nil && len(e.scanner.Find(t)) > 0 || e.secrets != nil && len(e.secrets.Find(t)) > 0 {
			return true
		}
	}
	return false
}
