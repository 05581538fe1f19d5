package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/work"
)

// Job is work that runs behind the screen, Progress how far it is.
type (
	Job      = work.Run
	Progress = work.Progress
)

// jobs are all there are, in the order in which they are stopped and shown:
// somebody waits for an export. A judge may take hours: what is done at leisure
// does not wait for it.
func (a *App) jobs() work.Lanes {
	s := &a.scores
	return work.Lanes{
		{Job: &a.exports.job, End: a.endExport},
		{Job: &a.cuts.job, End: a.endCuts, Planned: a.cuts.asked, First: true},
		{Job: &s.job, End: a.endScores, Planned: s.asked, First: !s.judging},
		{Job: &a.job, End: a.endImport, First: true},
		{Job: &a.texts.job, End: func(err error) tea.Cmd { return a.endTexts(&a.texts, err) }, Leisure: true},
		{Job: &a.alikes.job, End: func(err error) tea.Cmd { return a.endTexts(&a.alikes, err) }, Leisure: true},
	}
}

// startJob starts the import, if there is one.
func (a *App) startJob() tea.Cmd { return a.start(&a.job) }

func (a *App) start(j *work.Job) tea.Cmd { return j.Start(a.ctx, a.now(), a.after) }

// tickJob keeps the progress line moving while there is one. As long as there
// is room on the screen, new rows are looked for at every tick of the import, too.
func (a *App) tickJob(m work.Tick) tea.Cmd {
	j := &a.job
	if l := a.jobs().Of(m.Of); l != nil {
		j = l.Job
	} else if m.Of != nil {
		return nil
	}
	switch {
	case !j.Running:
		return nil
	case j != &a.job:
		return a.after(work.Every, m)
	}
	if cmd := a.awaitMore(); j.Waiting {
		return tea.Batch(cmd, a.after(pollEvery, m))
	}
	tick := a.after(work.Every, m)
	if a.begun && j.Progress().Messages > 0 && len(a.list.Rows) < a.list.Height {
		return tea.Batch(tick, poll(a.ctx, a.lib))
	}
	return tick
}

// stopJob cancels the job that is shown; it says itself when it has ended.
func (a *App) stopJob() tea.Cmd {
	j := a.jobs().Shown()
	j.Stop()
	a.say("stopping the " + j.Name)
	return nil
}

// busyJob returns the job whose progress is shown, nil for none.
func (a *App) busyJob() *work.Job {
	if j := a.jobs().Shown(); j != nil && j.Busy() {
		return j
	}
	return nil
}

func (a *App) noJob() string {
	if a.jobs().Shown() == nil {
		return "nothing is running"
	}
	return ""
}

// endJob has a job tell how it ended.
func (a *App) endJob(m work.Ended) tea.Cmd {
	if l := a.jobs().Of(m.Of); l != nil {
		return l.End(m.Err)
	}
	if m.Of == nil {
		return a.endImport(m.Err)
	}
	return nil
}

// endImport tells how the import ended and shows what it brought.
func (a *App) endImport(err error) tea.Cmd {
	j := &a.job
	waited := j.Waiting
	j.Running, j.Waiting = false, false
	switch {
	case j.Stopped && waited:
		a.say(fmt.Sprintf("%s stopped %s its files are no longer followed", j.Name, a.G.Dot))
	case j.Stopped && (err == nil || errors.Is(err, context.Canceled)):
		j.Ended = "It was stopped; the next one goes on where it ended."
		a.say(fmt.Sprintf("%s stopped %s what is there stays; the next one goes on", j.Name, a.G.Dot))
	case err != nil:
		j.Ended = clean.Line(draw.Head(err.Error()))
		a.fail(j.Name, err)
	default:
		a.sayDone()
	}
	if j.Stopped {
		return a.pollNow()
	}
	return tea.Batch(a.pollNow(), a.lookForCuts())
}

func (a *App) pollNow() tea.Cmd { return poll(a.ctx, a.lib) }

// sayDone tells what the job brought.
func (a *App) sayDone() {
	j := &a.job
	counts := j.Counts()
	if len(counts) == 0 {
		counts = []string{"no files found"}
	}
	note := clean.Line(draw.Head(j.Progress().Note))
	if j.Ended = note; note == "" {
		j.Ended = strings.Join(counts, ", ")
	} else {
		counts = append([]string{note}, counts...) // what was left out matters most
	}
	a.say(strings.Join(append([]string{j.Name + " done"}, counts...), " "+a.G.Dot+" "))
	a.message.done = true
}

// jobLine is the progress line.
func (a *App) jobLine(j *work.Job, w int) string {
	text := strings.Join(j.Facts(a.now()), " "+a.G.Dot+" ")
	key := a.keyFor("stop")
	stop := key + " stop "
	label := " " + j.Name + "  "
	if w < len(label)+len(stop)+20 {
		return draw.Fit(a.Ink.Warn.On(label)+a.Ink.Text.On(text), w, a.G.More)
	}
	left := a.Ink.Warn.On(label) + a.Ink.Text.On(text)
	return draw.Fit(left, w-len(stop)-1, a.G.More) + " " + a.Ink.Key.On(key) + a.Ink.Muted.On(" stop ")
}
