package review

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/reader"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// visit is a session that the reader shows in place of the selected segment:
// one that a link led to. It has no verdict of its own: its segments are rows
// of the list like any others.
type visit struct {
	seg   review.Segment // all of the session; no segment has its ID
	title string
}

// Visiting reports whether the reader shows another session than the list.
func (r *Room) Visiting() bool { return len(r.visits) > 0 }

// followLink goes where the current message leads.
func (r *Room) followLink() tea.Cmd {
	if l, ok := r.Reader.FollowLink(); ok {
		return r.Visit(l)
	}
	return nil
}

// Visit goes to a session that is linked from what the reader shows, or to the
// reasons of the score.
func (r *Room) Visit(l reader.Link) tea.Cmd {
	s := r.List.Selected()
	switch {
	case s == nil:
		return nil
	case l.Reasons && r.app.Lacks(keys.InReasons) == "":
		r.app.Enter(keys.InReasons)
		return nil
	}
	from := s.ID
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		session, err := lib.Session(ctx, l.Session)
		return func() tea.Cmd {
			switch {
			case err != nil:
				r.Fail("opening "+r.LinkName(l), err)
			case r.readsNow() != from: // the curator has gone on
			case session.Messages == 0:
				r.Say(r.LinkName(l) + " has no messages")
			default:
				return r.enterVisit(&session, l)
			}
			return nil
		}
	})
}

// enterVisit shows a session that a link leads to. One that was come through is gone
// back to: links between a session and what comes from it lead to and fro, and the way
// back must not get longer by that.
func (r *Room) enterVisit(to *review.Session, l reader.Link) tea.Cmd {
	r.Focus = OnReader
	base := r.List.Selected()
	if i := slices.IndexFunc(r.visits, func(v visit) bool { return v.seg.SessionID == to.ID }); i >= 0 {
		r.visits = r.visits[:i+1]
		return r.openVisit(l.At)
	}
	if r.Visiting() && base.SessionID == to.ID && (l.At == 0 || base.Start <= l.At && l.At <= base.End) {
		r.visits = nil
		return r.open(base, l.At)
	}
	title := cmp.Or(l.Title, review.FileTitle(clean.Line(to.File)))
	r.visits, r.visitFrom = append(r.visits, visit{visitedSegment(to), title}), base.ID
	return r.openVisit(l.At)
}

// visitedSegment is all of a session, as the reader wants it.
func visitedSegment(s *review.Session) review.Segment {
	return review.Segment{
		ID: "visit " + s.ID, SessionID: s.ID, AgentID: s.AgentID, SessionFile: s.File,
		Body: s.Body, Start: 1, End: s.Messages, Tally: s.Tally,
	}
}

// LinkName names in the footer where a link leads.
func (r *Room) LinkName(l reader.Link) string { return draw.CutWords(l.Title, nameWidth, r.G.More) }

// leaveVisits shows the selected segment again.
func (r *Room) leaveVisits() {
	if r.Visiting() {
		r.visits, r.Opened = nil, review.Segment{}
	}
}

// renewVisits reads the visited sessions again: somebody changed the database.
func (r *Room) renewVisits() tea.Cmd {
	if !r.Visiting() {
		return nil
	}
	visits := slices.Clone(r.visits)
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		sessions, gone := map[string]review.Session{}, map[string]bool{}
		for i := range visits {
			id := visits[i].seg.SessionID
			s, err := lib.Session(ctx, id)
			if err == nil {
				sessions[id] = s
			}
			gone[id] = errors.Is(err, review.ErrNotFound)
		}
		return func() tea.Cmd { return r.renewed(sessions, gone) }
	})
}

// renewed shows what became of the visited sessions; the place that is read
// stays. One that is not there any more ends the visit.
func (r *Room) renewed(sessions map[string]review.Session, gone map[string]bool) tea.Cmd {
	changed := false
	for i := range r.visits {
		v := &r.visits[i]
		if gone[v.seg.SessionID] {
			r.visits = r.visits[:i]
			r.Say("the session no longer exists")
			return r.visitAgain()
		}
		s, ok := sessions[v.seg.SessionID]
		if now := visitedSegment(&s); ok && s.Messages > 0 && (now.Body != v.seg.Body || now.Tally != v.seg.Tally) {
			v.seg = now
			changed = i == len(r.visits)-1
		}
	}
	if changed {
		return r.visitAgain()
	}
	return nil
}

// openVisit shows the innermost visit, from a message on; 0 for where it was
// left.
func (r *Room) openVisit(at int) tea.Cmd {
	return r.open(&r.visits[len(r.visits)-1].seg, at)
}

// open shows a segment or visit in the reader, from a message on; 0 for where it was
// left.
func (r *Room) open(s *review.Segment, at int) tea.Cmd {
	r.Opened = *s
	cmd := r.Reader.Open(*s)
	if at > 0 {
		cmd = tea.Batch(cmd, r.Reader.Show(at))
	}
	return cmd
}

// comeBack leaves the innermost visit for where its link stands.
func (r *Room) comeBack() tea.Cmd {
	r.visits = r.visits[:len(r.visits)-1]
	return r.visitAgain()
}

// visitAgain opens the innermost visit anew, where it was left, or if there is
// none the selected segment.
func (r *Room) visitAgain() tea.Cmd {
	if r.Visiting() {
		return r.openVisit(0)
	}
	r.Opened = review.Segment{} // so that it is opened
	return nil
}

// NoVerdict says why nothing can be decided on what is read.
func (r *Room) NoVerdict() string {
	if reason := r.NoChange(); reason != "" {
		return reason
	}
	if r.Visiting() && r.Focus == OnReader {
		return "this session was opened from another: " + r.keys.Esc(keys.InReader) + " goes back to the segment"
	}
	return r.NoSegment()
}

// NoChange says why nothing can be changed at all.
func (r *Room) NoChange() string {
	return keys.Reason(r.readOnly, "the database is read-only: verdicts are off")
}

// visitTitle names a visited session in place of the segment.
func (r *Room) visitTitle(w int) string {
	v := r.visits[len(r.visits)-1]
	mark := r.Ink.Key.On(r.G.Mark)
	back := r.keys.Esc(keys.InReader) + " goes back"
	if n := len(r.visits); n > 1 {
		back += " (" + strconv.Itoa(n) + " deep)"
	}
	return mark + draw.Fit(r.JoinTitle([]draw.TitlePart{
		{Text: v.title, Ink: r.Ink.Name, Least: 20, Wish: 60, Worth: 8},
		{Text: draw.Plural(v.seg.Messages, "message"), Ink: r.Ink.Muted, Worth: 3},
		{Text: rows.FileTitle(&v.seg), Ink: r.Ink.Muted, Worth: 2},
		{Text: back, Ink: r.Ink.Warn, Worth: 9},
	}, w-2), w-1, "")
}

// landing is the message to be read in a segment when it is opened next.
type landing struct {
	segment string
	at      int
}

// LandAt has a message read when the segment of an id is opened next.
func (r *Room) LandAt(id string, message int) { r.landing = landing{id, message} }

// ReadAt gives the reader the keys, at a message of a segment or visit by its id.
func (r *Room) ReadAt(id string, message int) tea.Cmd {
	r.Focus = OnReader
	if r.Opened.ID == id {
		return r.Reader.Show(message)
	}
	r.LandAt(id, message)
	return nil
}
