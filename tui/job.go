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
}

// jobEvery is how often the progress line moves: steady to the eye.
const jobEvery = 200 * time.Millisecond

// job is the work behind the screen. A job that never was has no run.
type job struct {
	run     Job
	name    string
	running bool
	stopped bool // cancelled by the curator
	cancel  context.CancelFunc
	began   time.Time
	last    *atomic.Pointer[Progress] // the mailbox between job and screen
	done    chan struct{}             // closed when the job has returned
}

// jobTick moves the progress line; jobDone ends it.
type jobTick struct{}

type jobDone struct{ err error }

func newJob(run Job, name string) job {
	if name == "" {
		name = "work"
	}
	return job{run: run, name: name, last: new(atomic.Pointer[Progress])}
}

// startJob starts the job, if there is one.
func (a *App) startJob() tea.Cmd {
	j := &a.job
	if j.run == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(a.ctx)
	j.cancel, j.began, j.running, j.done = cancel, a.now(), true, make(chan struct{})
	run, last, done := j.run, j.last, j.done
	return tea.Batch(a.after(jobEvery, jobTick{}), func() tea.Msg {
		defer close(done)
		defer cancel()
		return jobDone{run(ctx, func(p Progress) { last.Store(&p) })}
	})
}

// wait returns when the job has ended; its context must have.
func (j *job) wait() {
	if j.done != nil {
		<-j.done
	}
}

// tickJob keeps the progress line moving while there is one.
func (a *App) tickJob() tea.Cmd {
	if !a.job.running {
		return nil
	}
	return a.after(jobEvery, jobTick{})
}

// stopJob cancels the job; it says itself when it has ended.
func (a *App) stopJob() tea.Cmd {
	a.job.stopped = true
	a.job.cancel()
	a.say("stopping the " + a.job.name)
	return nil
}

func (a *App) noJob() string {
	if !a.job.running {
		return "nothing is running"
	}
	return ""
}

// endJob tells how the job ended and shows what it brought.
func (a *App) endJob(m jobDone) tea.Cmd {
	j := &a.job
	j.running = false
	switch {
	case j.stopped && (m.err == nil || errors.Is(m.err, context.Canceled)):
		a.say(fmt.Sprintf("%s stopped %s what is there stays; the next one goes on", j.name, a.g.dot))
	case m.err != nil:
		a.fail(j.name, m.err)
	default:
		parts := append([]string{j.name + " done"}, j.counts()...)
		if note := j.progress().Note; note != "" {
			parts = append(parts, clean.Line(head(note)))
		}
		a.say(strings.Join(parts, " "+a.g.dot+" "))
	}
	return poll(a.ctx, a.lib)
}

// progress returns the counts that are known so far.
func (j *job) progress() Progress {
	if p := j.last.Load(); p != nil {
		return *p
	}
	return Progress{}
}

func (j *job) counts() []string {
	p := j.progress()
	var parts []string
	switch {
	case p.AllFiles > 0:
		parts = append(parts, fmt.Sprintf("%s of %s", grouped(p.Files), plural(p.AllFiles, "file")))
	case p.Files > 0:
		parts = append(parts, plural(p.Files, "file"))
	}
	if p.Messages > 0 {
		parts = append(parts, plural(p.Messages, "message"))
	}
	return parts
}

// jobLine is the progress line.
func (a *App) jobLine(w int) string {
	j := &a.job
	p := j.progress()
	parts := j.counts()
	if s := a.now().Sub(j.began).Seconds(); p.Bytes > 0 && s > 0 {
		parts = append(parts, fmt.Sprintf("%.0f MB/s", float64(p.Bytes)/1e6/s))
	}
	if p.AllBytes > 0 {
		parts = append(parts, fmt.Sprintf("%.0f%%", min(100, 100*float64(p.Bytes)/float64(p.AllBytes))))
	}
	if p.Note != "" {
		parts = append(parts, clean.Line(head(p.Note)))
	}
	text := strings.Join(parts, " "+a.g.dot+" ")
	if text == "" {
		text = "starting"
	}
	const stop = "ctrl+x stop "
	label := " " + j.name + "  "
	if w < len(label)+len(stop)+20 {
		return fit(a.ink.warn.on(label)+a.ink.text.on(text), w, a.g.more)
	}
	left := a.ink.warn.on(label) + a.ink.text.on(text)
	return fit(left, w-len(stop)-1, a.g.more) + " " + a.ink.key.on("ctrl+x") + a.ink.muted.on(" stop ")
}

// plural renders a count with its word: 1 file, 12 files.
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return grouped(n) + " " + word + "s"
}
