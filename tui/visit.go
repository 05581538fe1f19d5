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
func (a *App) visiting() bool { return len(a.visits) > 0 }

// followLink goes where the current message leads.
func (a *App) followLink() tea.Cmd {
	l, ok := a.reader.FollowLink()
	if !ok {
		return nil
	}
	return a.visit(l)
}

// visit goes to a session that is linked from what the reader shows, or to the
// reasons of the score.
func (a *App) visit(l reader.Link) tea.Cmd {
	s := a.list.Selected()
	switch {
	case s == nil:
		return nil
	case l.Reasons && a.noReasons() == "":
		return enter(keys.InReasons)(a)
	}
	from, ctx, lib := s.ID, a.ctx, a.lib
	return func() tea.Msg {
		found, err := lib.Session(ctx, l.Session)
		return visitLoaded{from, l, found, err}
	}
}

func (a *App) tookVisit(m visitLoaded) tea.Cmd {
	s := a.list.Selected()
	switch {
	case m.err != nil:
		a.fail("opening "+a.linkName(m.link), m.err)
		return nil
	case s == nil || s.ID != m.from:
		return nil // the curator has gone on
	case m.session.Messages == 0:
		a.say(a.linkName(m.link) + " has no messages")
		return nil
	}
	a.focus = onReader
	if cmd, back := a.wayBack(&m, s); back {
		return cmd
	}
	v := visit{title: m.link.Title, seg: visitedSegment(&m.session)}
	if v.title == "" {
		v.title = review.FileTitle(clean.Line(m.session.File))
	}
	a.visits, a.visitFrom = append(a.visits, v), m.from
	return a.openVisit(m.link.At)
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
func (a *App) wayBack(m *visitLoaded, base *review.Segment) (cmd tea.Cmd, back bool) {
	for i := range a.visits {
		if a.visits[i].seg.SessionID == m.session.ID {
			a.visits = a.visits[:i+1]
			return a.openVisit(m.link.At), true
		}
	}
	at := m.link.At
	if !a.visiting() || base.SessionID != m.session.ID || at != 0 && (at < base.Start || at > base.End) {
		return nil, false
	}
	a.visits, a.opened = nil, *base
	cmd = a.reader.Open(*base)
	if at > 0 {
		cmd = tea.Batch(cmd, a.reader.Show(at))
	}
	return cmd, true
}

// linkName names in the footer where a link leads.
func (a *App) linkName(l reader.Link) string { return draw.CutWords(l.Title, nameWidth, a.G.More) }

// leaveVisits shows the selected segment again.
func (a *App) leaveVisits() {
	if a.visiting() {
		a.visits, a.opened = nil, review.Segment{}
	}
}

// visitsRenewed brings visited sessions as they are now, by their ids.
type visitsRenewed struct {
	sessions map[string]review.Session
	gone     map[string]bool
}

// renewVisits reads the visited sessions again: somebody changed the database.
func (a *App) renewVisits() tea.Cmd {
	if !a.visiting() {
		return nil
	}
	ids := make([]string, len(a.visits))
	for i := range a.visits {
		ids[i] = a.visits[i].seg.SessionID
	}
	ctx, lib := a.ctx, a.lib
	return func() tea.Msg {
		m := visitsRenewed{map[string]review.Session{}, map[string]bool{}}
		for _, id := range ids {
			s, err := lib.Session(ctx, id)
			if err == nil {
				m.sessions[id] = s
			}
			m.gone[id] = errors.Is(err, review.ErrNotFound)
		}
		return m
	}
}

// tookVisits shows what became of the visited sessions; the place that is read
// stays. One that is not there any more ends the visit.
func (a *App) tookVisits(m visitsRenewed) tea.Cmd {
	changed := false
	for i := range a.visits {
		v := &a.visits[i]
		if m.gone[v.seg.SessionID] {
			a.visits = a.visits[:i]
			a.say("the session is not there any more")
			return a.visitAgain()
		}
		s, ok := m.sessions[v.seg.SessionID]
		if now := visitedSegment(&s); ok && s.Messages > 0 && (now.Body != v.seg.Body || now.Tally != v.seg.Tally) {
			v.seg = now
			changed = i == len(a.visits)-1
		}
	}
	if !changed {
		return nil
	}
	return a.visitAgain()
}

// openVisit shows the innermost visit, from a message on; 0 for where it was
// left.
func (a *App) openVisit(at int) tea.Cmd {
	v := a.visits[len(a.visits)-1]
	a.opened = v.seg
	cmd := a.reader.Open(v.seg)
	if at > 0 {
		cmd = tea.Batch(cmd, a.reader.Show(at))
	}
	return cmd
}

// comeBack leaves the innermost visit for where its link stands.
func (a *App) comeBack() tea.Cmd {
	a.visits = a.visits[:len(a.visits)-1]
	return a.visitAgain()
}

// visitAgain opens the innermost visit anew, where it was left, or if there is
// none the selected segment.
func (a *App) visitAgain() tea.Cmd {
	if a.visiting() {
		return a.openVisit(0)
	}
	a.opened = review.Segment{} // so that it is opened
	return nil
}

// noVerdict says why nothing can be decided on what is read.
func (a *App) noVerdict() string {
	if a.visiting() && a.focus == onReader {
		return "this session was opened from another: " + a.keys.Esc(keys.InReader) + " goes back to the segment"
	}
	return a.noSegment()
}

// visitTitle names a visited session in place of the segment.
func (a *App) visitTitle(w int) string {
	v := a.visits[len(a.visits)-1]
	mark := a.Ink.Key.On(a.G.Mark)
	back := a.keys.Esc(keys.InReader) + " goes back"
	if n := len(a.visits); n > 1 {
		back += " (" + strconv.Itoa(n) + " deep)"
	}
	return mark + draw.Fit(a.JoinTitle([]draw.TitlePart{
		{Text: v.title, Ink: a.Ink.Name, Least: 20, Wish: 60, Worth: 8},
		{Text: draw.Plural(v.seg.Messages, "message"), Ink: a.Ink.Muted, Worth: 3},
		{Text: fileTitle(&v.seg), Ink: a.Ink.Muted, Worth: 2},
		{Text: back, Ink: a.Ink.Warn, Worth: 9},
	}, w-2), w-1, "")
}
