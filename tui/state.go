package tui

import (
	"context"
	"maps"
	"reflect"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/reader"
	room "winnow/tui/review"
	"winnow/tui/work"
)

// State keeps how a curator's screen looked.
type State interface {
	Save(ctx context.Context, s Screen) error
}

// screenVersion is the version of Screen that this program writes and reads.
const screenVersion = 1

// Screen is how a screen looked when its curator left it: where they were, and
// what they had chosen. What no longer makes sense is passed over.
type Screen struct {
	Version int          `json:"version"`
	Filter  string       `json:"filter,omitzero"` // as it was typed
	Order   review.Order `json:"order,omitzero"`
	Seed    uint64       `json:"seed,omitzero"` // of a random order
	// Segment was selected. If it is not there any more, what stands at its
	// place is, as far as the order tells.
	Segment string `json:"segment,omitzero"` // id
	Place   string `json:"place,omitzero"`
	Start   int    `json:"start,omitzero"`

	Wider   int               `json:"wider,omitzero"` // cells of the list
	Reading bool              `json:"reading,omitzero"`
	Full    bool              `json:"full,omitzero"`
	Stay    bool              `json:"stay,omitzero"`
	Folds   reader.Folds      `json:"folds,omitzero"`
	Export  map[string]string `json:"export,omitzero"`
	Typed   []string          `json:"typed,omitzero"` // filters, the last one at the end
	Theme   string            `json:"theme,omitzero"` // chosen on the screen; "" follows the terminal
}

// stateKeeping is what the screen does with its State.
type stateKeeping struct {
	saved  Screen // what is kept
	seen   Screen // how it looked at the last poll
	saving bool   // a save is under way
}

// looks returns how the screen looks: a copy that nobody changes.
func (a *App) looks() Screen {
	s := Screen{
		Version: screenVersion, Filter: a.Filter.Text, Order: a.Order, Seed: a.Seed, Wider: a.Wider,
		Reading: a.Focus == room.OnReader, Full: a.Full, Stay: a.Stay, Theme: a.remembered, Folds: a.Reader.Folds(),
	}
	if a.Order != review.Random {
		s.Seed = 0
	}
	if row := a.List.Selected(); row != nil {
		s.Segment, s.Place, s.Start = row.ID, row.Place, row.Start
	}
	if len(a.Filters.Kept) > 0 {
		s.Typed = slices.Clone(a.Filters.Kept)
	}
	if len(a.exports.form.Values) > 0 {
		s.Export = maps.Clone(a.exports.form.Values)
	}
	return s
}

// keepState saves how the screen looks if it changed and rested since the last
// poll. What came first is not saved: nobody chose it.
func (a *App) keepState() tea.Cmd {
	k := &a.keeping
	if a.opt.State == nil || !a.Ready {
		return nil
	}
	s := a.looks()
	rests := reflect.DeepEqual(s, k.seen)
	k.seen = s
	if !rests || k.saving || reflect.DeepEqual(s, k.saved) {
		return nil
	}
	k.saving = true
	ctx, lib := context.WithoutCancel(a.ctx), a.opt.State
	return func() tea.Msg {
		err := lib.Save(ctx, s)
		return work.Then(func() tea.Cmd {
			// A save that failed is worth no word: nothing is lost that was judged,
			// and the next poll tries again.
			if k.saving = false; err == nil {
				k.saved = s
			}
			return nil
		})
	}
}

// leaveState saves how the screen looks at its end.
func (a *App) leaveState() {
	if now := a.looks(); a.opt.State != nil && a.Ready && !reflect.DeepEqual(now, a.keeping.saved) {
		_ = a.opt.State.Save(context.WithoutCancel(a.ctx), now)
	}
}

// restore makes the screen look as it did. What the options ask for goes before.
func (a *App) restore(s *Screen, o *Options) {
	if s == nil || s.Version != screenVersion {
		return
	}
	a.keeping.saved = *s
	a.Wider, a.Stay = s.Wider, s.Stay
	a.Filters.Restore(s.Typed)
	a.Reader.SetFolds(s.Folds)
	if s.Reading {
		a.Focus, a.Full = room.OnReader, s.Full
	}
	a.exports.form.Restore(s.Export)
	if i := a.themeNamed(s.Theme); i >= 0 {
		if a.remembered = s.Theme; o.Theme == "" {
			a.wear(i)
		}
	}
	if o.Order == "" && slices.Contains(review.Orders[:], s.Order) {
		a.Order, a.Seed = s.Order, s.Seed
	}
	if o.Filter != "" {
		return
	}
	if f, err := a.ParseFilter(s.Filter); err == nil {
		a.Filter = f
	}
	a.Resume = review.Cursor{ID: s.Segment, Key: review.Place{Session: s.Place, Start: s.Start}}
}
