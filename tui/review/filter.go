package review

import (
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/rows"
)

// sieve is a filter of the list.
type sieve struct {
	Node filter.Node // nil lets all through
	Text string      // as it was typed
	Key  string      // its printed form, which tells filters apart
	// What every frame asks for: how the header tells it, what is left of it
	// without its status, and whether it searches for text.
	Pretty string
	base   filter.Node
	finds  bool
}

func (r *Room) NewSieve(n filter.Node, text string) sieve {
	return sieve{
		Node: n, Text: text, Key: filter.Print(n),
		Pretty: r.G.Filter(n), base: filter.Without(n, filter.Status), finds: filter.HasText(n),
	}
}

// SieveOf parses a filter. Its dates are those of this moment.
func (r *Room) SieveOf(text string) (sieve, error) {
	n, err := filter.Parse(text, filter.Options{Now: r.now(), Zone: r.zone})
	if err != nil {
		return sieve{}, err
	}
	return r.NewSieve(n, text), nil
}

// SetSieve puts a filter in force and reports whether it is another one than
// before. The rows stay those of the one before until others come.
func (r *Room) SetSieve(s sieve) bool {
	same := s.Key == r.Sieve.Key
	r.Sieve = s
	if !same {
		r.Tally.Want = true
	}
	return !same
}

// Take puts a filter in force for good: esc on an empty list goes back to the
// one before.
func (r *Room) Take(s sieve, want rows.Want) tea.Cmd {
	former := r.Sieve
	if !r.SetSieve(s) {
		return nil
	}
	r.former = former
	return r.awaitRows(r.askSieved(want))
}

// awaitRows lets keys wait for the rows that were asked for: they are meant
// for what the filter shows.
func (r *Room) awaitRows(cmd tea.Cmd) tea.Cmd {
	if r.Asking && r.List.Key != r.Sieve.Key {
		r.Wait.Finding, r.Wait.awaited = true, true
	}
	return cmd
}

// askSieved asks for the rows of a filter that was set: the first ones, or
// with wantNear those around the selected row.
func (r *Room) askSieved(w rows.Want) tea.Cmd {
	s := r.List.Selected()
	switch {
	case r.Sieve.finds:
		return r.Ask(rows.Request{Want: rows.WantStart, Query: review.Query{Hasty: true}})
	case w == rows.WantStart || s == nil:
		return r.Ask(rows.Request{Want: rows.WantStart})
	}
	return r.Ask(rows.Request{Want: rows.WantNear, Near: review.CursorOf(r.Order, s)})
}

// askExact asks for rows in their order, in place of those that were found
// first, or of those of another filter. The selected row stays if a hand may
// be on it.
func (r *Room) askExact() tea.Cmd {
	s := r.List.Selected()
	if s == nil || r.app.Typing(keys.InFilter) && r.List.Cur == 0 {
		return r.Ask(rows.Request{Want: rows.WantStart})
	}
	return r.Ask(rows.Request{Want: rows.WantNear, Near: review.CursorOf(r.Order, s)})
}

// markTexts has the reader show where the texts stand that the filter searches
// for.
func (r *Room) markTexts() tea.Cmd {
	if r.Sieve.Key == r.marked {
		return nil
	}
	r.marked = r.Sieve.Key
	return r.Reader.Mark(filter.Texts(r.Sieve.Node))
}

// The steps of the threshold. The first one is where usable segments begin.
const (
	thresholdSteps = 20 // from 0 to 1
	firstThreshold = draw.ScoreMid
)

// moveThreshold moves the score from which segments pass.
func (r *Room) moveThreshold(steps int) func() tea.Cmd {
	return func() tea.Cmd {
		x, set := filter.Threshold(r.Sieve.Node)
		next := nextThreshold(x, steps)
		if !set {
			next = firstThreshold
		}
		if steps > 0 && set && next == x {
			r.Say("no score is higher")
			return nil
		}
		n := filter.WithThreshold(r.Sieve.Node, next)
		if next <= 0 {
			r.Say("any score, and none")
		}
		return r.Take(r.NewSieve(n, filter.Print(n)), rows.WantNear)
	}
}

// nextThreshold returns the next one on the scale, up or down.
func nextThreshold(x float64, steps int) float64 {
	at := x * thresholdSteps
	if near := math.Round(at); math.Abs(at-near) < 1e-6 {
		at = near + float64(steps)
	} else if steps > 0 {
		at = math.Ceil(at)
	} else {
		at = math.Floor(at)
	}
	return math.Round(max(0, min(at, thresholdSteps))) / thresholdSteps
}

// noThreshold says why there is nothing to be moved.
func (r *Room) noThreshold() string {
	if r.Totals.Scored == 0 {
		return "no segment has a score yet"
	}
	return ""
}

// noLower says why the threshold cannot go down.
func (r *Room) noLower() string {
	if _, set := filter.Threshold(r.Sieve.Node); !set && r.noThreshold() == "" {
		return "no threshold: " + r.keyFor("threshold-up") + " sets one"
	}
	return r.noThreshold()
}

// clearSieve shows all segments.
func (r *Room) clearSieve() tea.Cmd { return r.Take(sieve{}, rows.WantNear) }

func (r *Room) noSieve() string {
	if r.Sieve.Node == nil {
		return "there is no filter: these are all segments"
	}
	return ""
}

// nothingPasses reports whether the list is empty because of the filter.
func (r *Room) nothingPasses() bool {
	return r.Ready && r.Sieve.Node != nil && len(r.List.Rows) == 0 && r.List.Key == r.Sieve.Key && !r.app.Typing(keys.InFilter)
}

// formerSieve goes back to the filter before the one that nothing passes.
func (r *Room) formerSieve() tea.Cmd {
	former := r.former
	if former.Key == r.Sieve.Key {
		former = sieve{}
	}
	cmd := r.Take(former, rows.WantStart)
	r.former = sieve{} // not to and fro
	return cmd
}

// Passes tells what is known of a filter from a segment's verdict alone:
// whether it may pass, and whether it may not.
func Passes(n filter.Node, v review.Verdict) (may, mayNot bool) {
	switch n := n.(type) {
	case nil:
		return true, false
	case filter.And:
		may = true
		for _, of := range n {
			m, not := Passes(of, v)
			may, mayNot = may && m, mayNot || not
		}
		return may, mayNot
	case filter.Or:
		mayNot = true
		for _, of := range n {
			m, not := Passes(of, v)
			may, mayNot = may || m, mayNot && not
		}
		return may, mayNot
	case filter.Not:
		may, mayNot = Passes(n.Of, v)
		return mayNot, may
	case filter.Term:
		switch {
		case n.Field == filter.Status:
			same := n.Value == string(v)
			return same, !same
		case (n.Field == filter.Reviewer || n.Field == filter.Reviewed) && v == review.Pending:
			return false, true
		}
	}
	return true, true
}

// showsPending reports whether pending segments may pass the filter.
func (r *Room) showsPending() bool {
	may, _ := Passes(r.Sieve.Node, review.Pending)
	return may
}

// KeptMost bounds the rows that stay although they left the filter: more than
// a screen shows.
const KeptMost = 120

// keepRow keeps a row that a verdict or note takes out of the filter in its
// place until the filter, the order or everything is asked for anew: the list
// must not move under a hand that is judging, and one sees what one did.
func (r *Room) keepRow(id string) {
	if r.Sieve.Node == nil || slices.Contains(r.Kept, id) {
		return
	}
	if len(r.Kept) >= KeptMost {
		r.Kept = slices.Delete(r.Kept, 0, 1)
	}
	r.Kept = append(r.Kept, id)
}
