package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// Seat is what the program gives to a layer that it opens. Layers embed it.
type Seat struct {
	// Ctx is of all questions of the layer. It ends when the layer is closed.
	Ctx context.Context
	// Pen has the inks of the theme that is worn when something is drawn.
	*draw.Pen
	Host
}

// Back leaves: for a layer in which nothing opens that is to be closed first.
func (s *Seat) Back() { s.Leave() }

// Unread says in lines for w cells what could not be read, why, and which key tries
// again.
func (s *Seat) Unread(w int, what string, err error) []string {
	return s.Failed(w, what, err, s.Key(keys.Reload)+" tries again")
}

// Key is a key of a layer (keys.Key): it works in the place of the layer, and run
// is all that it does.
func Key[L any](pressed, name, help, foot string, run func(L), why func(L) string) keys.Row[L] {
	return keys.Key(pressed, name, help, foot, 0, keys.Do(run), why)
}

// Line is a line of text to be typed in place of the footer.
type Line struct {
	Label string
	Text  string // that it begins with
	Offer string // stands there while nothing is typed, safe to be shown
	// Away is told it when the line is put away, and "" when there was a decision on
	// it; nil: nobody asks.
	Away func(text string)
	// Typed is told the text after each key, for a layer that follows while one
	// types; nil: nobody does.
	Typed func(text string)
	// Check says what is wrong with a text before it is kept: it stays on the line; nil:
	// nothing ever is.
	Check func(text string) error
}

// Host is the program as every layer may use it.
type Host interface {
	// Say shows a text in the footer until the next key.
	Say(text string)
	// Fail shows what could not be done ("" if the error says it), and why. No
	// error is no failure, nor is a question that was given up (context.Canceled).
	Fail(what string, err error)
	// Key returns the first key of an action in the place of the layer, as
	// messages name it: curators may have changed it.
	Key(action string) string
	// KeyOfList is likewise the key of an action in the list, WayBack the last key
	// of the way back in the place of the layer.
	KeyOfList(action string) string
	WayBack() string
	// Act does an action of the place as its key would.
	Act(action string)
	// Type has a line typed. keep is told what was typed when it is kept, if the layer
	// is still open.
	Type(l Line, keep func(text string))
	// After does something after a while, if the layer is still open.
	After(d time.Duration, do func())
	// Run has a command run. What it brings is no answer to the layer: Question asks
	// for that.
	Run(tea.Cmd)
	// Now tells the time, in the zone in which times are shown.
	Now() time.Time
	// Day renders a time in at most twelve cells: "31 Dec 23:59", "31 Dec 2025".
	Day(time.Time) string
	// ShortPath writes a path as people know it ("~/sessions"), safe to be shown.
	ShortPath(path string) string
	// Filter is what the list is filtered by, nil for nothing, and how the header
	// writes it.
	Filter() (n filter.Node, pretty string)
	// GoTo selects a segment in the list, wherever it is; keys wait for it. A screen
	// leaves first: the list is what it goes to.
	GoTo(segment string)
	// Leave closes the layer. Its Host still serves until the key is done; its Ctx has
	// ended.
	Leave()
}
