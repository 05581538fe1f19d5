package tui

import (
	"errors"

	"winnow/tui/screens/places"
)

// ErrSamples is what Run ends with when the curator would rather look at the
// sample sessions.
var ErrSamples = errors.New("the sample sessions were asked for")

// importing is what is imported from the places where agents keep their sessions.
type importing struct {
	finder  places.Finder
	job     func(paths []string) Job
	first   bool // the program begins with the places
	samples bool // the program is left for the sample sessions
}

// forPlaces is the program as the screen of places needs it.
type forPlaces struct{ app *App }

func (p forPlaces) Empty() bool { return p.app.Totals.Segments == 0 }

func (p forPlaces) NoImport() string { return p.app.noImport() }

func (p forPlaces) Import(paths []string) {
	a := p.app
	a.also = append(a.also, a.work.Start(a.work.Import, a.work.Import.Then(a.importing.job(paths), "import")))
}

func (p forPlaces) Samples() {
	p.app.importing.samples = true
	p.app.also = append(p.app.also, p.app.quit())
}

// noImport says why nothing can be imported now.
func (a *App) noImport() string {
	switch {
	case a.importing.finder == nil:
		return "nothing can be imported here"
	case a.work.Import.Busy():
		return "the " + a.work.Import.Name + " is running: " + a.keyFor("stop") + " stops it"
	}
	return ""
}
