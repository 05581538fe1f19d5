package export

import (
	"context"
	"slices"

	"winnow/core/chat"
	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/core/token"
)

// ConversationOf returns what a segment would be written as, whatever its verdict: the
// system prompt of the session and what stands before a fork in front of the current
// view, with the repairs that all formats make. The hf format would write exactly
// these messages, if it kept all that was recorded of the system.
func ConversationOf(ctx context.Context, src Source, seg *review.Segment) (proposal.Conversation, error) {
	c, err := (&Options{}).reader(src).read(ctx, seg)
	if err != nil {
		return proposal.Conversation{}, err
	}
	return c.full(TrainAll).conversation(), nil
}

// Price tells what messages of a Conversation cost in a sample, as Options.MaxTokens
// counts them.
func Price(counter token.Counter, tools string) compress.Price {
	return compress.Plain{Counter: counter, Tools: tools}
}

// full is a sample of which compressions are made and to which they are applied: what
// all formats make of a candidate, its system message kept.
type full struct {
	*Sample
	own     int // the first of the segment's own messages
	repairs []Finding
}

// full makes the sample of a candidate in which train says what is trained.
func (c *candidate) full(train Train) *full {
	s := New(&c.segment, c.session, c.messages)
	train.written(s, c.edits)
	c.before.precede(s)
	w := &full{Sample: s}
	var lists [][]chat.Message
	if s.prompts() == 0 && len(c.prompt) > 0 {
		System{}.apply(s, c.prompt)
		lists = append(lists, c.prompt)
	}
	at := 0
	for _, list := range append(lists, c.before.messages, c.messages) {
		for i := range list {
			s.Messages[at].from = &list[i]
			at++
		}
	}
	e := &emitters[0]
	w.repairs, s.repairs = append(s.repairs, e.repair(s, e.shared)...), nil
	train.apply(s)
	w.own = w.firstOwn(len(lists) > 0)
	return w
}

// firstOwn is the place of the first message that is the segment's own. With prompted
// the system messages in front are not.
func (w *full) firstOwn(prompted bool) (at int) {
	if prompted {
		at = w.prompts()
	}
	return at + max(0, slices.IndexFunc(w.Messages[at:], func(m Message) bool { return !m.before }))
}

// conversation returns what can be compressed.
func (w *full) conversation() proposal.Conversation {
	c := proposal.Conversation{Messages: make([]chat.Message, len(w.Messages)), Own: w.own, Tools: w.Tools}
	for i := range w.Messages {
		m := &w.Messages[i]
		to := &c.Messages[i]
		*to = *m.from
		to.Role, to.Content, to.Reasoning, to.ToolCalls = m.Role, m.Content, m.Reasoning, m.Calls
		to.ToolCallID, to.Name, to.Marks = m.ToolCallID, m.Name, m.Marks
	}
	return c
}
