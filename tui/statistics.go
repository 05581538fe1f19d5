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
type forStatistics struct{ *App }

func (p forStatistics) Narrow(n filter.Node) {
	a := p.App
	a.ToList()
	f := a.NewFilter(n, filter.Print(n))
	if f.Key == a.Filter.Key {
		a.Say("the list already shows these")
		return
	}
	a.also = append(a.also, a.Take(f, rows.WantStart))
}

func (p forStatistics) Count() string { return p.ShownCount() }

func (p forStatistics) Shown(w int) []draw.Part { return p.ShownParts(w) }

func (a *App) noStatistics() string {
	return keys.Reason(a.opt.Statistics == nil, "no statistics here")
}
