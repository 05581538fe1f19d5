package tui

import (
	"winnow/core/filter"
	"winnow/tui/draw"
	"winnow/tui/screens/statistics"
)

// Statistics describes segments.
type Statistics = statistics.Library

// forStatistics is the program as the statistics need it.
type forStatistics struct{ app *App }

func (p forStatistics) Filter() (n filter.Node, pretty string) {
	return p.app.sieve.node, p.app.sieve.pretty
}

func (p forStatistics) Narrow(n filter.Node) {
	a := p.app
	a.focus, a.full = onList, false
	sieve := a.newSieve(n, filter.Print(n))
	if sieve.key == a.sieve.key {
		a.Say("the list shows these already")
	}
	a.also = append(a.also, a.take(sieve, wantStart))
}

func (p forStatistics) Count() string { return p.app.shownCount() }

func (p forStatistics) Shown(w int) []draw.Part { return p.app.shownParts(w) }

func (p forStatistics) Writing() bool { return p.app.writes.Open() }

func (a *App) noStatistics() string {
	if a.statisticsLib == nil {
		return "there are no statistics here"
	}
	return ""
}
