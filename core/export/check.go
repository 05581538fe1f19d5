package export

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/chat"
)

// Check is one rule that a sample must meet before it is written.
type Check struct {
	Name string
	What string // the rule, in one line
	Done string // what was done to a sample that it repaired; "" if it only finds

	// repair brings a sample in line where that is safe and says what it
	// did; nil if it never is.
	repair rule
	// find lists what breaks the rule; nil if the repair always helps.
	find rule
}

// rule looks at a sample, or changes it, and tells what it found or did.
type rule func(s *Sample, e *Emitter, tell teller)

// teller takes what there is to say of a message, nil: of the sample as a whole.
type teller func(m *Message, format string, args ...any)

// apply lists what a rule tells, under the name of its check. No rule, nothing.
func (r rule) apply(check string, s *Sample, e *Emitter) []Finding {
	n := notes{check: check}
	if r != nil {
		r(s, e, n.tell)
	}
	return n.told
}

// notes are what one rule after the other tells.
type notes struct {
	check string // that tells
	told  []Finding
}

func (n *notes) tell(m *Message, format string, args ...any) {
	f := Finding{Check: n.check, Detail: fmt.Sprintf(format, args...)}
	if m != nil {
		f.Message = m.N
	}
	n.told = append(n.told, f)
}

// checks is the registry, in the order in which repairs are made and findings
// reported. A repair may rely on those before it.
var checks = [...]Check{
	{sealed, "nothing is said that a redaction took out, in whatever session", "", nil, foundBefore},                                                      // by maker.leak
	{taken, "nothing beside messages holds what a redaction took out", "what was redacted taken out of topics, tools, metadata and provenance", nil, nil}, // by takenOut
	{fork, "what the model saw before a branch is known", "", nil, findUnknownFork},
	{"stray_think", "reasoning ends once", "stray closing tags of reasoning removed, with what they repeat", cutStrays, nil},
	{"think", "reasoning stands apart from the content", "reasoning split off from the content", splitThoughts, nil},
	{"tools", "tools are a list of functions", "recorded tools that are no functions left out", nil, nil}, // New sees to this one
	{"utf8", "all text is valid UTF-8", "", nil, findInvalidUTF8},
	{"nul", "no text holds a NUL", "NULs replaced by U+FFFD, where nothing is trained", repairNUL, findNUL},
	{"compaction", "a sample ends before a compaction of its session", "cut before a compaction of the session", cutAtCompaction, nil},
	{"system", "at most one system message, and it comes first", "leading system messages joined into one", joinLeadingSystem, findSystem},
	{"joined", "adjacent assistant messages are one", "adjacent assistant messages joined into one", joinAssistants, nil},
	{"empty_assistant", "no assistant message is empty", "assistant messages without text or calls removed", dropEmptyAssistants, findEmptyAssistant},
	{"call_name", "every call names a tool", "", nil, findCallName},
	{"arguments", "every call's arguments are a JSON object", "missing arguments written as {}", fillArguments, findArguments},
	{"argument_tags", "no tag that the format gives a meaning stands inside arguments", "tags of the format inside arguments escaped", escapeArguments, nil},
	{"call_id", "every call of a message has an id of its own", "missing ids of calls and results filled in, repeated ones told apart", tellCallsApart, findCallIDs},
	resultOrder,
	{"unanswered_call", "every call is answered before the next user or assistant message", "", nil, findUnanswered},
	{"orphan_result", "every tool result belongs to a call", "", nil, findOrphans},
	{"ending", "the last message is an assistant's", "trailing messages cut so that an answer comes last", trimEnd, findEnding},
	{"no_user", "there is a user message", "", nil, findNoUser},
	trainedSummary,
	{"no_assistant", "there is an assistant message to train on", "", nil, findNoAssistant},
	{"unbalanced_tags", "think and tool tags in assistant text are balanced", "", nil, findUnbalanced},
	{"reserved_tags", "no text holds a tag that the format gives a meaning", "", nil, findReserved},
	// The samples of a compression see to this one together: one tells nothing.
	{unmarkedCheck, "no answer is trained in several samples of a compression", "", nil, func(*Sample, *Emitter, teller) {}},
	// Options.Repair has this one done, before all others.
	{mended, "no text holds what trainers refuse", "NULs and what no JSON may hold replaced, as asked for", nil, nil},
	// Options.shorten sees to this one.
	{tooLong, "a sample costs at most so many tokens", "cut before a user message, to cost fewer tokens", nil, nil},
}

// Checks lists the rules of all formats in the order they are applied, then
// those that only some have, each once.
func Checks() []Check {
	all := checks[:]
	for i := range emitters {
		for _, c := range emitters[i].own {
			if !slices.ContainsFunc(all, func(known Check) bool { return known.Name == c.Name }) {
				all = append(all, c)
			}
		}
	}
	return all
}

