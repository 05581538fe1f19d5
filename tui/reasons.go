package tui

import (
	"winnow/core/metric"
	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/screens/reasons"
)

// openReasons shows why the selected segment has its score.
func (a *App) openReasons(seat screen.Seat) screen.Layer {
	s := a.List.Selected()
	an, err := metric.Parse(s.Analysis)
	if err != nil {
		a.Fail(a.NameOf(s), err)
		return nil
	}
	return reasons.New(seat, forReasons{a}, a.opt.Likely, s, &an, &a.reasons)
}

func (a *App) noReasons() string {
	switch s := a.List.Selected(); {
	case s == nil:
		return "there is no segment"
	case a.Visiting():
		return "this is another session: " + a.keys.Esc(keys.InReader) + " goes back to the segment"
	case s.Analysis == "" && a.work.Scoring():
		return "not scored yet: that is under way"
	case s.Analysis == "":
		return "not scored yet: winnow score does it"
	}
	return ""
}

// forReasons is the program as the reasons need it.
type forReasons struct{ app *App }

func (p forReasons) Beside() int {
	if !p.app.Wide() {
		return 0
	}
	return p.app.ListWidth() + 1
}

func (p forReasons) Read(segment string, message int) {
	if s := p.app.List.Selected(); s != nil && s.ID == segment {
		p.app.also = append(p.app.also, p.app.ReadAt(segment, message))
	}
}
