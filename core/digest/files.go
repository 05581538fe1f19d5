package digest

import (
	"path"
	"slices"
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/outcome"
)

// biggest finds for each file that is changed the call that changes most of it:
// where its name must stand.
func (l *layout) biggest() {
	l.best, l.shown = map[uint64]*call{}, map[uint64]bool{}
	most := map[uint64]int{}
	for _, t := range l.draft.turns {
		for _, b := range t.beats {
			for _, c := range b.calls {
				for _, f := range c.files {
					if n := f.add + f.del; c.outcome == outcome.OK && (l.best[f.key] == nil || n > most[f.key]) {
						l.best[f.key], most[f.key] = c, n
					}
				}
			}
		}
	}
}

// hidden counts the changed files that no row shows.
func (l *layout) hidden() int {
	n := 0
	for key := range l.best {
		if !l.shown[key] {
			n++
		}
	}
	return n
}

// changed reports whether an entry changed files.
func (e *entry) changed() bool {
	return e.open() == 0 && slices.ContainsFunc(e.calls, func(c *call) bool { return len(c.files) > 0 && c.outcome == outcome.OK })
}

// changed is what calls did to a file.
type changed struct {
	change
	calls int
	lead  bool // it must stand here
}

// changesOf sums up what calls did to files.
func (l *layout) changesOf(e *entry) []changed {
	var all []changed
	at := map[uint64]int{}
	for _, c := range e.calls {
		if c.outcome != outcome.OK {
			continue
		}
		for _, f := range c.files {
			i, seen := at[f.key]
			if !seen {
				i = len(all)
				at[f.key] = i
				all = append(all, changed{change: change{key: f.key, name: f.name}})
			}
			all[i].calls++
			all[i].add, all[i].del = all[i].add+f.add, all[i].del+f.del
			all[i].lead = all[i].lead || l.best[f.key] == c
		}
	}
	return all
}

// files writes the files that calls changed, with their lines: all of them if
// room is 0, else as many as it holds, first those that must stand here. shown are
// their keys; whole reports whether all that must are among them.
func (l *layout) files(e *entry, most, room int) (row Row, shown []uint64, whole bool) {
	all := l.changesOf(e)
	pieces := make([]Row, len(all))
	bases := map[string]int{}
	for _, f := range all {
		bases[path.Base(f.name)]++
	}
	for i, f := range all {
		pieces[i] = l.file(&f, most, bases[path.Base(f.name)] > 1)
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if all[a].lead != all[b].lead {
			return map[bool]int{true: -1, false: 1}[all[a].lead]
		}
		return all[b].add + all[b].del - all[a].add - all[a].del
	})
	keep := make([]bool, len(all))
	write := func() Row {
		row := Row{{Tool, l.short(e.call().tool, max(24, most))}}
		left, begun := 0, false
		for i := range all {
			if !keep[i] {
				left++
				continue
			}
			if begun {
				row = append(row, Piece{Muted, ","})
			}
			begun = true
			if len(all) == 1 && len(e.calls) > 1 {
				row = append(row, Piece{Muted, " " + l.signs.times + strconv.Itoa(len(e.calls))})
			}
			row = append(row, pieces[i]...)
		}
		switch {
		case left > 0 && begun:
			row = append(row, Piece{Muted, ", " + plural(left, "more file")})
		case left > 0:
			row = append(row, Piece{Muted, " " + plural(left, "file")})
		}
		return row
	}
	for i := range keep {
		keep[i] = true
	}
	every := room == 0 || write().width() <= room
	clear(keep)
	whole = true
	for _, i := range order {
		keep[i] = true
		if !every && write().width() > room {
			keep[i] = false
			whole = whole && !all[i].lead
			continue
		}
		shown = append(shown, all[i].key)
	}
	if shown == nil {
		shown = []uint64{}
	}
	return write(), shown, whole
}

// file writes one file: where there is little room, without its folder.
func (l *layout) file(f *changed, most int, alike bool) Row {
	name := f.name
	if (most < 28 || ansi.StringWidth(name) > max(20, most)) && !alike {
		name = path.Base(name)
	}
	row := Row{{Code, " " + l.short(name, max(20, most))}}
	if most <= 5 {
		return row
	}
	if f.add > 0 {
		row = append(row, Piece{Added, " +" + strconv.Itoa(f.add)})
	}
	if f.del > 0 {
		row = append(row, Piece{Removed, " " + l.signs.minus + strconv.Itoa(f.del)})
	}
	return row
}

// must reports whether an entry has to be on a row.
func (l *layout) must(e *entry) bool { return l.cells(e, 1) > 0 }

// cells says how much of a row an entry takes that has to be on one: a failure
// left open, a file that is changed, what is given away, an interruption. They
// are written apart if dense is 1, and shorter the higher it is.
func (l *layout) cells(e *entry, dense int) int {
	const failure, deed, file = 34, 24, 24
	const between = 3
	switch {
	case e.mark == interruption:
		return deed
	case len(e.calls) == 0:
		return 0
	case e.open() > 0:
		return max(1, failure/dense+between)
	case e.call().kind == delivers && e.call().outcome == outcome.OK:
		return max(1, deed/dense+between)
	}
	n := 0
	for _, f := range l.changesOf(e) {
		switch name := ansi.StringWidth(f.name); {
		case !f.lead:
			continue
		case dense == 1:
			n += min(name, file+4) + 9
		default:
			n += min(ansi.StringWidth(path.Base(f.name)), file) + 2
		}
		if dense > apart {
			n = min(n, file)
		}
	}
	if n > 0 {
		n += between
	}
	return n
}

// rowsFor returns how many rows the entries take that have to be on one.
func (l *layout) rowsFor(list []entry, dense int) int {
	sum := 0
	for i := range list {
		sum += l.cells(&list[i], dense)
	}
	width := max(20, l.text-7-len(" · 99 more"))
	if sum > width {
		sum += sum / 4 // neighbours do not fill a row
	}
	return (sum + width - 1) / width
}
