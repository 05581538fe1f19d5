// Package places is the screen of the places where agents keep their sessions, to
// import from. It looks at names and sizes; no file is opened before the import.
//
// It needs of the program to import, and to leave for the sample sessions
// (Program). Its tests are beside it; importing and how it looks are tested in tui.
package places

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

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

	asked   int            // questions for the places so far
	list    list.Span[row] // the last one is the sample sessions
	found   bool           // the places are known
	failed  error          // why they are not
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

// What answers the question of a number.
type (
	placesFound struct {
		number int
		places []places.Place
		err    error
	}
	placeMeasured struct {
		number, row int
		size        places.Size
		err         error
	}
)

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
		keys.Key("enter", "import", "import the checked places", "import", 0, (*Screen).importChecked, (*Screen).nothingChecked),
		keys.Key("space", "check", "check or uncheck the place", "check", 0, (*Screen).check, nil),
		keys.Key("q esc", keys.Back, "go back to the list; import nothing", "back", 0, (*Screen).Back, nil),
	}
}

// Reload looks for the places again if they could not be found.
func (s *Screen) Reload() tea.Cmd {
	if s.failed == nil {
		return nil
	}
	s.list, s.found, s.failed, s.changed = samplesOnly(), false, nil, false
	return s.find()
}

func (s *Screen) find() tea.Cmd {
	s.asked++
	number, ctx, finder := s.asked, s.Ctx, s.finder
	return func() tea.Msg {
		found, err := finder.Find(ctx)
		return placesFound{number, found, err}
	}
}

// Update takes the places, and what each of them holds.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case placesFound:
		if m.number == s.asked {
			return s.handlePlaces(m)
		}
	case placeMeasured:
		if m.number == s.asked {
			return s.handleMeasure(m)
		}
	}
	return nil
}

// handlePlaces lists the places and has them counted.
func (s *Screen) handlePlaces(m placesFound) tea.Cmd {
	s.found, s.failed = true, m.err
	l := &s.list
	rows := make([]row, len(m.places), len(m.places)+1)
	for i, p := range m.places {
		rows[i] = row{Place: p, checked: !p.Doubtful && !l.Rows[0].checked}
	}
	l.Rows = append(rows, l.Rows...)
	if l.Cur += len(m.places); !s.changed {
		l.Cur = 0
		l.Rows[len(m.places)].checked = len(m.places) == 0
	}
	return s.measure(0)
}

// measure counts the place of a row; those after it follow one by one, as a disk
// does one thing at a time.
func (s *Screen) measure(at int) tea.Cmd {
	r := s.list.Rows[at]
	if r.samples {
		return nil
	}
	number, ctx, finder := s.asked, s.Ctx, s.finder
	return func() tea.Msg {
		size, err := finder.Measure(ctx, r.Place)
		return placeMeasured{number, at, size, err}
	}
}

// handleMeasure shows what a place holds. One that holds nothing is not worth a
// check.
func (s *Screen) handleMeasure(m placeMeasured) tea.Cmd {
	r := &s.list.Rows[m.row]
	r.counted, r.size, r.err = true, m.size, m.err
	if r.size.Files == 0 && m.err == nil {
		r.checked = false
	}
	return s.measure(m.row + 1)
}

// check checks or unchecks a row. The sample sessions have a database of their
// own: either they are looked at, or something is imported.
func (s *Screen) check() tea.Cmd {
	r := s.list.Selected()
	r.checked, s.changed = !r.checked, true
	for i := range s.list.Rows {
		if other := &s.list.Rows[i]; r.checked && other.samples != r.samples {
			other.checked = false
		}
	}
	return nil
}

// importChecked imports what is checked, or leaves for the sample sessions.
func (s *Screen) importChecked() tea.Cmd {
	var paths []string
	for _, r := range s.list.Rows {
		switch {
		case r.checked && r.samples:
			s.program.Samples()
			return nil
		case r.checked:
			paths = append(paths, r.Paths...)
		}
	}
	s.Leave()
	s.program.Import(paths)
	return nil
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
func (s *Screen) Move(m keys.Motion) tea.Cmd {
	s.list.Move(m)
	return nil
}

// Click selects a place; a second click checks it.
func (s *Screen) Click(_, y int) tea.Cmd {
	above, _ := s.texts()
	at := s.list.Top + y - len(above)
	switch {
	case y < len(above) || at >= len(s.list.Rows):
		return nil
	case at == s.list.Cur:
		return s.check()
	}
	s.list.Pick(at)
	return nil
}

// Copied is the path of the place under the cursor.
func (s *Screen) Copied() (text, what string) {
	r := s.list.Selected()
	return strings.Join(r.Paths, "\n"), "the path of " + clean.Line(draw.Head(r.Name))
}
