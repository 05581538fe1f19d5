package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/draw"
)

// awaitMore tells what a job that waits for more to do has brought: all of it
// when it begins to wait, and how much came since whenever something did.
func (a *App) awaitMore() tea.Cmd {
	j := &a.job
	p := j.progress()
	first := p.Waiting && j.ended == ""
	j.waiting = p.Waiting
	switch {
	case first:
		j.told = p.Messages
		a.sayDone()
		a.cuts.seen = p.Messages
		return tea.Batch(a.pollNow(), a.lookForCuts())
	case p.Waiting && p.Messages > j.told:
		a.sayNews(p.Messages)
	}
	if !p.Waiting {
		return nil
	}
	return a.cutNews()
}

// sayNews says how many messages came, unless something is said that matters
// more: it stays until a key is pressed, and the messages are counted until
// then.
func (a *App) sayNews(messages int) {
	if a.message.text != "" && !a.message.news {
		return
	}
	if !a.message.news {
		a.job.before = a.job.told
	}
	a.job.told = messages
	a.say("+" + draw.Plural(messages-a.job.before, "message"))
	a.message.news = true
}

// then returns a job that takes the place of this one, which is stopped, and
// begins when it has ended.
func (j *job) then(run Job, name string) job {
	if !j.running {
		return newJob(run, name)
	}
	j.cancel()
	before := *j
	next := newJob(func(ctx context.Context, report func(Progress)) error {
		before.wait()
		return run(ctx, report)
	}, name)
	next.after = &before
	return next
}
