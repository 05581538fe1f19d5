// Package screen is the contract between the program and its screens. Who has
// read it can write one.
//
// A screen is a package of its own in tui/screens. It has a type that is a Screen
// or a Box, a function New that gets a Seat, and a function Rows that returns its
// keys (keys.Row, with methods of the type). The program lists it in one row of
// tui/rooms.go, with its place, its keys and how it is opened; from then on it is
// drawn, gets its keys, is in the help, the footer, [keys] and the documentation.
// A screen that package keys gives no place has keys.Free(n), n being how many rows
// before it have one, with a name and a title in its row. Afterwards
// go generate ./tui writes docs/keys.md.
//
//	type Screen struct {
//		screen.Seat // what the program offers: a pen, Say, Fail, Filter, GoTo, Leave; a Back that leaves
//		lib     Library
//		longest screen.Question[[]review.Segment]
//		rows    list.Span[review.Segment]
//	}
//
//	func (s *Screen) Follow(f screen.Frame) {
//		s.rows.Resize(f.Height)
//		if !s.longest.Asked() {
//			s.longest.Ask(&s.Seat, s.lib.Longest, func(rows []review.Segment, _ error) { s.rows.Put(rows) })
//		}
//	}
//
//	// Awaits has keys wait for the rows.
//	func (s *Screen) Awaits() bool { return s.longest.Awaited() }
//
//	func (s *Screen) Move(m keys.Motion) { s.rows.Move(m) }
//
//	func (s *Screen) look() {
//		id := s.rows.Selected().ID
//		s.Leave()
//		s.GoTo(id)
//	}
//
//	func Rows() []keys.Row[*Screen] {
//		return []keys.Row[*Screen]{
//			screen.Key("enter", "look", "go to the segment", "look", (*Screen).look, (*Screen).noRow),
//			screen.Key("q esc", keys.Back, "go back to the list", "back", (*Screen).Back, nil),
//		}
//	}
//
// longest_test.go has all of this screen and a test of it. Its row in the table of
// the program, with the key that opens it:
//
//	{
//		in: keys.Free(0), name: "longest", title: "The longest segments", keys: keys.Bind(keys.Free(0), longest.Rows()),
//		open: func(a *App, s screen.Seat) screen.Layer { return longest.New(s, a.Lib) },
//		way:  []keyRow{keys.Key("ctrl+o", "longest", "show the longest segments", "", keys.InSegment, enter(keys.Free(0)), nil)},
//	},
//
// Everything happens in one goroutine, one thing after the other: a key runs its
// row, a motion goes to Move, an answer into its question; then Follow, then the
// screen is drawn. What takes time is a Question: what it reads closes over values,
// never over the screen, and ends with the context that it gets. The answer of one
// that was asked anew, or whose screen was closed, is dropped.
//
// Motions, ctrl+l, y and ? are keys of the program: a screen that reads again,
// has something to copy or to click, follows the database or says something in the
// footer is a Reloader, Copier, Clicker, Watcher or Footer, too. list.Span is for
// the rows of a screen, list.Paged for lists that are longer than memory should be.
// Text that was recorded is shown as clean.Line(draw.Head(text)).
//
// What a screen needs of the program beyond its Seat it declares as an interface
// of its own, and gets in New: a journal undoes entries, statistics narrow the
// filter. The program implements it in a file of its own, tui/journal.go, and
// appends what is to be run for it to App.also. A library is taken as the program
// has it when the room is opened (its Lib): in a recheck it hides verdicts.
//
// Screens import this package, tui/draw, tui/keys, tui/list, tui/line, tui/reader and
// what they need of core, but not core/hub; neither each other nor tui. Package
// screentest runs one without the program: it knows the motions, ctrl+l and the
// rows of the screen.
package screen

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/reader"
)

// Layer is what screens and boxes have in common. It is implemented by a pointer:
// the program tells layers apart by it.
type Layer interface {
	// Follow is called after whatever happened, before the layer is drawn into f.
	// It brings in line what depends on the size, and asks for what is needed next:
	// the first time, all of it. It is not called while the terminal is too small.
	Follow(f Frame)
	// Move does a motion.
	Move(keys.Motion)
	// Back closes the innermost thing that is open in the layer; if nothing is,
	// it leaves, as that of Seat does.
	Back()
}

// Screen stands in place of list and reader.
type Screen interface {
	Layer
	// Header is what the header says, its name first. The program puts its own
	// name before it and where the segments come from after it, and drops what
	// has no room. nil: the header stays that of the list.
	Header(w int) []draw.Part
	// Lines draws: exactly height lines of w cells, as Follow got them, without the
	// header and the footer (draw.Pen.Filled fills up). It changes nothing.
	Lines(w, height int) []string
}

// Box stands over what is open, with its upper left corner below the header.
type Box interface {
	Layer
	// Box draws: at most height lines.
	Box(height int) []string
	// Column is where it begins.
	Column() int
}

// MostCopied is how many bytes of text terminals take to copy.
const MostCopied = 750_000

// Frame is the room there is for a screen, in cells: the terminal without header
// and footer, and without the list for one that stands beside it.
type Frame struct{ Width, Height int }

// What a layer may do, too.
type (
	// Awaiter has keys wait while it awaits what they are for: its first rows. Those
	// that lead back or out pass.
	Awaiter interface{ Awaits() bool }

	// Clicker is told a cell that was clicked; line 0 is the first of Lines or Box.
	// The first click chooses, a second one on what is chosen does what enter does
	// (Seat.Act).
	Clicker interface{ Click(x, y int) }

	// Copier tells what y copies, and what that is, in words: "the path of a.jsonl".
	// No text is nothing to copy.
	Copier interface{ Copied() (text, what string) }

	// Footer tells what the footer says while nothing else is to be said.
	Footer interface{ Footer() []string }

	// Placer is where another set of keys works while something is asked in it.
	// These rows name their place (keys.Row.In).
	Placer interface{ Place() keys.Place }

	// Watcher is told that the database changed: its new version.
	Watcher interface{ Changed(version int64) }

	// Searcher shows a text in a reader of its own. There one finds (ctrl+g, >,
	// <), and it wears the theme of the program. What a command of the reader brings
	// goes back to it by Read.
	Searcher interface {
		Searched() *reader.Reader
		Read(tea.Cmd)
	}

	// Reloader is told that the curator wants everything read again (ctrl+l).
	Reloader interface{ Reload() }
)

// LeastAround is how many lines a question leaves for what it stands over.
const LeastAround = 4
