// Package help is the screen of all keys: those of the place that it was opened from
// first, and those with some words while these are typed. It stands over screens and
// boxes.
//
// It needs of the program its keys, and that place (Program). Its tests are beside
// it; how it looks with all keys is in the goldens of tui.
package help

import (
	"strings"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Program is what the screen needs of the program.
type Program interface {
	// Keys are all there are.
	Keys() *keys.Table
	// After is the place that the screen stands over.
	Behind() keys.Place
}

// Screen shows the keys.
type Screen struct {
	screen.Seat
	program     Program
	query       string   // the words that are looked for
	lines       []string // all of them, as Follow laid them out
	top, height int      // those on screen
}

// New shows all keys.
func New(seat screen.Seat, program Program) *Screen { return &Screen{Seat: seat, program: program} }

// Rows returns the keys of the screen.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("/", "search-keys", "search keys, names and what they do", "search", (*Screen).search, nil),
	}
}

// search looks for words while they are typed. A line that is dropped was not
// meant.
func (s *Screen) search() {
	s.Type(screen.Line{Label: "keys with", Text: s.query, Away: s.look, Typed: s.look}, s.look)
}

// look shows the keys with some words, from the top.
func (s *Screen) look(words string) { s.query, s.top = strings.TrimSpace(words), 0 }

// Back gives the search up, else closes the screen.
func (s *Screen) Back() {
	if s.query == "" {
		s.Leave()
	}
	s.look("")
}

// Follow lays the lines out.
func (s *Screen) Follow(f screen.Frame) {
	s.lines, s.height = s.text(f.Width), f.Height
	s.top = max(0, min(s.top, len(s.lines)-s.height))
}

// Move scrolls.
func (s *Screen) Move(m keys.Motion) { s.top += m.Step(s.height) }

// Header is that of what the screen stands over.
func (s *Screen) Header(int) []draw.Part { return nil }

// Lines draws the keys.
func (s *Screen) Lines(w, height int) []string { return s.Filled(s.lines[s.top:], w, height) }

// Footer says what is looked for, and how much is below.
func (s *Screen) Footer() []string {
	below := s.Below(len(s.lines) - s.top - s.height)
	if s.query == "" {
		return below
	}
	const cells = 20
	words := draw.CutWords(clean.Line(draw.Head(s.query)), cells, s.G.More)
	return append([]string{"keys with " + s.G.Quote + words + s.G.Unquote}, below...)
}
