package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/tui/draw"
)

// Job is work that runs behind the screen until it is done or ctx ends. It
// may call report as often as it likes, from any goroutine.
type Job func(ctx context.Context, report func(Progress)) error

// Progress says how far a job is. Unknown totals are 0.
type Progress struct {
	Files, AllFiles int
	Messages        int
	Bytes, AllBytes int64
	// Note is added at the end of the line, such as a file that gave nothing.
	Note string
	// Sessions of AllSessions are cut; Tokens is how much they hold, and Cost
	// what was paid for it ("$0.42"), "" for nothing known. Failed of them
	// could not be cut.
	Sessions, AllSessions, Tokens, Failed int
	// Segments of AllSegments are done: scored or exported. AllSegments is 0
	// if nobody knows it.
	Segments, AllSegments int
	Cost                  string
	// Waiting says that all is done that there was to do, and that the job goes
	// on when there is more. Its line is not shown meanwhile.
	Waiting bool
}

// jobEvery is how often the progress line moves: steady to the eye.
const jobEvery = 200 * time.Millisecond

// job is the work behind the screen. A job that never was has no run.
type job struct {
	run     Job
	name    string
	running bool
	waiting bool // for more to do
	told    int  // messages the curator was told of
	before  int  // messages before those that the footer counts
	stopped bool // cancelled by the curator
	cancel  context.CancelFunc
	began   time.Time
	ended   string                    // how it ended, in words
	last    *atomic.Pointer[Progress] // the mailbox between job and screen
	seen    Progress                  // what was in it when the screen looked last
	state   *atomic.Int32             // whether the command has begun
	done    chan struct{}             // closed when the job has returned
	after   *job                      // it begins when that one has ended; nil: at once
}

// jobTick moves the progress line; jobDone ends it. Their job is told by its
// channel; nil is the one there is.
type jobTick struct{ of chan struct{} }

type jobDone struct {
	of  chan struct{}
	err error
}

// isOf reports whether a message is about this job.
func (j *job) isOf(of chan struct{}) bool { return of == nil || of == j.done }

// busy reports whether the job has something to do.
func (j *job) busy() bool { return j.running && !j.waiting }

func newJob(run Job, name string) job {
	if name == "" {
		name = "work"
	}
	return job{run: run, name: name, last: new(atomic.Pointer[Progress])}
}

// startJob starts the job, if there is one.
func (a *App) startJob() tea.Cmd { return a.start(&a.job) }

func (a *App) start(j *job) tea.Cmd {
	if j.run == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(a.ctx)
	j.cancel, j.began, j.running = cancel, a.now(), true
	j.state, j.done = new(atomic.Int32), make(chan struct{})
	run, last, state, done := j.run, j.last, j.state, j.done
	return tea.Batch(a.after(jobEvery, jobTick{done}), func() tea.Msg {
		defer cancel()
		if !state.CompareAndSwap(jobNew, jobBegun) {
			return jobDone{done, context.Canceled}
		}
		defer close(done)
		return jobDone{done, run(ctx, func(p Progress) { last.Store(&p) })}
	})
}

// The states of a job. A command that was made may never be run.
const (
	jobNew int32 = iota
	jobBegun
	jobDropped
)

// wait returns when the job has ended, and the one it began after; its context
// must have. A job that was not begun will not be.
func (j *job) wait() {
	if j.done != nil && !j.state.CompareAndSwap(jobNew, jobDropped) {
		<-j.done
	}
	if j.after != nil {
		j.after.wait()
	}
}

// tickJob keeps the progress line moving while there is one. As long as there
// is room on the screen, new rows are looked for at every tick, too.
func (a *App) tickJob(m jobTick) tea.Cmd {
	for _, j := range a.behind() {
		if j.running && j.done == m.of {
			return a.after(jobEvery, m)
		}
	}
	if !a.job.running || !a.job.isOf(m.of) {
		return nil
	}
	if cmd := a.awaitMore(); a.job.waiting {
		return tea.Batch(cmd, a.after(pollEvery, m))
	}
	tick := a.after(jobEvery, m)
	if a.begun && a.job.progress().Messages > 0 && len(a.list.Rows) < a.list.Height {
		return tea.Batch(tick, poll(a.ctx, a.lib))
	}
	return tick
}

// stopJob cancels the job that is shown; it says itself when it has ended.
func (a *App) stopJob() tea.Cmd {
	j := a.runningJob()
	j.stopped = true
	j.cancel()
	a.say("stopping the " + j.name)
	return nil
}

// behind are the jobs besides the import: those that follow it, in the order in
// which they do, and the export.
func (a *App) behind() []*job {
	return []*job{&a.cuts.job, &a.scores.job, &a.texts.job, &a.alikes.job, &a.exports.job}
}

// runningJob returns the job that is stopped next, nil for none.
func (a *App) runningJob() *job {
	switch {
	case a.exports.job.running: // somebody waits for it
		return &a.exports.job
	case a.cuts.job.running:
		return &a.cuts.job
	case a.scores.job.running:
		return &a.scores.job
	case a.texts.shown() && !a.job.busy():
		return &a.texts.job
	case a.alikes.shown() && !a.job.busy():
		return &a.alikes.job
	case a.job.running:
		return &a.job
	}
	return nil
}

// hurried reports whether something is under way that the text index waits for.
// A judge may take hours.
func (a *App) hurried() bool {
	return a.job.busy() || a.cuts.asked || a.cuts.job.running || a.scores.asked || a.scores.job.running && !a.scores.judging
}

// busyJob returns the job whose progress is shown, nil for none.
func (a *App) busyJob() *job {
	if j := a.runningJob(); j != nil && j.busy() {
		return j
	}
	return nil
}

