// Package places is the screen of the places where agents keep their sessions, to
// import from. It looks at names and sizes; no file is opened before the import.
//
// It needs of the program to import, and to leave for the sample sessions
// (Program). Its tests are beside it; importing and how it looks are tested in tui.
package places

import (
	"context"
	"strings"

	"winnow/core/clean"
	"winnow/core/places"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/list"
	"winnow/tui/screen"
)

// Finder looks where sessions may be: on a places.Machine. Its methods may take
// long and are called from commands only.
type Finder interface {
	// Find returns the places there are.
	Find(context.Context) ([]places.Place, error)
	// Measure counts what a place holds.
	Measure(context.Context, places.Place) (places.Size, error)
}

// Program is what the screen needs of the program.
type Program interface {
	// Empty reports whether there is no segment yet.
	Empty() bool
	// NoImport says why nothing can be imported now, "" if it can.
	NoImport() string
	// Import imports paths in the background.
	Import(paths []string)
	// Samples leaves the program for the sample sessions.
	Samples()
}

// Screen shows the places where sessions are.
type Screen struct {
	screen.Seat
	program       Program
	finder        Finder
	width, height int // of the screen, in cells

	places  screen.Question[[]places.Place]
	size    screen.Question[places.Size]
	list    list.Span[row] // the last one is the sample sessions
	changed bool           // the curator has checked or unchecked something
}

// row is a place with its check box.
type row struct {
	places.Place
	samples bool
	checked bool
	counted bool
	size    places.Size
	err     error
}

// New shows the places.
func New(seat screen.Seat, program Program, finder Finder) *Screen {
	return &Screen{Seat: seat, program: program, finder: finder, list: samplesOnly()}
}

func samplesOnly() list.Span[row] {
	return list.Span[row]{Rows: []row{{samples: true, counted: true}}, AtTop: true, AtEnd: true}
}

// Rows returns the keys of the places.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("enter", "import", "import the checked places", "import", (*Screen).importChecked, (*Screen).nothingChecked),
		screen.Key("space", "check", "check or uncheck the place", "check", (*Screen).check, nil),
		screen.Key("q esc", keys.Back, "go back to the list; import nothing", "back", (*Screen).Back, nil),
	}
}

// Reload looks for the places again if they could not be found.
func (s *Screen) Reload() {
	if s.places.Err != nil {
		s.list, s.changed = samplesOnly(), false
		s.find()
	}
}

func (s *Screen) find() { s.places.Ask(&s.Seat, s.finder.Find, s.tookPlaces) }

// tookPlaces lists the places and has them counted.
func (s *Screen) tookPlaces(found []places.Place, _ error) {
	l := &s.list
	rows := make([]row, len(found), len(found)+1)
	for i, p := range found {
		rows[i] = row{Place: p, checked: !p.Doubtful && !l.Rows[0].checked}
	}
	l.Rows = append(rows, l.Rows...)
	if l.Cur += len(found); !s.changed {
		l.Cur = 0
		l.Rows[len(found)].checked = len(found) == 0
	}
	s.measure(0)
}

// measure counts the place of a row; those after it follow one by one, as a disk
// does one thing at a time. One that holds nothing is not worth a check.
func (s *Screen) measure(at int) {
	place, finder := s.list.Rows[at].Place, s.finder
	if s.list.Rows[at].samples {
		return
	}
	s.size.Ask(&s.Seat, func(ctx context.Context) (places.Size, error) { return finder.Measure(ctx, place) }, func(size places.Size, err error) {
		r := &s.list.Rows[at]
		r.counted, r.size, r.err = true, size, err
		if size.Files == 0 && err == nil {
			r.checked = false
		}
		s.measure(at + 1)
	})
}

// check checks or unchecks a row. The sample sessions have a database of their
// own: either they are looked at, or something is imported.
func (s *Screen) check() {
	r := s.list.Selected()
	r.checked, s.changed = !r.checked, true
	for i := range s.list.Rows {
		if other := &s.list.Rows[i]; r.checked && other.samples != r.samples {
			other.checked = false
		}
	}
}

// importChecked imports what is checked, or leaves for the sample sessions.
func (s *Screen) importChecked() {
	var paths []string
	for _, r := range s.list.Rows {
		switch {
		case r.checked && r.samples:
			s.program.Samples()
			return
		case r.checked:
			paths = append(paths, r.Paths...)
		}
	}
	s.Leave()
	s.program.Import(paths)
}

// nothingChecked says why there is nothing to import.
func (s *Screen) nothingChecked() string {
	if reason := s.program.NoImport(); reason != "" {
		return reason
	}
	for _, r := range s.list.Rows {
		if r.checked {
			return ""
		}
	}
	return "nothing is checked: " + s.Key("check") + " checks a place"
}

// Move moves the cursor.
func (s *Screen) Move(m keys.Motion) { s.list.Move(m) }

// Click selects a place; a second click checks it.
func (s *Screen) Click(_, y int) {
	if above, _ := s.texts(); s.list.Click(y - len(above)) {
		s.check()
	}
}

// Copied is the path of the place under the cursor.
func (s *Screen) Copied() (text, what string) {
	r := s.list.Selected()
	return strings.Join(r.Paths, "\n"), "the path of " + clean.Line(draw.Head(r.Name))
}
