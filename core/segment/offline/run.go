package offline

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/phrases"
	"winnow/core/segment"
	"winnow/core/voice"
)

// How much of a message is looked at, in bytes: what it is about stands at its
// beginning, what it leads to at its end.
const (
	userMost   = 4 << 10
	headMost   = 240 // of a user message, where phrases count
	replyMost  = 1 << 10
	argsMost   = 512
	resultMost = 384
	tailMost   = 400 // of the last answer before a user message
	callsMost  = 8   // calls of one message
)

// run is one pass over the messages of a session, each seen once. What it
// keeps does not grow with the session. A turn is decided on when the next
// begins, so that messages after it change no decision before the last.
type run struct {
	*Cutter
	each func(Decision)
	cuts []segment.Cut

	words    wordReader
	terms    seen
	entities seen
	turn     int32 // of a user and all that answers; the first is firstTurn+1
	row      int32 // messages

	open  openTask
	cand  candidate
	hard  hard
	last  previous
	rules string // beginning of the system message that the session began with

	openings, middles, seconds bagShelf // user messages; seconds are those after openings
	openAnswers, midAnswers    bagShelf
	next                       bag
	templates                  voice.Templates
}

// firstTurn is the turn of what stands before any user message.
const firstTurn = 1

// openTask is the segment that is being read.
type openTask struct {
	start     int   // its first message
	startTurn int32 // its first turn
	topic     string
	user      bool // it has a real user message that was answered
	bare      bool // it only greets so far
	called    bool // a tool was called in it
	results   int  // tool results in user clothing
	systems   bool // an earlier one began with a system message

	calledBefore bool // a tool was called in the task before
}

// candidate is the turn that is being read: it may begin a task.
type candidate struct {
	is        bool
	start     int
	turn      int32
	hard      string // why it is cut whatever the score
	parts     score
	head      string // beginning of the message, plain
	topic     string
	words     bag
	answer    bag
	called    bool // a tool was called for it
	texted    bool // it was answered with text
	answered  bool
	bare      bool    // it only greets
	subject   overlap // of the message and its answer
	named     float32 // how far the message itself is from the words before it
	said      overlap // of its answer
	known     float32 // entities of its answer
	unknown   float32
	results   int // tool results in user clothing
	repliedIn int // messages of the answer so far
}

// hard is a cut that waits for the user message it leads to.
type hard struct {
	at  int // 0 none
	why string
}

// previous is what came last.
type previous struct {
	role        chat.Role // "" if nobody said anything yet
	called      bool      // the assistant called a tool
	tail        string    // the end of what the assistant said last
	stamp       string    // time of the last message
	closed      bool      // the user said that it is done
	thanked     bool
	interrupted bool
}

// begin makes message at the first of a segment, whatever was read before.
func (e *run) begin(at int) {
	e.decide(nil)
	e.cuts = nil
	e.open = openTask{start: at, startTurn: e.turn + 1, systems: e.open.systems}
	e.hard = hard{}
}

func (e *run) message(m *chat.Message) {
	e.row++
	switch m.Role {
	case chat.System:
		e.system(m)
		return
	case chat.User:
		e.userMessage(m)
	case chat.Assistant:
		e.assistant(m)
	case chat.Tool:
		e.result(m.Content)
		e.last.role = chat.Tool
	}
	if m.Timestamp != e.last.stamp {
		e.last.stamp = strings.Clone(phrases.Clip(m.Timestamp, 64))
	}
}

// reminderMost is the length in bytes of a system message in mid-session that
// only reminds of something. A longer one begins another conversation, and one
// that the session began with.
const reminderMost = 100

func (e *run) system(m *chat.Message) {
	if m.Summary() {
		return
	}
	head := phrases.Clip(strings.TrimSpace(m.Content), reminderMost)
	again := e.rules != "" && head == e.rules
	if e.turn == firstTurn && e.rules == "" {
		e.rules = strings.Clone(head)
	}
	if m.N > e.open.start && (again || len(m.Content) > reminderMost) && !voice.Injected(m.Content) {
		e.cutHard(m.N, whySystem)
	}
}

// Reasons of hard cuts.
const (
	whySystem   = "system message"
	whyCommand  = "command"
	whyTemplate = "template of the opening"
	whyTask     = "task template"
)

func (e *run) cutHard(at int, why string) {
	if e.hard.at == 0 {
		e.hard = hard{at, why}
	}
}

func (e *run) userMessage(m *chat.Message) {
	v, text := voice.Of(m)
	switch {
	case v == voice.Person && e.fills(text):
		f := e.lexicon.Find(phrases.Plain(text, headMost))
		e.last.role = chat.User
		e.last.closed = e.last.closed || f.Has(phrases.Closing)
		e.last.thanked = f.Has(phrases.Thanks)
		return
	case v == voice.Person && e.templates.Observed(text, e.last.role, e.hard.at != 0):
		v = voice.Result
	case v == voice.Result && e.last.role == "":
		v = voice.Person // of no tool: somebody asks about an output
	}
	switch v {
	case voice.Person:
		e.prompt(m, text)
	case voice.Reset:
		e.cutHard(m.N, whyCommand)
		if text != "" {
			e.prompt(m, text)
		}
	case voice.Interrupt:
		e.last.interrupted = true
	case voice.Result:
		e.result(text)
		e.last.role = chat.Tool
		e.open.results++
		e.cand.results++
		e.cand.called = true
	}
}