func (a *App) noJob() string {
	if a.runningJob() == nil {
		return "nothing is running"
	}
	return ""
}

// endJob tells how the job ended and shows what it brought.
func (a *App) endJob(m jobDone) tea.Cmd {
	switch {
	case m.of == nil:
	case m.of == a.exports.job.done:
		return a.endExport(m.err)
	case m.of == a.cuts.job.done:
		return a.endCuts(m.err)
	case m.of == a.scores.job.done:
		return a.endScores(m.err)
	case m.of == a.texts.job.done:
		return a.endTexts(&a.texts, m.err)
	case m.of == a.alikes.job.done:
		return a.endTexts(&a.alikes, m.err)
	}
	j := &a.job
	if !j.isOf(m.of) {
		return nil
	}
	waited := j.waiting
	j.running, j.waiting = false, false
	switch {
	case j.stopped && waited:
		a.say(fmt.Sprintf("%s stopped %s its files are no longer followed", j.name, a.G.Dot))
	case j.stopped && (m.err == nil || errors.Is(m.err, context.Canceled)):
		j.ended = "It was stopped; the next one goes on where it ended."
		a.say(fmt.Sprintf("%s stopped %s what is there stays; the next one goes on", j.name, a.G.Dot))
	case m.err != nil:
		j.ended = clean.Line(draw.Head(m.err.Error()))
		a.fail(j.name, m.err)
	default:
		a.sayDone()
	}
	if j.stopped {
		return a.pollNow()
	}
	return tea.Batch(a.pollNow(), a.lookForCuts())
}

func (a *App) pollNow() tea.Cmd { return poll(a.ctx, a.lib) }

// sayDone tells what the job brought.
func (a *App) sayDone() {
	j := &a.job
	counts := j.counts()
	if len(counts) == 0 {
		counts = []string{"no files found"}
	}
	note := clean.Line(draw.Head(j.progress().Note))
	if j.ended = note; note == "" {
		j.ended = strings.Join(counts, ", ")
	} else {
		counts = append([]string{note}, counts...) // what was left out matters most
	}
	a.say(strings.Join(append([]string{j.name + " done"}, counts...), " "+a.G.Dot+" "))
	a.message.done = true
}

// look takes what the job has told. Only Update does: what is drawn must be what
// its room was reckoned for, whatever the job tells meanwhile.
func (j *job) look() {
	j.seen = Progress{}
	if j.last == nil {
		return
	}
	if p := j.last.Load(); p != nil {
		j.seen = *p
	}
}

// lookAtJobs takes what all jobs have told.
func (a *App) lookAtJobs() {
	a.job.look()
	for _, j := range a.behind() {
		j.look()
	}
}

// progress returns the counts that were known when the screen looked last.
func (j *job) progress() Progress { return j.seen }

func (j *job) counts() []string {
	p := j.progress()
	var parts []string
	switch {
	case p.AllFiles > 0 && p.Files == 0:
		parts = append(parts, draw.Plural(p.AllFiles, "file"))
	case p.AllFiles > 0:
		parts = append(parts, fmt.Sprintf("%s of %s", draw.Grouped(p.Files), draw.Plural(p.AllFiles, "file")))
	case p.Files > 0:
		parts = append(parts, draw.Plural(p.Files, "file"))
	}
	if p.AllSessions > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s", draw.Grouped(p.Sessions), draw.Plural(p.AllSessions, "session")))
	}
	if p.Messages > 0 {
		parts = append(parts, draw.Plural(p.Messages, "message"))
	}
	switch {
	case p.AllSegments > 0:
		parts = append(parts, fmt.Sprintf("%s of %s", draw.Grouped(p.Segments), draw.Plural(p.AllSegments, "segment")))
	case p.Segments > 0:
		parts = append(parts, draw.Plural(p.Segments, "segment"))
	}
	if p.AllSessions+p.AllSegments > 0 && p.Tokens > 0 {
		parts = append(parts, draw.Short(p.Tokens)+" tokens")
	}
	if p.Cost != "" {
		parts = append(parts, p.Cost)
	}
	return parts
}

// facts say how far the job is, the most telling first: what has no room is
// cut at the end.
func (j *job) facts(now time.Time) []string {
	p := j.progress()
	var parts []string
	if p.AllBytes > 0 {
		parts = append(parts, fmt.Sprintf("%.0f%%", min(100, 100*float64(p.Bytes)/float64(p.AllBytes))))
	}
	parts = append(parts, j.counts()...)
	if s := now.Sub(j.began).Seconds(); p.Bytes > 0 && s > 0 {
		parts = append(parts, fmt.Sprintf("%.0f MB/s", float64(p.Bytes)/1e6/s))
	}
	if p.Note != "" {
		parts = append(parts, clean.Line(draw.Head(p.Note)))
	}
	if len(parts) == 0 {
		return []string{"starting"}
	}
	return parts
}

// jobLine is the progress line.
func (a *App) jobLine(j *job, w int) string {
	text := strings.Join(j.facts(a.now()), " "+a.G.Dot+" ")
	key := a.keyFor("stop")
	stop := key + " stop "
	label := " " + j.name + "  "
	if w < len(label)+len(stop)+20 {
		return draw.Fit(a.Ink.Warn.On(label)+a.Ink.Text.On(text), w, a.G.More)
	}
	left := a.Ink.Warn.On(label) + a.Ink.Text.On(text)
	return draw.Fit(left, w-len(stop)-1, a.G.More) + " " + a.Ink.Key.On(key) + a.Ink.Muted.On(" stop ")
}
