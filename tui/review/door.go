package review

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/rows"
	"winnow/tui/screen"
)

// What the program does with the room besides keys and drawing.

// Init asks for what is there before the first rows: the saved filters, and what others
// hold.
func (r *Room) Init() tea.Cmd {
	if r.savedLib == nil {
		return r.PollClaims()
	}
	return tea.Batch(r.readSaved(func(error) tea.Cmd { return nil }), r.PollClaims())
}

// SetSize takes the size of the terminal. Keys that were typed before the first one are
// pressed with it.
func (r *Room) SetSize(w, h int) tea.Cmd {
	first := r.W == 0
	r.W, r.H = w, h
	if first && r.ready && !r.wait.finding {
		return r.Arrived()
	}
	return nil
}

// Recheck hides verdicts: what is rechecked is shown from another library, in an order
// of its own, each segment for itself.
func (r *Room) Recheck(lib rows.Library, n filter.Node, seed uint64) {
	r.Lib, r.rechecks, r.clusters.loose = lib, true, true
	r.Filter = r.NewFilter(n, "")
	r.Filter.Pretty = "recheck"
	r.Order, r.seed = review.Random, seed
}

// Renew reads again what is shown: the database changed. The first time it asks for the
// first rows; no change falls between its version and them.
func (r *Room) Renew() tea.Cmd {
	r.counts.want = true
	if !r.begun {
		r.begun = true
		return tea.Batch(r.askFirst(), r.loadTotals())
	}
	r.reload = true
	r.sessions.Retry()
	return tea.Batch(r.loadTotals(), r.renewVisits())
}

// ReadAgain has the rows read again.
func (r *Room) ReadAgain() { r.reload = true }

// TryAgain has rows read that could not be read, or not collapsed, the last time, and
// looks again for a segment that the import may have brought.
func (r *Room) TryAgain() tea.Cmd {
	r.stalled = false
	r.reload = r.reload || r.List.Loose
	if h := &r.wait; h.expects && !r.asking {
		h.expects = false
		return r.search()
	}
	return nil
}

// Forget drops what is remembered of rows, and shows the reader's anew.
func (r *Room) Forget() tea.Cmd {
	r.stalled, r.Kept = false, nil
	r.sessions = rows.Sessions{}
	return r.visitAgain()
}

// NoAnswer says that the database does not answer: keys do not wait for first rows.
func (r *Room) NoAnswer() tea.Cmd {
	if r.ready || r.asking {
		return nil
	}
	return r.Nowhere()
}

// Ready reports whether the first rows have come.
func (r *Room) Ready() bool { return r.ready }

// Unfilled reports whether there is room for rows that come.
func (r *Room) Unfilled() bool { return r.begun && len(r.List.Rows) < r.List.Height }

// Pressed notes the key that is pressed.
func (r *Room) Pressed(key string) {
	r.Presses++
	r.Key, r.wait.stuck = key, ""
}

// Before is called before an action: it opens the segment that the selection came to
// rest on, unless the action moves on.
func (r *Room) Before(b *keys.Binding) tea.Cmd {
	if !judges[b.Name] {
		r.wait.refused, r.wait.instead = screen.Message{}, ""
	}
	r.reading = r.app.Context() == keys.InReader && (b.In == keys.InReader || b.Moves())
	if b.Moves() {
		return nil
	}
	return r.rest()
}

// IsReading reports whether the last key was one of the reader's.
func (r *Room) IsReading() bool { return r.reading }

// Await lets keys wait for the segment that is looked for.
func (r *Room) Await() { r.wait.finding = true }

// Awaits reports whether a segment is looked for.
func (r *Room) Awaits() bool { return r.wait.finding }

// Waiting is how many keys wait, for that or for rows.
func (r *Room) Waiting() int { return len(r.wait.keys) }

// AsksBulk reports whether a verdict on many is asked about.
func (r *Room) AsksBulk() bool { return r.bulk != nil }

// Marked are the ids of the segments that are marked: not to be changed.
func (r *Room) Marked() map[string]bool { return r.marks.IDs }

// Ranging reports whether a range is being marked.
func (r *Room) Ranging() bool { return r.marks.Span != nil }

// ToList gives the list the keys.
func (r *Room) ToList() { r.Focus, r.full = OnList, false }
