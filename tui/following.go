package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/draw"
)

// awaitMore tells what a job that waits for more to do has brought: all of it
// when it begins to wait, and how much came since whenever something did.
func (a *App) awaitMore() tea.Cmd {
	j := &a.job
	p := j.Progress()
	first := p.Waiting && j.Ended == ""
	j.Waiting = p.Waiting
	switch {
	case first:
		j.Told = p.Messages
		a.sayDone()
		a.cuts.seen = p.Messages
		return tea.Batch(a.pollNow(), a.lookForCuts())
	case p.Waiting && p.Messages > j.Told:
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
		a.job.Before = a.job.Told
	}
	a.job.Told = messages
	a.say("+" + draw.Plural(messages-a.job.Before, "message"))
	a.message.news = true
}
