package tui

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
)

// Place is where an agent keeps its sessions, or a folder that looks like it
// holds some.
type Place struct {
	Agent string   // whose it is, in words: "Claude Code"
	Name  string   // as people write it: "~/.claude/projects"
	Paths []string // what is imported of it
	// Doubtful is a place that is imported only if somebody asks for it.
	Doubtful bool
}

// PlaceSize is what a place holds, as far as it was counted.
type PlaceSize struct {
	Files int
	Bytes int64
	More  bool // there are more than were counted
}

// Finder looks where sessions may be. Its methods may take long and are called
// from commands only. They look at names and sizes; no file is opened before
// Import's job runs.
type Finder interface {
	// Places returns the places there are on this machine.
	Places(ctx context.Context) ([]Place, error)
	// Measure counts what a place holds.
	Measure(ctx context.Context, p Place) (PlaceSize, error)
	// Import returns the job that imports paths.
	Import(paths []string) Job
}

// ErrSamples is what Run ends with when the curator would rather look at the
// sample sessions.
var ErrSamples = errors.New("the sample sessions were asked for")

// offerScreen shows the places where sessions are, to be imported from.
type offerScreen struct {
	ctx  context.Context // ends with the screen
	stop context.CancelFunc

	rows    []offerRow // the last one is the sample sessions
	found   bool       // the places are known
	failed  error      // why they are not
	cur     int
	top     int
	line    int  // of the body, where the rows begin
	changed bool // the curator has checked or unchecked something
}

// offerRow is a place with its check box.
type offerRow struct {
	Place
	samples bool
	checked bool
	counted bool
	size    PlaceSize
	err     error
}

type (
	placesFound struct {
		screen *offerScreen // whose question it was
		places []Place
		err    error
	}
	placeMeasured struct {
		screen *offerScreen
		row    int
		size   PlaceSize
		err    error
	}
)

// openOffer shows the places where sessions are.
func (a *App) openOffer() tea.Cmd {
	o := &offerScreen{rows: []offerRow{{samples: true, counted: true}}}
	o.ctx, o.stop = context.WithCancel(a.ctx)
	a.offer = o
	ctx, finder := o.ctx, a.finder
	return func() tea.Msg {
		places, err := finder.Places(ctx)
		return placesFound{o, places, err}
	}
}

func (a *App) closeOffer() {
	a.offer.stop()
	a.offer = nil
}

// tookPlaces lists the places and has them counted.
func (a *App) tookPlaces(m placesFound) tea.Cmd {
	o := a.offer
	if o == nil || o != m.screen {
		return nil
	}
	o.found = true
	if m.err != nil {
		o.failed = m.err
	}
	rows := make([]offerRow, len(m.places), len(m.places)+1)
	for i, p := range m.places {
		rows[i] = offerRow{Place: p, checked: !p.Doubtful}
	}
	o.rows = append(rows, o.rows...)
	if o.cur += len(rows); !o.changed {
		o.cur = 0
		o.rows[len(o.rows)-1].checked = len(rows) == 0
	}
	return a.measure(0)
}

// measure counts the place of a row; those behind it follow one by one, as a
// disk does one thing at a time.
func (a *App) measure(row int) tea.Cmd {
	o, finder := a.offer, a.finder
	if row >= len(o.rows) || o.rows[row].samples {
		return nil
	}
	ctx, place := o.ctx, o.rows[row].Place
	return func() tea.Msg {
		size, err := finder.Measure(ctx, place)
		return placeMeasured{o, row, size, err}
	}
}

// tookMeasure shows what a place holds. One that holds nothing is not worth a
// check.
func (a *App) tookMeasure(m placeMeasured) tea.Cmd {
	o := a.offer
	if o == nil || o != m.screen {
		return nil
	}
	r := &o.rows[m.row]
	r.counted, r.size, r.err = true, m.size, m.err
	if r.size.Files == 0 && m.err == nil {
		r.checked = false
	}
	return a.measure(m.row + 1)
}

// togglePlace checks or unchecks a row. The sample sessions have a database of
// their own: either they are looked at, or something is imported.
func (a *App) togglePlace() tea.Cmd {
	o := a.offer
	r := &o.rows[o.cur]
	r.checked, o.changed = !r.checked, true
	for i := range o.rows {
		if r.checked && o.rows[i].samples != r.samples {
			o.rows[i].checked = false
		}
	}
	return nil
}

// takeOffer imports what is checked, behind the list, or leaves for the sample
// sessions.
func (a *App) takeOffer() tea.Cmd {
	var paths []string
	for _, r := range a.offer.rows {
		switch {
		case r.checked && r.samples:
			a.samples = true
			return a.quit()
		case r.checked:
			paths = append(paths, r.Paths...)
		}
	}
	a.job = a.job.Then(a.finder.Import(slices.Clone(paths)), "import")
	a.closeOffer()
	return a.startJob()
}

func (a *App) moveOffer(m keys.Motion) {
	o := a.offer
	const end = 1 << 20 // more than there are places
	by := map[keys.Motion]int{keys.LineDown: 1, keys.LineUp: -1, keys.HalfDown: 3, keys.HalfUp: -3, keys.PageDown: end, keys.PageUp: -end, keys.ToStart: -end, keys.ToEnd: end}[m]
	o.cur = max(0, min(o.cur+by, len(o.rows)-1))
}

// Why keys of the offer do nothing.

func (a *App) noFinder() string {
	switch {
	case a.finder == nil:
		return "there is nothing to be imported into here"
	case a.job.Busy():
		return "the " + a.job.Name + " is running: " + a.keyFor("stop") + " stops it"
	}
	return ""
}

func (a *App) nothingChecked() string {
	if a.job.Busy() {
		return a.noFinder()
	}
	for _, r := range a.offer.rows {
		if r.checked {
			return ""
		}
	}
	return "nothing is checked: " + a.keyIn("check", keys.InOffer) + " checks"
}
