package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
)

// layer is something that stands in place of list and reader, or over them,
// while it is open: a screen or a box.
type layer struct {
	in   keys.Place // the place whose keys work
	over bool       // it is a screen that may stand over other screens and boxes
	open func(*App) bool
	// header is the line above it, nil: that of what is behind it.
	header func(a *App, w int) string
	// lines draw a screen: height lines of w cells. nil for a box.
	lines func(a *App, w, height int) []string
	// box draws a box over what is behind it; nil for a screen.
	box func(a *App, height int) []string
	// at is the column where the box begins, nil for the first one.
	at func(*App) int
	// move moves in it, back closes it or the innermost thing in it.
	move func(a *App, m keys.Motion) tea.Cmd
	back func(a *App) tea.Cmd
	// told is what the footer says when nothing happened; nil: nothing.
	told func(a *App) []string
	// click is told a cell that was clicked, from where its first line begins;
	// nil: nothing to click.
	click func(a *App, x, y int) tea.Cmd
	// copied is what y copies in it, and what that is; nil or "": nothing.
	copied func(a *App) (text, what string)
}

// allLayers returns all of them, the topmost first. Boxes and screens that
// may (over) stand over screens; the others exclude each other.
func allLayers() []layer {
	byPlace := map[keys.Place]layer{}
	for _, r := range rooms() {
		byPlace[r.in] = r.layer()
	}
	return []layer{byPlace[keys.InThemes], byPlace[keys.InHelp], byPlace[keys.InSort], byPlace[keys.InReasons], byPlace[keys.InRecheck], byPlace[keys.InOffer], byPlace[keys.InJournal], byPlace[keys.InLedger], byPlace[keys.InStatistics], byPlace[keys.InExport], byPlace[keys.InRaw], byPlace[keys.InPreview], byPlace[keys.InBoundaries]}
}

// top returns the topmost layer that is open, nil for none.
func (a *App) top() *layer { return a.topmost(func(*layer) bool { return true }) }

// screenLayer returns the screen that stands in place of list and reader, nil
// for none. With over it may be one that stands over another.
func (a *App) screenLayer(over bool) *layer {
	return a.topmost(func(l *layer) bool { return l.lines != nil && (over || !l.over) })
}

func (a *App) topmost(such func(*layer) bool) *layer {
	for i := range a.layers {
		if l := &a.layers[i]; such(l) && l.open(a) {
			return l
		}
	}
	return nil
}
