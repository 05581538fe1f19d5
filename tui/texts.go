package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/work"
)

// Indexing makes messages searchable by their text, or compares segments, behind
// the screen. Every method may take long and is called from commands only.
type Indexing interface {
	// Unindexed reports whether there is something that was not done yet.
	Unindexed(ctx context.Context) (bool, error)
	// Index does it.
	Index(ctx context.Context, report func(Progress)) error
}

// texts is the work of making messages searchable, or of finding segments that
// are alike. It begins when nothing else is done: what is read first is what is
// seen.
type texts struct {
	of    Indexing // nil: a screen that leaves it as it is
	name  string
	job   work.Job
	want  bool // there may be some that are not
	asked bool // it is being looked up
	off   bool // nothing is done any more by this run
}

// unindexedCame answers whether there is something to be done.
type unindexedCame struct {
	x    *texts
	some bool
	err  error
}

// behindAll are the two, the first to be done first.
func (a *App) behindAll() []*texts { return []*texts{&a.texts, &a.alikes} }

// wantTexts says that there may be something to be done.
func (a *App) wantTexts() {
	for _, x := range a.behindAll() {
		x.want = true
	}
}

// lookForTexts finds out whether there is something to be done, unless it is
// known that there is not, or other work goes first.
func (a *App) lookForTexts() tea.Cmd {
	for _, x := range a.behindAll() {
		if x.of == nil || x.off || !x.want && !x.asked && !x.job.Running {
			continue
		}
		if x.asked || x.job.Running || a.jobs().Hurried() {
			return nil
		}
		x.want, x.asked = false, true
		ctx, of := a.ctx, x.of
		return func() tea.Msg {
			some, err := of.Unindexed(ctx)
			return unindexedCame{x, some, err}
		}
	}
	return nil
}

func (a *App) tookUnindexed(m unindexedCame) tea.Cmd {
	x := m.x
	x.asked = false
	switch {
	case m.err != nil:
		a.failTexts(x, m.err)
		return nil
	case x.off:
		return nil
	case !m.some:
		return a.lookForTexts()
	case a.jobs().Hurried():
		x.want = true
		return nil
	}
	x.job = work.New(x.of.Index, x.name)
	return a.start(&x.job)
}

// What the two are called.
const (
	textsName  = "text index"
	alikesName = "alike segments"
)

func (a *App) endTexts(x *texts, err error) tea.Cmd {
	x.job.Running = false
	switch {
	case x.job.Stopped && (err == nil || errors.Is(err, context.Canceled)):
		x.off = true
		a.say(x.name + " stopped " + a.G.Dot + " the next start goes on")
	case err != nil:
		a.failTexts(x, err)
	}
	return tea.Batch(a.lookForTexts(), a.pollNow())
}

// failTexts tells what went wrong, once: it would again.
func (a *App) failTexts(x *texts, err error) {
	x.off = true
	a.fail(x.name, err)
}
