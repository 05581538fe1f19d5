package work

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/tui/draw"
)

// idleEvery is how often an import that waits for files is looked at: as often as
// the database is.
const idleEvery = 700 * time.Millisecond

// tickImport takes what the import told. As long as there is room on the screen, new
// rows are looked for at every tick, too.
func (p *Planner) tickImport(again Then) tea.Cmd {
	cmd := p.awaitMore()
	if p.Import.Waiting {
		return tea.Batch(cmd, p.host.After(idleEvery, again))
	}
	tick := p.host.After(Every, again)
	if p.Import.Progress().Messages > 0 && p.host.Unfilled() {
		return tea.Batch(tick, p.host.Poll())
	}
	return tick
}

// awaitMore tells what an import that waits for more to do has brought: all of it
// when it begins to wait, and how much came since whenever something did.
func (p *Planner) awaitMore() tea.Cmd {
	j, now := &p.Import.Job, p.Import.Progress()
	j.Waiting = now.Waiting
	switch {
	case !now.Waiting:
		return nil
	case j.Ended == "":
		p.told, p.seen = now.Messages, now.Messages
		p.sayBrought()
		return tea.Batch(p.host.Poll(), p.look(p.cuts))
	case now.Messages > p.told:
		p.sayNews(now.Messages)
	}
	return p.cutNews(now.Messages)
}

// cutNews looks for what is to be cut when messages came. Those that a model would
// be asked about wait until there are no more.
func (p *Planner) cutNews(messages int) tea.Cmd {
	if messages == p.seen {
		return nil
	}
	p.seen = messages
	if p.cuts.sends {
		return p.wait(p.cuts)
	}
	return p.look(p.cuts)
}

// sayNews says how many messages came, unless something is said that matters more:
// it stays until a key is pressed, and the messages are counted until then.
func (p *Planner) sayNews(messages int) {
	switch p.host.Said() {
	case Nothing:
		p.before = p.told
	case News:
	default:
		return
	}
	p.told = messages
	p.host.Say("+"+draw.Plural(messages-p.before, "message"), News)
}

// imported tells how the import ended and shows what it brought.
func (p *Planner) imported(err error) tea.Cmd {
	j := &p.Import.Job
	waited := j.Waiting
	j.Waiting = false
	switch {
	case j.Stopped && waited:
		p.host.Say(j.Name+" stopped"+p.dot+"its files are no longer followed", Other)
	case j.stopped(err):
		j.Ended = "It was stopped; the next import goes on where it ended."
		p.host.Say(j.Name+" stopped"+p.dot+"what was imported stays; the next import goes on", Other)
	case err != nil:
		j.Ended = clean.Line(draw.Head(err.Error()))
		p.host.Fail(j.Name, err)
	default:
		p.sayBrought()
	}
	if j.Stopped {
		return p.host.Poll()
	}
	return tea.Batch(p.host.Poll(), p.look(p.cuts))
}

// sayBrought tells what the import brought.
func (p *Planner) sayBrought() {
	j := &p.Import.Job
	counts := j.Counts()
	if len(counts) == 0 {
		counts = []string{"no files found"}
	}
	j.Ended = strings.Join(counts, ", ")
	if note := j.note(); note != "" {
		j.Ended = note
		counts = append([]string{note}, counts...) // what was left out matters most
	}
	p.host.Say(strings.Join(append([]string{j.Name + " done"}, counts...), p.dot), Brought)
}
