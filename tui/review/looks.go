package review

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/line"
	"winnow/tui/reader"
	"winnow/tui/rows"
)

// Looks is how list and reader looked when their curator left them.
type Looks struct {
	Filter string       `json:"filter,omitzero"` // as it was typed
	Order  review.Order `json:"order,omitzero"`
	Seed   uint64       `json:"seed,omitzero"` // of a random order
	// Segment was selected. If it is not there any more, what stands at its
	// place is, as far as the order tells.
	Segment string `json:"segment,omitzero"` // id
	Place   string `json:"place,omitzero"`
	Start   int    `json:"start,omitzero"`

	Wider   int          `json:"wider,omitzero"` // cells of the list
	Reading bool         `json:"reading,omitzero"`
	Full    bool         `json:"full,omitzero"`
	Stay    bool         `json:"stay,omitzero"`
	Folds   reader.Folds `json:"folds,omitzero"`
	Typed   []string     `json:"typed,omitzero"` // filters, the last one at the end
	// Notes and Tags are lines that were put away half-typed, by the id of the segment.
	Notes line.Drafts `json:"notes,omitempty"`
	Tags  line.Drafts `json:"tags,omitempty"`
}

// Looks returns how list and reader look: a copy that nobody changes.
func (r *Room) Looks() Looks {
	l := Looks{
		Filter: r.Filter.Text, Order: r.Order, Seed: r.seed, Wider: r.wider, Reading: r.Focus == OnReader, Full: r.full, Stay: r.stay,
		Folds: r.Reader.Folds(), Typed: append([]string(nil), r.filters.Kept...),
		Notes: r.notes.Kept(), Tags: r.tagDrafts.Kept(),
	}
	delete(l.Tags, markedDraft) // the marks are not kept
	if r.Order != review.Random {
		l.Seed = 0
	}
	if s := r.List.Selected(); s != nil {
		l.Segment, l.Place, l.Start = s.ID, s.Place, s.Start
	}
	return l
}

// LookAs makes list and reader look as they did, but for an order or a filter that was
// asked for: the place in the list is that of the filter.
func (r *Room) LookAs(l *Looks, ordered, filtered bool) {
	r.wider, r.stay = l.Wider, l.Stay
	r.filters.Restore(l.Typed)
	r.Reader.SetFolds(l.Folds)
	r.notes.Restore(l.Notes)
	r.tagDrafts.Restore(l.Tags)
	if l.Reading {
		r.Focus, r.full = OnReader, l.Full
	}
	if !ordered && slices.Contains(review.Orders[:], l.Order) {
		r.Order, r.seed = l.Order, l.Seed
	}
	if filtered {
		return
	}
	if f, err := r.ParseFilter(l.Filter); err == nil {
		r.Filter = f
	}
	r.resume = review.Cursor{ID: l.Segment, Key: review.Place{Session: l.Place, Start: l.Start}}
}

// askFirst asks for the first rows: those where the curator left, or the top of
// the list.
func (r *Room) askFirst() tea.Cmd {
	at := r.resume
	if at.ID == "" || r.Filter.Finds {
		return r.Ask(rows.Request{Want: rows.WantStart})
	}
	return r.Ask(rows.Request{Want: rows.WantNear, Near: at, Resume: true, Keep: at.ID})
}

// resumed selects where the curator left: the segment, or what stands at its
// place.
func (r *Room) resumed(m *rows.Loaded) {
	w := &r.List
	if i := w.Index(m.Near.ID); i >= 0 {
		w.Pick(i)
	} else if len(m.Pages) == 2 {
		w.Pick(len(m.Pages[0].Segments))
	}
}
