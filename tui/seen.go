package tui

import (
	"context"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/sights"
	"winnow/tui/work"
)

// Sights keep which messages the curator has seen on the screen. They are asked
// from commands only.
type Sights interface {
	// Seen returns those from first to last of a body.
	Seen(ctx context.Context, body int64, first, last int) (review.Spans, error)
	// See adds some.
	See(ctx context.Context, body int64, spans review.Spans) error
}

// glance is the question whether a segment is to be approved that was hardly seen.
type glance struct {
	asked string // its id, "" for nothing
	sure  string // of the one that is approved all the same
	epoch int    // of writes, when what was seen was written last
}

// looksAt returns what was seen for a screen that keeps it.
func looksAt(lib Sights) *sights.Sights {
	if lib == nil {
		return nil
	}
	return &sights.Sights{}
}

// canRead reports whether what the reader shows can be read.
func (a *App) canRead() bool {
	return a.ReaderShows() && a.Opened.ID != "" && !a.Covered() && a.Layer() == nil
}

// followSeen notes what stands in the reader, and has it written now and then, when a
// verdict is given, and when the reader leaves it.
func (a *App) followSeen() tea.Cmd {
	s := a.Sights
	if s == nil {
		return nil
	}
	var cmd tea.Cmd
	open, body := a.Opened.ID != "", a.Opened.Body
	if !s.On(open, body) {
		cmd = a.turnSeen(open, body)
	}
	if judged := a.writes.Writing() && a.writes.Epoch() != a.glance.epoch; judged || s.Ripe(a.opt.Now()) {
		a.glance.epoch = a.writes.Epoch()
		cmd = tea.Batch(cmd, a.writeSeen())
	}
	if s.Due() || !a.canRead() || !s.Stands(a.Reader.Shown(), a.Presses) {
		return cmd
	}
	return tea.Batch(cmd, a.opt.After(sights.After, work.Then(func() tea.Cmd {
		var shown review.Spans
		if a.canRead() {
			shown = a.Reader.Shown()
		}
		s.LookBack(body, shown, a.Presses)
		return nil
	})))
}

// turnSeen goes from what the reader showed to what it shows now.
func (a *App) turnSeen(open bool, body int64) tea.Cmd {
	s, lib, ctx := a.Sights, a.opt.Sights, a.Ctx
	cmd := a.writeSeen()
	for i := range a.List.Rows { // they keep what is known of the body
		a.List.Rows[i].Seen = s.Of(&a.List.Rows[i])
	}
	if s.Turn(open, body); !open {
		return cmd
	}
	return tea.Batch(cmd, func() tea.Msg {
		was, err := lib.Seen(ctx, body, 1, math.MaxInt32)
		return work.Then(func() tea.Cmd {
			if err == nil { // else the rows tell it
				s.Knows(body, was)
			}
			return nil
		})
	})
}

// writeSeen has written what was seen since it was the last time. It waits its turn
// after verdicts, and keeps nobody from anything: it is no change that lists are read
// again for, and a failure is worth no word, as the next time it is tried again.
func (a *App) writeSeen() tea.Cmd {
	s, lib := a.Sights, a.opt.Sights
	body, spans := s.Take(a.opt.Now())
	if len(spans) == 0 || a.opt.ReadOnly {
		return nil
	}
	return a.writes.Ask(a.Ctx, func(ctx context.Context) work.Show {
		err := lib.See(ctx, body, spans)
		return func() tea.Cmd {
			if err != nil {
				s.Back(body, spans)
			}
			return nil
		}
	})
}

// leaveSeen writes what was seen last, when the program ends.
func (a *App) leaveSeen() {
	if a.Sights == nil || a.opt.ReadOnly {
		return
	}
	if body, spans := a.Sights.Take(a.opt.Now()); len(spans) > 0 {
		_ = a.opt.Sights.See(context.WithoutCancel(a.Ctx), body, spans)
	}
}

// glanceKeys answer the question whether what was hardly seen is to be approved.
func glanceKeys() []keys.Row[*App] {
	return []keys.Row[*App]{
		keys.Key("y enter", "approve-unread", "approve it all the same", "approve", keys.InGlance, (*App).approveUnread, nil),
		keys.Key("n q esc", keys.Back, "read on", "read on", keys.InGlance, keys.Do((*App).readOn), nil),
	}
}

// AsksFirst asks whether a segment is to get a verdict, if it is an approval, too
// little of it was seen and the curator wants to be asked.
func (a *App) AsksFirst(s *review.Segment, v review.Verdict) bool {
	if v != review.Approved || s.ID == a.glance.sure || !a.Sights.Below(s, a.opt.AskBelow) {
		return false
	}
	a.glance.asked, a.Message = s.ID, screen.Message{}
	return true
}

// readOn leaves the segment as it is.
func (a *App) readOn() {
	a.glance.asked = ""
	a.Say("not approved")
}

// approveUnread approves the segment that was asked about.
func (a *App) approveUnread() tea.Cmd {
	id := a.glance.asked
	a.glance.asked = ""
	if s := a.List.Selected(); s == nil || s.ID != id {
		a.Say("it is not selected any more")
		return nil
	}
	a.glance.sure = id
	cmd := a.Judge(review.Approved)
	a.glance.sure = ""
	return cmd
}

// glanceLines draw the question.
func (a *App) glanceLines(w int) []string {
	i := a.List.Index(a.glance.asked)
	if a.glance.asked == "" || i < 0 {
		return nil
	}
	s := &a.List.Rows[i]
	var lines []string
	for l := range strings.SplitSeq(ansi.Wrap("Approve "+a.NameOf(s)+"? It was hardly read: "+a.Sights.Text(s), w-2, ""), "\n") {
		lines = append(lines, draw.Fit(" "+a.Ink.Warn.On(l), w, a.G.More))
	}
	return lines[:min(len(lines), max(1, a.H-screen.LeastAround))]
}
