// Package offline holds the rules that cut a session into tasks without a model.
// It knows messages, their words and whose voice they are; how segments cover a
// session is the business of core/segment.
package offline

import (
	"context"
	"errors"

	"winnow/core/chat"
	"winnow/core/phrases"
	"winnow/core/review"
	"winnow/core/segment"
)

// Cutter cuts without a model: at system messages, commands and templates
// that begin another conversation, and where what a user writes, what came
// before and how the assistant answers speak for another task, in a score.
//
// Whatever is appended to a session changes no decision but the last: each is
// made when the next user message arrives, from what is before that.
type Cutter struct {
	lexicon *phrases.Lexicon
	stop    map[uint32]struct{} // words of its phrases, which say nothing about a subject
}

// New returns the cutter without a model. It may be used by several
// goroutines, and gives the same cuts for the same messages.
func New() *Cutter {
	o := &Cutter{phrases.Seams(), map[uint32]struct{}{}}
	var r wordReader
	for text := range o.lexicon.All() {
		for _, w := range r.read(text) {
			o.stop[w.id] = struct{}{}
		}
	}
	return o
}

// By returns review.CutOffline.
func (o *Cutter) By() review.CutBy { return review.CutOffline }

// Cut implements segment.Cutter. Its memory does not depend on the length of the
// session. The topics are titles of the first message that asks for something.
func (o *Cutter) Cut(ctx context.Context, t segment.Text) ([]segment.Cut, error) {
	return o.Explain(ctx, t, nil)
}

// Decision says why a user message does or does not begin a task.
type Decision struct {
	At    int     // number of the first message of what may be a task
	Why   string  // the reason of a cut that needs no score, else ""
	Cut   bool    //
	Score float32 // above 0 speaks for a cut
	Text  string  // beginning of the user message, in lower case

	parts score
}

// Reasons lists what the score is made of, the strongest first.
func (d *Decision) Reasons() string { return d.parts.String() }

// Explain is Cut, and calls each for every decision, in order, if it is not nil.
func (o *Cutter) Explain(ctx context.Context, t segment.Text, each func(Decision)) ([]segment.Cut, error) {
	if t.To < t.From {
		return nil, nil
	}
	e := &run{Cutter: o, turn: firstTurn}
	if err := e.warmUp(ctx, t); err != nil {
		return nil, err
	}
	e.begin(t.From)
	e.each = each
	err := t.Each(ctx, t.From, t.To, func(m *chat.Message) error {
		e.message(m)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return e.end(t.To), nil
}

// What is read before the first message to be cut, to know how tasks begin in
// the session and what is said in it all the time.
const (
	openingMost = 16        // messages of the session's beginning
	contextMost = 128       // messages before the first
	contextText = 256 << 10 // bytes of either
)

var errEnough = errors.New("enough was read")

// warmUp reads what stands before t.From: the opening of the session, and what
// was said last. Decisions on it do not count.
func (e *run) warmUp(ctx context.Context, t segment.Text) error {
	opening := min(openingMost, t.From-1)
	from := t.From - 1
	for n := 8; from > opening && n <= contextMost; n *= 4 {
		first := max(opening+1, t.From-n)
		size := 0
		err := t.Each(ctx, first, t.From-1, func(m *chat.Message) error { size += m.Size(); return nil })
		if err != nil {
			return err
		}
		if size > contextText && n > 8 {
			break
		}
		from = first
	}
	if opening < 1 {
		return nil
	}
	e.open.start = 1
	size := 0
	err := t.Each(ctx, 1, opening, func(m *chat.Message) error {
		e.message(m)
		if size += m.Size(); size > contextText {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if from <= opening {
		return nil
	}
	e.begin(from)
	return t.Each(ctx, from, t.From-1, func(m *chat.Message) error {
		e.message(m)
		return nil
	})
}
