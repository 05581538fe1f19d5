package print

import (
	"fmt"
	"io"
	"sync"
	"time"

	"winnow/core/clean"
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

// Elapsed is the time since the work began.
func (l *Progress) Elapsed() time.Duration { return l.now().Sub(l.begin) }