// prompt takes a message that somebody wrote.
func (e *run) prompt(m *chat.Message, text string) {
	c := &e.cand
	grouped := c.is && !c.answered // nothing came between: one of them begins the turn
	if !grouped {
		e.turn++
	}
	words := e.words.read(phrases.Clip(text, userMost))
	p := e.note(words)
	began := false
	if !grouped {
		e.next.fill(words)
		began = e.decide(&p)
	}
	head := phrases.Plain(text, headMost)
	f := e.lexicon.Find(head)
	closes := onlyCloses(text, &f)
	fresh := candidate{is: true, start: m.N, turn: e.turn, head: head, topic: strings.Clone(phrases.Clip(text, userMost)),
		bare: e.lexicon.Only(head, phrases.Greeting, phrases.Ack, phrases.Thanks, phrases.Pointer), hard: e.forced(text)}
	e.before(&fresh.parts, m, text, &f)
	fresh.parts[partAck] = max(fresh.parts[partAck], yes(closes || chooses(head)))
	e.lexical(&fresh.parts, &p, began)
	fresh.subject = overlapOf(&p.plain, began)
	fresh.named = overlapOf(&p.damped, began).apart()
	if e.hard.at != 0 {
		fresh.start, fresh.hard = e.hard.at, e.hard.why
		e.hard = hard{}
	} else if grouped && !e.last.closed {
		fresh.start = c.start
	}
	if !grouped || c.hard == "" && (fresh.hard != "" || fresh.parts.total() > c.parts.total()) {
		*c = fresh
		c.words.fill(words)
	}
	e.last = previous{role: chat.User, tail: e.last.tail, stamp: e.last.stamp, closed: closes && f.Has(phrases.Closing), thanked: f.Has(phrases.Thanks)}
}

// forced tells why a message begins a task whatever its score, "" if it may not.
func (e *run) forced(text string) string {
	switch {
	case e.templates.Match(text) && !e.last.interrupted: // that may be the same again
		return whyTemplate
	case handsOver(text):
		return whyTask
	}
	return ""
}

func (e *run) assistant(m *chat.Message) {
	if m.Model == chat.NoModel {
		return // the recorder's, such as the error of a request
	}
	c := &e.cand
	c.answered = true
	c.repliedIn++
	e.last.role, e.last.called = chat.Assistant, len(m.ToolCalls) > 0
	c.called = c.called || e.last.called
	_, content := chat.SplitThink(phrases.Clip(m.Content, 64<<10))
	if strings.TrimSpace(content) != "" {
		e.last.tail = strings.Clone(strings.TrimSpace(phrases.ClipLeft(m.Content, tailMost)))
		content = phrases.Clip(content, replyMost)
		words := e.words.read(content)
		if c.is && !c.texted {
			c.texted = true
			c.answer.fill(words)
			c.parts[partReplyAsks] = yes(phrases.Asks(content))
		}
		e.answer(words)
	}
	for i := range m.ToolCalls[:min(len(m.ToolCalls), callsMost)] {
		e.answer(e.words.read(phrases.Clip(m.ToolCalls[i].Arguments, argsMost)))
	}
}

// answerMost is how many messages of an answer are compared with what came
// before: what follows belongs to the turn, whatever it began.
const answerMost = 12

// answer takes words of an assistant.
func (e *run) answer(words []word) {
	p := e.note(words)
	if c := &e.cand; c.is && c.repliedIn <= answerMost {
		c.said.add(overlapOf(&p.damped, false))
		c.subject.add(overlapOf(&p.plain, false))
		c.known += p.entities[inside] + p.entities[lastTurn]
		c.unknown += p.entities[never]
	}
}

// result takes what a tool answered: only its identifiers, and few of them.
func (e *run) result(text string) {
	for _, w := range e.words.read(phrases.Clip(text, resultMost)) {
		if w.entity() {
			e.entities.touch(w.id, e.turn, e.row)
		}
	}
}

// decide decides on the turn that was read. next is the user message after it,
// nil at the end.
func (e *run) decide(next *echoes) (cut bool) {
	c := &e.cand
	if !c.is {
		return false
	}
	c.is = false
	e.after(&c.parts, next)
	first := !e.open.user
	if !first && c.answered {
		total := c.parts.total()
		cut = c.hard != "" || total > 0 && (!e.open.bare || c.parts[partPause] > longPause)
		if e.each != nil {
			e.each(Decision{At: c.start, Why: c.hard, Cut: cut, Score: total, Text: c.head, parts: c.parts})
		}
	}
	if cut {
		e.cuts = append(e.cuts, segment.Cut{Start: e.open.start, End: c.start - 1, Topic: e.open.topic})
		e.open = openTask{start: c.start, startTurn: c.turn, results: c.results, calledBefore: e.open.called,
			systems: e.open.systems || c.hard == whySystem}
	}
	e.learn(cut || first, next != nil)
	if cut || first || e.open.bare {
		e.open.topic = e.topic(c)
		e.open.bare = c.bare
	}
	e.open.user = true
	e.open.called = e.open.called || c.called
	return cut
}

// longPause is a pause, as the score has it, after which even a greeting that
// asked for nothing is over: about an hour.
const longPause = .35

// learn keeps the turn as an opening or as one of the others.
func (e *run) learn(opening, next bool) {
	c := &e.cand
	if !opening {
		e.middles.put(&c.words)
		e.midAnswers.put(&c.answer)
		return
	}
	e.openings.put(&c.words)
	e.openAnswers.put(&c.answer)
	if next {
		e.seconds.put(&e.next)
	}
	e.templates.Add(c.topic)
}

// topic is the title of a task that begins with c, "" if it only greets.
func (e *run) topic(c *candidate) string {
	if c.bare {
		return ""
	}
	return segment.Title(e.lexicon.WithoutOpening(c.topic))
}

// end closes the last segment at message to.
func (e *run) end(to int) []segment.Cut {
	e.decide(nil)
	return append(e.cuts, segment.Cut{Start: e.open.start, End: to, Topic: e.open.topic})
}
