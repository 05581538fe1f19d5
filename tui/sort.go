package tui

import "winnow/core/review"

// forSort is the program as the menu of orders needs it.
type forSort struct{ app *App }

func (p forSort) Order() review.Order { return p.app.Order }

func (p forSort) SortInto(o review.Order) { p.app.also = append(p.app.also, p.app.SortInto(o)) }
