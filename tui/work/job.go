package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"winnow/core/clean"
	"winnow/tui/draw"
)

// Run is work that runs in the background until it is done or ctx ends. It
// may call report as often as it likes, from any goroutine.
type Run func(ctx context.Context, report func(Progress)) error

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

// part is how much is done of all, as far as anything tells, and in what time.
func (p *Progress) part(now, began time.Time) (done, all int64, taken time.Duration) {
	switch taken = now.Sub(began); {
	case p.Waiting:
		return 0, 0, taken
	case p.AllBytes > 0:
		return p.Bytes, p.AllBytes, taken
	case p.AllSegments > 0:
		return int64(p.Segments), int64(p.AllSegments), taken
	}
	return int64(p.Sessions), int64(p.AllSessions), taken
}

// Every is how often the progress line moves: steady to the eye.
const Every = 200 * time.Millisecond

// Job is work in the background. A job that never was has no run.
type Job struct {
	Name    string
	Running bool
	Waiting bool   // for more to do
	Stopped bool   // cancelled by the curator
	Ended   string // how it ended, in words

	run    Run
	cancel context.CancelFunc
	began  time.Time
	last   *atomic.Pointer[Progress] // the mailbox between job and screen
	seen   Progress                  // what was in it when the screen looked last
	taken  *atomic.Bool              // its command has begun, or will not
	done   chan struct{}             // closed when the job has returned
	after  *Job                      // it begins when that one has ended; nil: at once
}

// Busy reports whether the job has something to do.
func (j *Job) Busy() bool { return j.Running && !j.Waiting }

// New returns a job that Planner.Start starts.
func New(run Run, name string) Job {
	return Job{run: run, Name: cmp.Or(name, "work"), last: new(atomic.Pointer[Progress])}
}

// start returns what runs the job.
func (j *Job) start(ctx context.Context, now time.Time) func() error {
	ctx, cancel := context.WithCancel(ctx)
	j.cancel, j.began, j.Running = cancel, now, true
	j.taken, j.done = new(atomic.Bool), make(chan struct{})
	run, last, taken, done := j.run, j.last, j.taken, j.done
	return func() error {
		defer cancel()
		if taken.Swap(true) {
			return context.Canceled
		}
		defer close(done)
		return run(ctx, func(p Progress) { last.Store(&p) })
	}
}

// Report says how far the job is.
func (j *Job) Report(p Progress) { j.last.Store(&p) }

// Stop cancels the job; it says itself when it has ended.
func (j *Job) Stop() {
	j.Stopped = true
	j.cancel()
}

// stopped reports whether the job ended because the curator stopped it.
func (j *Job) stopped(err error) bool {
	return j.Stopped && (err == nil || errors.Is(err, context.Canceled))
}

// Then returns a job that takes the place of this one, which is stopped, and
// begins when it has ended.
func (j *Job) Then(run Run, name string) Job {
	if !j.Running {
		return New(run, name)
	}
	j.cancel()
	before := *j
	next := New(func(ctx context.Context, report func(Progress)) error {
		before.Wait()
		return run(ctx, report)
	}, name)
	next.after = &before
	return next
}

// Wait returns when the job has ended, and the one it began after; its context
// must have. A job whose command was not run by then will not begin.
func (j *Job) Wait() {
	if j.done != nil {
		if !j.taken.Swap(true) {
			close(j.done)
		}
		<-j.done
	}
	if j.after != nil {
		j.after.Wait()
	}
}

// Look takes what the job has told. Only Update does: what is drawn must be what
// its room was reckoned for, whatever the job tells meanwhile.
func (j *Job) Look() {
	j.seen = Progress{}
	if j.last == nil {
		return
	}
	if p := j.last.Load(); p != nil {
		j.seen = *p
	}
}

// Progress returns the counts that were known when the screen looked last.
func (j *Job) Progress() Progress { return j.seen }

// note is what the job adds to its progress, safe to be shown.
func (j *Job) note() string { return clean.Line(draw.Head(j.seen.Note)) }

// Counts say how much is done, in words.
func (j *Job) Counts() []string {
	p := j.Progress()
	var parts []string
	count := func(n, all int, word string) {
		switch {
		case all > 0:
			parts = append(parts, draw.Grouped(n)+" of "+draw.Plural(all, word))
		case n > 0:
			parts = append(parts, draw.Plural(n, word))
		}
	}
	if p.Files == 0 {
		p.Files, p.AllFiles = p.AllFiles, 0
	}
	count(p.Files, p.AllFiles, "file")
	if p.AllSessions > 0 {
		count(p.Sessions, p.AllSessions, "session")
	}
	count(p.Messages, 0, "message")
	count(p.Segments, p.AllSegments, "segment")
	if p.AllSessions+p.AllSegments > 0 && p.Tokens > 0 {
		parts = append(parts, draw.Short(p.Tokens)+" tokens")
	}
	if p.Cost != "" {
		parts = append(parts, p.Cost)
	}
	return parts
}

// Facts say how far the job is, the most telling first: what has no room is
// cut at the end.
func (j *Job) Facts(now time.Time) []string {
	p := j.Progress()
	var parts []string
	if p.AllBytes > 0 {
		parts = append(parts, fmt.Sprintf("%.0f%%", min(100, 100*float64(p.Bytes)/float64(p.AllBytes))))
	}
	parts = append(parts, j.Counts()...)
	if s := now.Sub(j.began).Seconds(); p.Bytes > 0 && s > 0 {
		parts = append(parts, fmt.Sprintf("%.0f MB/s", float64(p.Bytes)/1e6/s))
	}
	if left := draw.TimeLeft(p.part(now, j.began)); left != "" {
		parts = append(parts, left)
	}
	if note := j.note(); note != "" {
		parts = append(parts, note)
	}
	if len(parts) == 0 {
		return []string{"starting"}
	}
	return parts
}
