package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// Job is work that runs in the background, Progress how far it is.
type (
	Job      = work.Run
	Progress = work.Progress
)

// forWork is the program as its work needs it.
type forWork struct{ *App }

func (p forWork) Context() context.Context { return p.Ctx }

func (p forWork) Now() time.Time { return p.opt.Now() }

func (p forWork) After(d time.Duration, msg tea.Msg) tea.Cmd { return p.opt.After(d, msg) }

func (p forWork) Poll() tea.Cmd { return p.poll() }

func (p forWork) Pressed() (n int, idle bool) {
	a := p.App
	return a.Presses, a.field == nil && a.Context()&keys.InSegment != 0 && !a.TooSmall()
}

func (p forWork) Said() work.Said {
	if p.Message.Text == "" {
		return work.Nothing
	}
	return p.Message.Said
}

func (p forWork) Say(text string, as work.Said) { p.Message = screen.Message{Text: text, Said: as} }

func (a *App) noJob() string { return keys.Reason(a.work.Shown() == nil, "nothing is running") }

// jobLine is the progress line.
func (a *App) jobLine(j *work.Job, w int) string {
	text := strings.Join(j.Facts(a.opt.Now()), " "+a.G.Dot+" ")
	key := a.keyFor("stop")
	stop := key + " stop "
	label := " " + j.Name + "  "
	left := a.Ink.Warn.On(label) + a.Ink.Text.On(text)
	if w < len(label)+len(stop)+20 {
		return draw.Fit(left, w, a.G.More)
	}
	return draw.Fit(left, w-len(stop)-1, a.G.More) + " " + a.Ink.Key.On(key) + a.Ink.Muted.On(" stop ")
}
