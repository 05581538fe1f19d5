package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"
)

// Indexing makes messages searchable by their text, behind the screen. Every
// method may take long and is called from commands only.
type Indexing interface {
	// Unindexed reports whether there are messages that are not searchable yet.
	Unindexed(ctx context.Context) (bool, error)
	// Index makes them searchable.
	Index(ctx context.Context, report func(Progress)) error
}

// texts is the work of making messages searchable. It begins when nothing else
// is done: what is read first is what is seen.
type texts struct {
	job   job
	want  bool // there may be some that are not
	asked bool // it is being looked up
	off   bool // nothing is done any more by this run
}

// unindexedCame answers whether there are messages that are not searchable.
type unindexedCame struct {
	some bool
	err  error
}

// lookForTexts finds out whether there is something to be done, unless it is
// known that there is not, or other work goes first.
func (a *App) lookForTexts() tea.Cmd {
	x := &a.texts
	if a.indexing == nil || x.off || !x.want || x.asked || x.job.running || a.hurried() {
		return nil
	}
	x.want, x.asked = false, true
	ctx, indexing := a.ctx, a.indexing
	return func() tea.Msg {
		some, err := indexing.Unindexed(ctx)
		return unindexedCame{some, err}
	}
}

func (a *App) tookUnindexed(m unindexedCame) tea.Cmd {
	x := &a.texts
	x.asked = false
	switch {
	case m.err != nil:
		a.failTexts(m.err)
		return nil
	case !m.some || x.off:
		return nil
	case a.hurried():
		x.want = true
		return nil
	}
	x.job = newJob(a.indexing.Index, textsName)
	return a.start(&x.job)
}

const textsName = "text index"

// shown reports whether the work takes so long that it has told how far it is.
func (x *texts) shown() bool { return x.job.running && x.job.progress() != Progress{} }

func (a *App) endTexts(err error) tea.Cmd {
	x := &a.texts
	x.job.running = false
	switch {
	case x.job.stopped && (err == nil || errors.Is(err, context.Canceled)):
		x.off = true
		a.say(textsName + " stopped " + a.g.dot + " the next start goes on")
	case err != nil:
		a.failTexts(err)
	}
	return a.pollNow()
}

// failTexts tells what went wrong, once: it would again.
func (a *App) failTexts(err error) {
	a.texts.off = true
	a.fail(textsName, err)
}