// Prepare repairs a sample for an emitter and checks it. A sample with
// findings must not be written.
func (e *Emitter) Prepare(s *Sample) (repairs, findings []Finding) {
	return e.prepare(s, &Options{})
}

// prepare is Prepare with the options that change samples: they see a sample
// that is whole, and what the format makes of it follows from what they leave.
func (e *Emitter) prepare(s *Sample, opts *Options) (repairs, findings []Finding) {
	repairs, long := e.ready(s, opts)
	return repairs, append(e.Check(s), long...)
}

// ready makes a sample ready to be checked, and finds if it is too long.
func (e *Emitter) ready(s *Sample, opts *Options) (repairs, long []Finding) {
	repairs, s.repairs = s.repairs, nil
	if opts.Repair {
		repairs = append(repairs, rule(mend).apply(mended, s, e)...)
	}
	rules := e.shared
	if s.settled {
		rules = e.unsettled
	}
	repairs = append(repairs, e.repair(s, rules)...)
	cut, long := opts.shorten(s)
	repairs = append(repairs, cut...)
	opts.Train.apply(s)
	if own := e.repair(s, e.special); len(own) > 0 {
		repairs, s.tokens = append(repairs, own...), 0
	}
	return repairs, long
}

func (e *Emitter) repair(s *Sample, rules iter.Seq[*Check]) []Finding {
	var n notes
	tell := n.tell
	for c := range rules {
		if n.check = c.Name; c.repair != nil {
			c.repair(s, e, tell)
		}
	}
	return n.told
}

// shared yields the rules of all formats that this one does not skip.
func (e *Emitter) shared(yield func(*Check) bool) {
	for i := range checks {
		if !slices.Contains(e.skips, checks[i].Name) && !yield(&checks[i]) {
			return
		}
	}
}

// special yields the format's own rules.
func (e *Emitter) special(yield func(*Check) bool) {
	for i := range e.own {
		if !yield(&e.own[i]) {
			return
		}
	}
}

// Check lists what keeps a sample from being written, without changing it.
func (e *Emitter) Check(s *Sample) []Finding { return e.breaks(s, e.shared, e.special) }

// breaks lists what breaks rules.
func (e *Emitter) breaks(s *Sample, lists ...iter.Seq[*Check]) []Finding {
	var n notes
	tell := n.tell
	for _, rules := range lists {
		for c := range rules {
			if n.check = c.Name; c.find != nil {
				c.find(s, e, tell)
			}
		}
	}
	return n.told
}

// texts calls f for every text of a message, with what it is called.
func (m *Message) texts(f func(what string, text *string)) {
	f("content", &m.Content)
	f("reasoning", &m.Reasoning)
	f("tool call id", &m.ToolCallID)
	f("name", &m.Name)
	for i := range m.Calls {
		f("tool call id", &m.Calls[i].ID)
		f("tool name", &m.Calls[i].Name)
		f(arguments, &m.Calls[i].Arguments)
	}
}

// arguments is what the one text of a message is called that is JSON.
const arguments = "arguments"

// foundBefore is for what is found before there is a sample.
func foundBefore(*Sample, *Emitter, teller) {}

func findInvalidUTF8(s *Sample, _ *Emitter, tell teller) {
	for m := range s.each {
		m.texts(func(what string, text *string) {
			if !utf8.ValidString(*text) {
				tell(m, "%s is not valid UTF-8", what)
			}
		})
	}
}

// repairNUL replaces NULs where nothing is trained: in what tools, users and
// systems said, and beside the messages.
func repairNUL(s *Sample, _ *Emitter, tell teller) {
	for _, text := range [...]*string{&s.Topic, &s.Agent, &s.Model} {
		if strings.IndexByte(*text, 0) >= 0 {
			*text = mendText(*text)
			tell(nil, "NUL beside the messages is replaced by U+FFFD")
		}
	}
	for _, text := range [...]*string{&s.Metadata, &s.Provenance} {
		if escapesNUL(*text) {
			*text = mendJSON(*text)
			tell(nil, "NUL beside the messages is replaced by U+FFFD")
		}
	}
	for m := range s.each {
		if m.Role != chat.Assistant && strings.IndexByte(m.Content, 0) >= 0 {
			m.Content = strings.ReplaceAll(m.Content, "\x00", replacement)
			tell(m, "NUL in the content is replaced by U+FFFD")
		}
	}
}

func findNUL(s *Sample, _ *Emitter, tell teller) {
	for m := range s.each {
		m.texts(func(what string, text *string) {
			if strings.IndexByte(*text, 0) >= 0 || what == arguments && escapesNUL(*text) {
				tell(m, "%s holds a NUL", what)
			}
		})
	}
	if escapesNUL(s.Tools) {
		tell(nil, "the tools hold a NUL")
	}
}

