package print

import (
	"fmt"
	"io"
	"sync"
	"time"

	"winnow/core/clean"
	"winnow/tui/draw"
)

// progressEvery is how often the progress line is redrawn: the eye takes more
// for flicker.
const progressEvery = 100 * time.Millisecond

// Progress shows the state of long work in one line of a terminal. It may
// be called from several goroutines; without a terminal it prints nothing.
type Progress struct {
	mu    sync.Mutex
	w     io.Writer // nil: no terminal
	now   func() time.Time
	begin time.Time
	last  time.Time
	drawn bool
	// first is what was done already when Left was asked for the first time, at
	// since: only what is done from there on tells the pace.
	first int64
	since time.Time
}

// NewProgress returns a line that is drawn on w; nil draws nothing.
func NewProgress(w io.Writer, now func() time.Time) *Progress {
	return &Progress{w: w, now: now, begin: now()}
}

// Show draws text over what it drew before, unless that was just now.
func (l *Progress) Show(text string) { l.draw(text, progressEvery) }

// Stay draws text whatever was drawn just now: it is to be seen for a while.
func (l *Progress) Stay(text string) { l.draw(text, 0) }

// draw draws text unless something was drawn less than a while ago.
func (l *Progress) draw(text string, while time.Duration) {
	if l.w == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if l.drawn && now.Sub(l.last) < while {
		return
	}
	l.last, l.drawn = now, true
	// Erase to the end of the line, so that a shorter text leaves no rest.
	fmt.Fprintf(l.w, "\r%s\x1b[K", clean.Line(text))
}

// Clear removes what was drawn, so that something else may be printed.
func (l *Progress) Clear() {
	if l.w == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.drawn {
		fmt.Fprint(l.w, "\r\x1b[K")
	}
	l.drawn = false
}

// Done removes the line.
func (l *Progress) Done() {
	l.Clear()
	l.w = nil
}

// Left says how long the rest of the work will take at the pace it has, ", 40 s left",
// "" while nobody can tell. done and all count the same, whatever it is.
func (l *Progress) Left(done, all int64) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if l.since.IsZero() || done < l.first {
		l.first, l.since = done, now
	}
	if left := draw.TimeLeft(done-l.first, all-l.first, now.Sub(l.since)); left != "" {
		return ", " + left
	}
	return ""
}

// Elapsed is the time since the work began.
func (l *Progress) Elapsed() time.Duration { return l.now().Sub(l.begin) }
