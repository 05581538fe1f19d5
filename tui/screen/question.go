package screen

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/work"
)

// Question is what a layer asks of what takes time, and what came of it. The zero
// one was not asked yet.
type Question[T any] struct {
	Got  T     // what was read last without an error
	Came bool  // something was
	Err  error // of the last answer
	Open bool  // the answer is awaited
	stop context.CancelFunc
}

// Ask has read run beside the program. It closes over values, never over the
// layer, and ends with its context. What it returns goes into the question and to
// took (nil: nobody), unless the question was asked anew or given up meanwhile, or
// the layer was closed.
func (q *Question[T]) Ask(s *Seat, read func(context.Context) (T, error), took func(T, error)) {
	q.GiveUp()
	ctx, stop := context.WithCancel(s.Ctx)
	q.Open, q.Err, q.stop = true, nil, stop
	s.Run(func() tea.Msg {
		got, err := read(ctx)
		return work.Then(func() tea.Cmd {
			if ctx.Err() != nil {
				return nil
			}
			q.GiveUp()
			if q.Err = err; err == nil {
				q.Got, q.Came = got, true
			}
			if took != nil {
				took(got, err)
			}
			return nil
		})
	})
}

// GiveUp ends the question: nobody waits for its answer any more.
func (q *Question[T]) GiveUp() {
	if q.stop != nil {
		q.stop()
	}
	q.Open = false
}

// Asked reports whether it is asked, or was and something came of it.
func (q *Question[T]) Asked() bool { return q.Open || q.Came || q.Err != nil }

// Awaited reports whether the first answer is awaited.
func (q *Question[T]) Awaited() bool { return q.Open && !q.Came }

// For has what a command brings, also the commands that it stands for (tea.Batch),
// taken by somebody until ctx ends: by a reader that a layer has of its own.
func For(ctx context.Context, take func(tea.Msg) tea.Cmd, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch m := cmd().(type) {
		case nil:
			return nil
		case tea.BatchMsg:
			for i := range m {
				m[i] = For(ctx, take, m[i])
			}
			return m
		default:
			return work.Then(func() tea.Cmd {
				if ctx.Err() != nil {
					return nil
				}
				return For(ctx, take, take(m))
			})
		}
	}
}
