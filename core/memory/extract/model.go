// Package extract finds candidates for memories in the evidence of a segment: with
// a model, or by rules that take recorded words only.
package extract

import (
	"context"
	"fmt"

	"winnow/core/llm"
	"winnow/core/memory"
	"winnow/core/token"
	"winnow/core/transcript"
)

// Model asks a model what was learned. It may be used by many goroutines if its
// llm.Asker may.
type Model struct {
	asker   llm.Asker
	model   string
	counter token.Counter
	budget  int
	frame   *transcript.Frame
}

// NewModel returns a Model that asks the one of that name. Each request holds up
// to budget tokens of text, as counter counts them: the messages, and what is
// known. The instruction and the answer come on top.
func NewModel(asker llm.Asker, model string, counter token.Counter, budget int) *Model {
	return &Model{asker, model, counter, max(budget, 1), transcript.NewFrame()}
}

// Name is the model's name with the version of the instruction.
func (x *Model) Name() string { return x.model + " prompt " + PromptVersion }

// Request returns how many tokens of a segment a request holds at most, and how
// many are always in it. The answer comes on top.
func (x *Model) Request() (most, always int) {
	return x.budget, x.counter.Count(instruction) + x.counter.Count(question)
}

// Extract asks about one window of the segment after the other. An answer that is
// no list of memories, with numbers that were shown, is shown to the model once,
// and then an error: what was found before comes with it, and the window without an
// answer and those after it are left to be asked about again.
func (x *Model) Extract(ctx context.Context, e *memory.Evidence, known []memory.Memory) (memory.Answer, error) {
	a := memory.Answer{MadeBy: memory.ByModel, Model: x.model, Prompt: PromptVersion}
	related := memory.Related(e, known, knownMost)
	for len(related) > 0 && x.counter.Count(x.known(e, related)) > x.budget/3 {
		related = related[:len(related)-1]
	}
	before := x.facts(e) + x.known(e, related)
	windows := x.windows(e, x.budget-x.counter.Count(before))
	for _, w := range windows {
		if err := ctx.Err(); err != nil {
			return a, err
		}
		var said []memory.Candidate
		request := llm.Request{System: instruction, User: before + transcript.Start + w.text + transcript.End + question}
		err := x.asker.Ask(ctx, request, func(answer []byte) (err error) {
			if said, err = readAnswer(answer, w.from, w.to, related); err == nil {
				a.TokensOut += x.counter.Count(string(answer))
			}
			return err
		})
		if err != nil {
			if len(windows) > 1 {
				err = fmt.Errorf("messages %d to %d of the segment: %w", w.from, w.to, err)
			}
			return a, err
		}
		a.TokensIn += x.counter.Count(request.System) + x.counter.Count(request.User)
		a.Candidates, a.Upto = append(a.Candidates, said...), w.to
	}
	a.Upto = 0
	return a, nil
}
