package review

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// heirsKept bounds the segments whose heirs are remembered: those that were
// selected when they left.
const heirsKept = 256

// left is the selected segment, for the case that it leaves, and the message of
// it that is read.
type left struct {
	review.Segment
	at   int
	line int // of the screen
}

func (r *Room) selection() left {
	s := r.List.Selected()
	if s == nil {
		return left{}
	}
	l := left{Segment: *s, at: s.Start, line: r.List.Cur - r.List.Top}
	if n := r.Reader.Status().Number; r.Opened.ID == s.ID && !r.Visiting() && s.Start <= n && n <= s.End {
		l.at = n
	}
	return l
}

// inherit selects the segment that holds the message that was read, if the
// segment it was read in has left.
func (r *Room) inherit(l left) tea.Cmd {
	w := &r.List
	if l.ID == "" || w.Index(l.ID) >= 0 {
		return nil
	}
	for i := range w.Rows {
		if s := &w.Rows[i]; holds(s, &l) {
			w.Cur, w.Top = i, max(0, i-l.line)
			w.Scroll()
			r.inherited(l.ID, s.ID)
			return nil
		}
	}
	s := w.Selected()
	if r.editor == nil || s == nil {
		return nil
	}
	instead := s.ID
	return r.askNow(func(ctx context.Context, _ rows.Library) work.Show {
		heir := SegmentWith(ctx, r.editor, l.SessionID, l.at)
		return func() tea.Cmd { return r.goToFar(&heir, l.ID, instead) }
	})
}

func holds(s *review.Segment, l *left) bool {
	return s.SessionID == l.SessionID && s.Start <= l.at && l.at <= s.End
}

// goToFar goes to the heir of a segment that left, which stands far away in the list,
// unless the curator has gone on from the row that was selected instead.
func (r *Room) goToFar(heir *review.Segment, of, instead string) tea.Cmd {
	if heir.ID == "" {
		return nil
	}
	r.inherited(of, heir.ID)
	if s := r.List.Selected(); s == nil || s.ID != instead || r.wait.finding {
		return nil
	}
	if r.wait.instead == instead {
		r.wait.instead = heir.ID
	}
	return r.GoTo(heir, "")
}

// goToHeir goes to the segment that took the place of one that an entry changed
// and that was cut anew before it could be read; to the next one if that is not
// known. Keys wait for it.
func (r *Room) goToHeir(e *review.Entry) tea.Cmd {
	for _, c := range e.Changes {
		i := r.List.Index(r.heirOf(c.Segment))
		if i < 0 || r.editor == nil {
			continue
		}
		s := r.List.Rows[i]
		return r.goToFound(s.ID, func(ctx context.Context, _ rows.Library) (review.Segment, error) {
			return SegmentWith(ctx, r.editor, s.SessionID, s.Start), nil
		})
	}
	return r.goOn(false)
}

// inherited hands on what was typed and opened in a segment that left.
func (r *Room) inherited(from, to string) {
	if len(r.heirs) >= heirsKept || r.heirs == nil {
		r.heirs = map[string]string{}
	}
	r.heirs[from] = to
	r.notes.Inherit(from, to)
	r.tagDrafts.Inherit(from, to)
	if r.visitFrom == from {
		r.visitFrom = to
	}
}

// heirOf returns the id of the segment that took the place of another one, or
// that one's.
func (r *Room) heirOf(id string) string {
	for range heirsKept {
		next, ok := r.heirs[id]
		if !ok {
			break
		}
		id = next
	}
	return id
}
