package tui

import (
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// sieve is a filter of the list.
type sieve struct {
	node filter.Node // nil lets all through
	text string      // as it was typed
	key  string      // its printed form, which tells filters apart
	// What every frame asks for: how the header tells it, what is left of it
	// without its status, and whether it searches for text.
	pretty string
	base   filter.Node
	finds  bool
}

func (r *Room) newSieve(n filter.Node, text string) sieve {
	return sieve{
		node: n, text: text, key: filter.Print(n),
		pretty: r.G.Filter(n), base: filter.Without(n, filter.Status), finds: filter.HasText(n),
	}
}

// sieveOf parses a filter. Its dates are those of this moment.
func (r *Room) sieveOf(text string) (sieve, error) {
	n, err := filter.Parse(text, filter.Options{Now: r.now(), Zone: r.zone})
	if err != nil {
		return sieve{}, err
	}
	return r.newSieve(n, text), nil
}

// setSieve puts a filter in force and reports whether it is another one than
// before. The rows stay those of the one before until others come.
func (r *Room) setSieve(s sieve) bool {
	same := s.key == r.sieve.key
	r.sieve = s
	if !same {
		r.tally.want = true
	}
	return !same
}

// take puts a filter in force for good: esc on an empty list goes back to the
// one before.
func (r *Room) take(s sieve, want want) tea.Cmd {
	former := r.sieve
	if !r.setSieve(s) {
		return nil
	}
	r.former = former
	return r.awaitRows(r.askSieved(want))
}

// awaitRows lets keys wait for the rows that were asked for: they are meant
// for what the filter shows.
func (r *Room) awaitRows(cmd tea.Cmd) tea.Cmd {
	if r.asking && r.list.key != r.sieve.key {
		r.wait.finding, r.wait.awaited = true, true
	}
	return cmd
}

// askSieved asks for the rows of a filter that was set: the first ones, or
// with wantNear those around the selected row.
func (r *Room) askSieved(w want) tea.Cmd {
	s := r.list.Selected()
	switch {
	case r.sieve.finds:
		return r.ask(pageRequest{want: wantStart, query: review.Query{Hasty: true}})
	case w == wantStart || s == nil:
		return r.ask(pageRequest{want: wantStart})
	}
	return r.ask(pageRequest{want: wantNear, near: review.CursorOf(r.order, s)})
}

// askExact asks for rows in their order, in place of those that were found
// first, or of those of another filter. The selected row stays if a hand may
// be on it.
func (r *Room) askExact() tea.Cmd {
	s := r.list.Selected()
	if s == nil || r.app.Typing(keys.InFilter) && r.list.Cur == 0 {
		return r.ask(pageRequest{want: wantStart})
	}
	return r.ask(pageRequest{want: wantNear, near: review.CursorOf(r.order, s)})
}

// markTexts has the reader show where the texts stand that the filter searches
// for.
func (r *Room) markTexts() tea.Cmd {
	if r.sieve.key == r.marked {
		return nil
	}
	r.marked = r.sieve.key
	return r.reader.Mark(filter.Texts(r.sieve.node))
}

// The steps of the threshold. The first one is where usable segments begin.
const (
	thresholdSteps = 20 // from 0 to 1
	firstThreshold = draw.ScoreMid
)

// moveThreshold moves the score from which segments pass.
func (r *Room) moveThreshold(steps int) func() tea.Cmd {
	return func() tea.Cmd {
		x, set := filter.Threshold(r.sieve.node)
		next := nextThreshold(x, steps)
		if !set {
			next = firstThreshold
		}
		if steps > 0 && set && next == x {
			r.Say("no score is higher")
			return nil
		}
		n := filter.WithThreshold(r.sieve.node, next)
		if next <= 0 {
			r.Say("any score, and none")
		}
		return r.take(r.newSieve(n, filter.Print(n)), wantNear)
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
	if r.totals.Scored == 0 {
		return "no segment has a score yet"
	}
	return ""
}

// noLower says why the threshold cannot go down.
func (r *Room) noLower() string {
	if _, set := filter.Threshold(r.sieve.node); !set && r.noThreshold() == "" {
		return "no threshold: " + r.keyFor("threshold-up") + " sets one"
	}
	return r.noThreshold()
}

// clearSieve shows all segments.
func (r *Room) clearSieve() tea.Cmd { return r.take(sieve{}, wantNear) }

func (r *Room) noSieve() string {
	if r.sieve.node == nil {
		return "there is no filter: these are all segments"
	}
	return ""
}

// nothingPasses reports whether the list is empty because of the filter.
func (r *Room) nothingPasses() bool {
	return r.ready && r.sieve.node != nil && len(r.list.Rows) == 0 && r.list.key == r.sieve.key && !r.app.Typing(keys.InFilter)
}

// formerSieve goes back to the filter before the one that nothing passes.
func (r *Room) formerSieve() tea.Cmd {
	former := r.former
	if former.key == r.sieve.key {
		former = sieve{}
	}
	cmd := r.take(former, wantStart)
	r.former = sieve{} // not to and fro
	return cmd
}

// passes tells what is known of a filter from a segment's verdict alone:
// whether it may pass, and whether it may not.
func passes(n filter.Node, v review.Verdict) (may, mayNot bool) {
	switch n := n.(type) {
	case nil:
		return true, false
	case filter.And:
		may = true
		for _, of := range n {
			m, not := passes(of, v)
			may, mayNot = may && m, mayNot || not
		}
		return may, mayNot
	case filter.Or:
		mayNot = true
		for _, of := range n {
			m, not := passes(of, v)
			may, mayNot = may || m, mayNot && not
		}
		return may, mayNot
	case filter.Not:
		may, mayNot = passes(n.Of, v)
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
	may, _ := passes(r.sieve.node, review.Pending)
	return may
}

// keptMost bounds the rows that stay although they left the filter: more than
// a screen shows.
const keptMost = 120

// keepRow keeps a row that a verdict or note takes out of the filter in its
// place until the filter, the order or everything is asked for anew: the list
// must not move under a hand that is judging, and one sees what one did.
func (r *Room) keepRow(id string) {
	if r.sieve.node == nil || slices.Contains(r.kept, id) {
		return
	}
	if len(r.kept) >= keptMost {
		r.kept = slices.Delete(r.kept, 0, 1)
	}
	r.kept = append(r.kept, id)
}
