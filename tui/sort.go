package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/screens/sort"
)

// forSort is the program as the menu of orders needs it.
type forSort struct{ app *App }

func (p forSort) Order() review.Order { return p.app.order }

func (p forSort) SortInto(o review.Order) { p.app.also = append(p.app.also, p.app.sortInto(o)) }

// sortInto sorts the list into an order and goes to its top: who sorts wants to
// see what comes first. Keys wait for it.
func (a *App) sortInto(o review.Order) tea.Cmd {
	if (o == review.BestScore || o == review.WorstScore || o == review.Uncertain) && a.totals.Scored == 0 {
		a.say("no segment has a score yet")
		return nil
	}
	a.order = o
	if a.order == review.Random {
		a.seed += uint64(a.now().UnixNano()) | 1 // another one every time
	}
	a.orders.known = false
	a.say("sorted by " + sort.Names[a.order])
	cmd := a.ask(pageRequest{want: wantStart})
	a.wait.finding, a.wait.awaited = true, true
	return cmd
}
