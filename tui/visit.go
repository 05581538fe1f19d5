package tui

import (
	"errors"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/reader"
	"winnow/tui/work"
)

// visit is a session that the reader shows in place of the selected segment:
// one that a link led to. It has no verdict of its own: its segments are rows
// of the list like any others.
type visit struct {
	seg   review.Segment // all of the session; no segment has its ID
	title string
}

// visitLoaded answers for a session that a link led to.
type visitLoaded struct {
	from    string // the row that was selected
	link    reader.Link
	session review.Session
	err     error
}

// visiting reports whether the reader shows another session than the list.
func (r *Room) visiting() bool { return len(r.visits) > 0 }

// followLink goes where the current message leads.
func (r *Room) followLink() tea.Cmd {
	l, ok := r.reader.FollowLink()
	if !ok {
		return nil
	}
	return r.visit(l)
}

// visit goes to a session that is linked from what the reader shows, or to the
// reasons of the score.
func (r *Room) visit(l reader.Link) tea.Cmd {
	s := r.list.Selected()
	switch {
	case s == nil:
		return nil
	case l.Reasons && r.app.Lacks(keys.InReasons) == "":
		return r.app.Enter(keys.InReasons)
	}
	from, ctx, lib := s.ID, r.ctx, r.lib
	return func() tea.Msg {
		found, err := lib.Session(ctx, l.Session)
		return visitLoaded{from, l, found, err}
	}
}

func (r *Room) tookVisit(m visitLoaded) tea.Cmd {
	s := r.list.Selected()
	switch {
	case m.err != nil:
		r.Fail("opening "+r.linkName(m.link), m.err)
		return nil
	case s == nil || s.ID != m.from:
		return nil // the curator has gone on
	case m.session.Messages == 0:
		r.Say(r.linkName(m.link) + " has no messages")
		return nil
	}
	r.focus = onReader
	if cmd, back := r.wayBack(&m, s); back {
		return cmd
	}
	v := visit{title: m.link.Title, seg: visitedSegment(&m.session)}
	if v.title == "" {
		v.title = review.FileTitle(clean.Line(m.session.File))
	}
	r.visits, r.visitFrom = append(r.visits, v), m.from
	return r.openVisit(m.link.At)
}

// visitedSegment is all of a session, as the reader wants it.
func visitedSegment(s *review.Session) review.Segment {
	return review.Segment{
		ID: "visit " + s.ID, SessionID: s.ID, AgentID: s.AgentID, SessionFile: s.File,
		Body: s.Body, Start: 1, End: s.Messages, Tally: s.Tally,
	}
}

// wayBack goes to a session that one came through: links between a session and
// what comes from it lead to and fro, and the way back must not get longer by
// that.
func (r *Room) wayBack(m *visitLoaded, base *review.Segment) (cmd tea.Cmd, back bool) {
	for i := range r.visits {
		if r.visits[i].seg.SessionID == m.session.ID {
			r.visits = r.visits[:i+1]
			return r.openVisit(m.link.At), true
		}
	}
	at := m.link.At
	if !r.visiting() || base.SessionID != m.session.ID || at != 0 && (at < base.Start || at > base.End) {
		return nil, false
	}
	r.visits, r.opened = nil, *base
	cmd = r.reader.Open(*base)
	if at > 0 {
		cmd = tea.Batch(cmd, r.reader.Show(at))
	}
	return cmd, true
}

// linkName names in the footer where a link leads.
func (r *Room) linkName(l reader.Link) string { return draw.CutWords(l.Title, nameWidth, r.G.More) }

// leaveVisits shows the selected segment again.
func (r *Room) leaveVisits() {
	if r.visiting() {
		r.visits, r.opened = nil, review.Segment{}
	}
}

// renewVisits reads the visited sessions again: somebody changed the database.
func (r *Room) renewVisits() tea.Cmd {
	if !r.visiting() {
		return nil
	}
	ids := make([]string, len(r.visits))
	for i := range r.visits {
		ids[i] = r.visits[i].seg.SessionID
	}
	ctx, lib := r.ctx, r.lib
	return func() tea.Msg {
		sessions, gone := map[string]review.Session{}, map[string]bool{}
		for _, id := range ids {
			s, err := lib.Session(ctx, id)
			if err == nil {
				sessions[id] = s
			}
			gone[id] = errors.Is(err, review.ErrNotFound)
		}
		return work.Then(func() tea.Cmd { return r.renewed(sessions, gone) })
	}
}

// renewed shows what became of the visited sessions; the place that is read
// stays. One that is not there any more ends the visit.
func (r *Room) renewed(sessions map[string]review.Session, gone map[string]bool) tea.Cmd {
	changed := false
	for i := range r.visits {
		v := &r.visits[i]
		if gone[v.seg.SessionID] {
			r.visits = r.visits[:i]
			r.Say("the session is not there any more")
			return r.visitAgain()
		}
		s, ok := sessions[v.seg.SessionID]
		if now := visitedSegment(&s); ok && s.Messages > 0 && (now.Body != v.seg.Body || now.Tally != v.seg.Tally) {
			v.seg = now
			changed = i == len(r.visits)-1
		}
	}
	if !changed {
		return nil
	}
	return r.visitAgain()
}

// openVisit shows the innermost visit, from a message on; 0 for where it was
// left.
func (r *Room) openVisit(at int) tea.Cmd {
	v := r.visits[len(r.visits)-1]
	r.opened = v.seg
	cmd := r.reader.Open(v.seg)
	if at > 0 {
		cmd = tea.Batch(cmd, r.reader.Show(at))
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
	if r.visiting() {
		return r.openVisit(0)
	}
	r.opened = review.Segment{} // so that it is opened
	return nil
}

// noVerdict says why nothing can be decided on what is read.
func (r *Room) noVerdict() string {
	if r.visiting() && r.focus == onReader {
		return "this session was opened from another: " + r.keys.Esc(keys.InReader) + " goes back to the segment"
	}
	return r.noSegment()
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
		{Text: fileTitle(&v.seg), Ink: r.Ink.Muted, Worth: 2},
		{Text: back, Ink: r.Ink.Warn, Worth: 9},
	}, w-2), w-1, "")
}

// landing is the message to be read in a segment when it is opened next.
type landing struct {
	segment string
	at      int
}

// readAt gives the reader the keys, at a message of a segment or visit by its id.
func (r *Room) readAt(id string, message int) tea.Cmd {
	r.focus = onReader
	if r.opened.ID == id {
		return r.reader.Show(message)
	}
	r.landing = landing{id, message}
	return nil
}
