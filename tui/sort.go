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
func (r *Room) sortInto(o review.Order) tea.Cmd {
	if (o == review.BestScore || o == review.WorstScore || o == review.Uncertain) && r.totals.Scored == 0 {
		r.Say("no segment has a score yet")
		return nil
	}
	r.order = o
	if r.order == review.Random {
		r.seed += uint64(r.now().UnixNano()) | 1 // another one every time
	}
	r.orders.known = false
	r.Say("sorted by " + sort.Names[r.order])
	cmd := r.ask(pageRequest{want: wantStart})
	r.wait.finding, r.wait.awaited = true, true
	return cmd
}
