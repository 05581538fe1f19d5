package tui

import "errors"

// ErrSamples is what Run ends with when the curator would rather look at the
// sample sessions.
var ErrSamples = errors.New("the sample sessions were asked for")

// forPlaces is the program as the screen of places needs it.
type forPlaces struct{ *App }

func (p forPlaces) Empty() bool { return p.Totals.Segments == 0 }

func (p forPlaces) Import(paths []string) {
	a := p.App
	a.also = append(a.also, a.work.Start(a.work.Import, a.work.Import.Then(a.opt.Import(paths), "import")))
}

func (p forPlaces) Samples() {
	p.samples = true
	p.also = append(p.also, p.quit())
}

// NoImport says why nothing can be imported now.
func (a *App) NoImport() string {
	switch {
	case a.opt.Finder == nil:
		return "nothing can be imported here"
	case a.work.Import.Busy():
		return "the " + a.work.Import.Name + " is running: " + a.keyFor("stop") + " stops it"
	}
	return ""
}
