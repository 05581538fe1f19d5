package review

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
)

// Follow brings the sizes, the rows needed next, their titles, and what the reader
// shows in line with the rest, in a body of so many lines.
func (r *Room) Follow(body int) tea.Cmd {
	r.body = body
	r.List.Resize(body - 1) // below the headings
	r.List.Explain()
	r.Reader.SetFocus(r.Focus == OnReader)
	return tea.Batch(r.markTexts(), r.askNeeded(), r.askCounts(), r.askSessions(), r.askChanges(), r.openSelected(), r.resizeReader(), r.followClaims(), r.followMarks())
}

// resizeReader tells the reader the size of its next view, which also lets it
// ask for what the last one lacked.
func (r *Room) resizeReader() tea.Cmd {
	if !r.ReaderShows() {
		return nil
	}
	return r.Reader.Resize(r.ReaderWidth(), r.body-1)
}

// openSelected shows the selected segment in the reader, if it can be seen.
func (r *Room) openSelected() tea.Cmd {
	s := r.List.Selected()
	if s == nil || s.ID != r.visitFrom {
		r.visits = nil
	}
	if !r.ReaderShows() {
		return nil
	}
	if s == nil {
		if r.Opened.ID != "" {
			r.Opened = review.Segment{}
			r.Reader.Close()
		}
		return nil
	}
	if r.Visiting() {
		return nil
	}
	o := &r.Opened
	if o.ID == s.ID && o.Body == s.Body && o.Start == s.Start && o.End == s.End && o.Digest == s.Digest && o.Stale == s.Stale && o.Analysis == s.Analysis {
		r.remark(s)
		return nil
	}
	if wait, cmd := r.passes(s); wait {
		return cmd
	}
	at := 0
	if r.landing.segment == s.ID {
		at, r.landing = r.landing.at, landing{}
	}
	return tea.Batch(r.open(s, at), r.prefetch())
}

// prefetch brings what a verdict would show next, so that it is there at once.
func (r *Room) prefetch() tea.Cmd {
	if i := r.List.NextPending(r.List.Cur + 1); i >= 0 {
		return r.Reader.Prefetch(r.List.Rows[i])
	}
	return nil
}