// escapesNUL reports whether JSON text holds the escape of a NUL.
func escapesNUL(json string) bool {
	for rest := json; ; {
		i := strings.Index(rest, `\u0000`)
		if i < 0 {
			return false
		}
		backslashes := 0
		for j := i - 1; j >= 0 && rest[j] == '\\'; j-- {
			backslashes++
		}
		if backslashes%2 == 0 {
			return true
		}
		rest = rest[i+2:]
	}
}

// cutAtCompaction ends a sample before a summary that replaced its beginning:
// the model that wrote what follows had not seen what comes before. It had
// seen the system message that stands in front of a summary.
func cutAtCompaction(s *Sample, _ *Emitter, tell teller) {
	if s.exact {
		return
	}
	for i := s.prompts() + 1; i < len(s.Messages); i++ {
		if m := &s.Messages[i]; m.Marks.Has(chat.MarkCompaction) {
			s.Messages = s.Messages[:i]
			tell(m, "cut before the compaction of the session")
			return
		}
	}
}

func joinLeadingSystem(s *Sample, _ *Emitter, tell teller) {
	n := 0
	for n < len(s.Messages) && s.Messages[n].Role == chat.System {
		n++
	}
	if n > 1 {
		first := joinRun(s.Messages[:n])
		s.Messages = s.Messages[n-1:]
		s.Messages[0] = first
		tell(&first, "%d leading system messages are joined", n)
	}
}

func findSystem(s *Sample, _ *Emitter, tell teller) {
	for i := 1; i < len(s.Messages); i++ {
		if m := &s.Messages[i]; m.Role == chat.System {
			tell(m, "a system message inside of the conversation")
		}
	}
}

func joinAssistants(s *Sample, e *Emitter, tell teller) {
	if !e.apart {
		joinAdjacent(s, chat.Assistant, tell)
	}
}

// joinAdjacent makes one message of several of a role that follow each other.
func joinAdjacent(s *Sample, role chat.Role, tell teller) {
	kept := s.Messages[:0]
	for i := 0; i < len(s.Messages); {
		n := i + 1
		for s.Messages[i].Role == role && n < len(s.Messages) && s.Messages[n].Role == role && !s.Messages[n].answers && !s.divides(i, n) {
			n++
		}
		if n-i > 1 {
			joined := joinRun(s.Messages[i:n])
			tell(&joined, "%d adjacent %s messages are joined", n-i, role)
			kept = append(kept, joined)
		} else {
			kept = append(kept, s.Messages[i])
		}
		i = n
	}
	s.Messages = kept
}

// divides reports whether two answers are kept apart: one is trained by this sample,
// the other one elsewhere.
func (s *Sample) divides(a, b int) bool { return s.exact && s.Messages[a].Train != s.Messages[b].Train }

// joinRun joins messages of one role: texts by a blank line, calls in order.
func joinRun(run []Message) Message {
	m := run[0]
	contents, reasonings := make([]string, len(run)), make([]string, len(run))
	m.Calls, m.was = nil, nil
	for i := range run {
		contents[i], reasonings[i] = run[i].Content, run[i].Reasoning
		m.Calls = append(m.Calls, run[i].Calls...)
		m.Train, m.sampled, m.sums = m.Train && run[i].Train, m.sampled && run[i].sampled, m.sums || run[i].sums
	}
	m.Content, m.Reasoning = joinTexts(contents...), joinTexts(reasonings...)
	return m
}

func findNoUser(s *Sample, _ *Emitter, tell teller) {
	if s.last(func(m *Message) bool { return m.Role == chat.User }) < 0 {
		tell(nil, "no user message")
	}
}

func findNoAssistant(s *Sample, _ *Emitter, tell teller) {
	if s.last(func(m *Message) bool { return m.Role == chat.Assistant && m.Train }) < 0 {
		tell(nil, "no assistant message to train on")
	}
}

// dropEmptyAssistants removes assistant messages of which nobody saw anything,
// such as a turn that was interrupted while the model was thinking. One that
// tool results follow stays: there, calls were lost.
func dropEmptyAssistants(s *Sample, _ *Emitter, tell teller) {
	s.keep(func(i int, m *Message) bool {
		empty := m.Role == chat.Assistant && m.blank() && (i+1 == len(s.Messages) || s.Messages[i+1].Role != chat.Tool)
		if empty {
			tell(m, "an assistant message without text or calls is removed")
		}
		return !empty
	})
}

func findEmptyAssistant(s *Sample, _ *Emitter, tell teller) {
	for m := range s.assistants {
		if m.blank() {
			tell(m, "an assistant message without text or calls")
		}
	}
}
