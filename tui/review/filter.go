package review

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/rows"
)

// NewFilter returns a filter that was typed as a text.
func (r *Room) NewFilter(n filter.Node, text string) rows.Filter {
	return rows.NewFilter(n, text, r.G)
}

// ParseFilter parses a filter. Its dates are those of this moment.
func (r *Room) ParseFilter(text string) (rows.Filter, error) {
	n, err := filter.Parse(text, filter.Options{Now: r.now(), Zone: r.zone})
	if err != nil {
		return rows.Filter{}, err
	}
	return r.NewFilter(n, text), nil
}

// setFilter puts a filter in force and reports whether it is another one than
// before. The rows stay those of the one before until others come.
func (r *Room) setFilter(s rows.Filter) bool {
	same := s.Key == r.Filter.Key
	r.Filter = s
	if !same {
		r.counts.want = true
	}
	return !same
}

// Take puts a filter in force for good: esc on an empty list goes back to the
// one before.
func (r *Room) Take(s rows.Filter, want rows.Want) tea.Cmd {
	former := r.Filter
	if !r.setFilter(s) {
		return nil
	}
	r.former = former
	return r.awaitRows(r.askFiltered(want))
}

// awaitRows lets keys wait for the rows that were asked for: they are meant
// for what the filter shows.
func (r *Room) awaitRows(cmd tea.Cmd) tea.Cmd {
	if r.asking && r.List.Key != r.Filter.Key {
		r.wait.finding, r.wait.awaited = true, true
	}
	return cmd
}

// askFiltered asks for the rows of a filter that was set: the first ones, or
// with rows.WantNear those around the selected row.
func (r *Room) askFiltered(w rows.Want) tea.Cmd {
	if r.Filter.Finds {
		return r.Ask(rows.Request{Want: rows.WantStart, Query: review.Query{Hasty: true}})
	}
	return r.askNear(w == rows.WantStart)
}

// askNear asks for the rows around the selected one, or for the first ones.
func (r *Room) askNear(first bool) tea.Cmd {
	s := r.List.Selected()
	if first || s == nil {
		return r.Ask(rows.Request{Want: rows.WantStart})
	}
	return r.Ask(rows.Request{Want: rows.WantNear, Near: review.CursorOf(r.Order, s)})
}

// markTexts has the reader show where the texts stand that the filter searches
// for.
func (r *Room) markTexts() tea.Cmd {
	if r.Filter.Key == r.marked {
		return nil
	}
	r.marked = r.Filter.Key
	return r.Reader.Mark(filter.Texts(r.Filter.Node))
}

// firstThreshold is where usable segments begin.
const firstThreshold = draw.ScoreMid

// moveThreshold moves the score from which segments pass.
func (r *Room) moveThreshold(steps int) tea.Cmd {
	x, set := filter.Threshold(r.Filter.Node)
	next := rows.NextThreshold(x, steps)
	if !set {
		next = firstThreshold
	}
	if steps > 0 && set && next == x {
		r.Say("the threshold is at its highest")
		return nil
	}
	n := filter.WithThreshold(r.Filter.Node, next)
	if next <= 0 {
		r.Say("no threshold: segments without a score pass, too")
	}
	return r.Take(r.NewFilter(n, filter.Print(n)), rows.WantNear)
}

// noThreshold says why there is nothing to be moved.
func (r *Room) noThreshold() string {
	return keys.Reason(r.Totals.Scored == 0, "no segment has a score yet")
}

// noLower says why the threshold cannot go down.
func (r *Room) noLower() string {
	_, set := filter.Threshold(r.Filter.Node)
	return cmp.Or(r.noThreshold(), keys.Reason(!set, "no threshold: "+r.keyFor("threshold-up")+" sets one"))
}

// clearFilter shows all segments.
func (r *Room) clearFilter() tea.Cmd { return r.Take(rows.Filter{}, rows.WantNear) }

func (r *Room) noFilter() string {
	return keys.Reason(r.Filter.Node == nil, "no filter is set: the list shows all segments")
}

// nothingPasses reports whether the list is empty because of the filter.
func (r *Room) nothingPasses() bool {
	return r.ready && r.Filter.Node != nil && len(r.List.Rows) == 0 && r.List.Key == r.Filter.Key && !r.app.Typing(keys.InFilter)
}

// formerFilter goes back to the filter before the one that nothing passes.
func (r *Room) formerFilter() tea.Cmd {
	former := r.former
	if former.Key == r.Filter.Key {
		former = rows.Filter{}
	}
	cmd := r.Take(former, rows.WantStart)
	r.former = rows.Filter{} // not to and fro
	return cmd
}

// showsPending reports whether pending segments may pass the filter.
func (r *Room) showsPending() bool {
	may, _ := review.Passes(r.Filter.Node, review.Pending)
	return may
}

// KeptMost bounds the rows that stay although they left the filter: more than
// a screen shows.
const KeptMost = 120

// keepRow keeps a row that a verdict or note takes out of the filter in its
// place until the filter, the order or everything is asked for anew: the list
// must not move under a hand that is judging, and one sees what one did.
func (r *Room) keepRow(id string) {
	if r.Filter.Node == nil || slices.Contains(r.Kept, id) {
		return
	}
	if len(r.Kept) >= KeptMost {
		r.Kept = slices.Delete(r.Kept, 0, 1)
	}
	r.Kept = append(r.Kept, id)
}
