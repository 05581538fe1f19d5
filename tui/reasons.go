package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/screens/reasons"
)

// openReasons shows why the selected segment has its score.
func (a *App) openReasons(seat screen.Seat) screen.Layer {
	s := a.list.Selected()
	an, err := metric.Parse(s.Analysis)
	if err != nil {
		a.fail(a.nameOf(s), err)
		return nil
	}
	return reasons.New(seat, forReasons{a}, s, &an, &a.reasons)
}

func (a *App) noReasons() string {
	switch s := a.list.Selected(); {
	case s == nil:
		return "there is no segment"
	case a.visiting():
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
	if !p.app.wide() {
		return 0
	}
	return p.app.listWidth() + 1
}

func (p forReasons) Read(segment string, message int) {
	if s := p.app.list.Selected(); s != nil && s.ID == segment {
		p.app.also = append(p.app.also, p.app.readAt(segment, message))
	}
}

// readAt gives the reader the keys, at a message of the segment with an id.
func (a *App) readAt(id string, message int) tea.Cmd {
	a.focus = onReader
	if a.opened.ID == id {
		return a.reader.Show(message)
	}
	a.landing = landing{id, message}
	return nil
}

// brief is what an analysis says in short: its metrics, the lowest one first.
type brief struct {
	analysis string
	metrics  []string
}

// explain has the brief of the selected segment at hand: every frame tells it.
func (w *window) explain() {
	s := w.Selected()
	if s == nil || s.Analysis == w.brief.analysis {
		return
	}
	w.brief = brief{analysis: s.Analysis}
	if an, err := metric.Parse(s.Analysis); err == nil {
		for _, r := range an.Reasons(s.Start) {
			w.brief.metrics = append(w.brief.metrics, clean.Line(draw.Head(r.Metric))+" "+shortScore(r.Score))
		}
	}
}

// why tells in short what a segment's score is made of, in as many cells as
// there are.
func (a *App) why(s *review.Segment, room int) string {
	if s == nil || s.Analysis == "" {
		return ""
	}
	text := a.ScoreAndTask(s) + " why:"
	for i, part := range a.list.brief.metrics {
		if ansi.StringWidth(text)+1+ansi.StringWidth(part) > room {
			if i == 0 {
				return ""
			}
			break
		}
		text += " " + part
	}
	return text
}

// shortScore writes a score in three cells: .88, or 1.0.
func shortScore(x float64) string {
	if text := metric.ScoreText(x); x < 1 {
		return strings.TrimPrefix(text, "0")
	}
	return "1"
}
