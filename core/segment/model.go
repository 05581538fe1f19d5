package segment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"winnow/core/chat"
	"winnow/core/llm"
	"winnow/core/review"
	"winnow/core/token"
	"winnow/core/transcript"
)

// model is the Cutter that asks a model.
type model struct {
	asker   llm.Asker
	counter token.Counter
	budget  int
	frame   *transcript.Frame

	count sync.Once
	heads [10]int // what "[" and a number of so many digits, less one, cost
}

// NewModel returns a Cutter that asks a model which tasks it sees. Each request
// holds up to budget tokens of text, as counter counts them: the messages with
// their numbers and roles. The instruction and the answer come on top.
//
// The text is read once and not held: only what the next request shows is. If
// anything fails, the whole Cut does. The Cutter may be used by many
// goroutines if asker may.
func NewModel(asker llm.Asker, counter token.Counter, budget int) Cutter {
	const most = 1 << 30 // no model holds as much, and its multiples are numbers, too
	return &model{asker: asker, counter: counter, budget: min(budget, most), frame: transcript.NewFrame()}
}

// By is review.CutModel.
func (c *model) By() review.CutBy { return review.CutModel }

// Cut asks about one window after the other.
func (c *model) Cut(ctx context.Context, t Text) ([]Cut, error) {
	p := newWindows(t.From, t.To, c.budget, c.numbers)
	var rows []row // from the start of the next window on
	for !p.done() {
		rows = slices.Clone(rows) // lets go of those that were passed
		if p.more() {
			var err error
			if rows, err = c.read(ctx, t, p, rows); err != nil {
				return nil, err
			}
		}
		w := p.next()
		cuts, err := c.ask(ctx, w, rows[:w.to-w.from+1])
		if err == nil {
			err = p.took(cuts)
		}
		// Where the session is one window, the place says nothing.
		if err != nil && (w.from > t.From || w.to < t.To) {
			err = fmt.Errorf("messages %d to %d: %w", w.from, w.to, err)
		}
		if err != nil {
			return nil, err
		}
		rows = rows[p.start-w.from:]
	}
	return p.cuts(), nil
}

// errFull stops reading: the next window is known.
var errFull = errors.New("the window is full")

// read reads on until the next window is known.
func (c *model) read(ctx context.Context, t Text, p *windows, rows []row) ([]row, error) {
	err := t.Each(ctx, p.wanted(), t.To, func(m *chat.Message) error {
		r := c.row(m)
		rows = append(rows, r)
		if p.feed(r.cost); p.more() {
			return nil
		}
		return errFull
	})
	switch {
	case err != nil && !errors.Is(err, errFull):
		return nil, err
	case p.more():
		return nil, fmt.Errorf("message %d of %d is missing", p.wanted(), t.To)
	}
	return rows, nil
}

// ask asks about one window.
func (c *model) ask(ctx context.Context, w window, rows []row) ([]Cut, error) {
	var tasks []task
	err := c.asker.Ask(ctx, llm.Request{System: instruction, User: request(rows)}, func(answer []byte) (err error) {
		if tasks, err = readTasks(answer); err != nil {
			return err
		}
		return checkTasks(tasks, len(rows))
	})
	if err != nil {
		return nil, err
	}
	cuts := make([]Cut, len(tasks))
	for i, s := range tasks {
		topic := cleanTopic(s.topic)
		if topic == "" {
			topic = titleOf(rows[s.start-1 : s.end])
		}
		cuts[i] = Cut{Start: w.from + s.start - 1, End: w.from + s.end - 1, Topic: topic}
	}
	return cuts, nil
}

// titleOf is the title of the first user message that has one.
func titleOf(rows []row) string {
	for i := range rows {
		if rows[i].title != "" {
			return rows[i].title
		}
	}
	return ""
}

// numbers returns the cost of the numbers of so many messages. A number and
// what stands around it are tokens of their own in every vocabulary, and
// numbers of equally many digits cost the same.
func (c *model) numbers(messages int) int {
	c.count.Do(func() {
		for i := range c.heads {
			c.heads[i] = c.counter.Count("[" + strings.Repeat("9", i+1))
		}
	})
	sum, below := 0, 0
	for most, digits := 9, 0; below < messages; most, digits = most*10+9, digits+1 {
		upTo := min(most, messages)
		sum += (upTo - below) * c.heads[min(digits, len(c.heads)-1)]
		below = upTo
	}
	return sum
}
