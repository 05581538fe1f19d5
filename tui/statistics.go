package tui

import (
	"winnow/core/filter"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/rows"
	"winnow/tui/screens/statistics"
)

// Statistics describes segments.
type Statistics = statistics.Library

// forStatistics is the program as the statistics need it.
type forStatistics struct{ app *App }

func (p forStatistics) Narrow(n filter.Node) {
	a := p.app
	a.ToList()
	f := a.NewFilter(n, filter.Print(n))
	if f.Key == a.Filter.Key {
		a.Say("the list already shows these")
		return
	}
	a.also = append(a.also, a.Take(f, rows.WantStart))
}

func (p forStatistics) Count() string { return p.app.ShownCount() }

func (p forStatistics) Shown(w int) []draw.Part { return p.app.ShownParts(w) }

func (p forStatistics) Writing() bool { return p.app.writes.Open() }

func (a *App) noStatistics() string {
	return keys.Reason(a.opt.Statistics == nil, "no statistics here")
}
