package tui

import (
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
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

func (a *App) newSieve(n filter.Node, text string) sieve {
	return sieve{
		node: n, text: text, key: filter.Print(n),
		pretty: a.G.Filter(n), base: filter.Without(n, filter.Status), finds: filter.HasText(n),
	}
}

// sieveOf parses a filter. Its dates are those of this moment.
func (a *App) sieveOf(text string) (sieve, error) {
	n, err := filter.Parse(text, filter.Options{Now: a.now(), Zone: a.zone})
	if err != nil {
		return sieve{}, err
	}
	return a.newSieve(n, text), nil
}

// setSieve puts a filter in force and reports whether it is another one than
// before. The rows stay those of the one before until others come.
func (a *App) setSieve(s sieve) bool {
	same := s.key == a.sieve.key
	a.sieve = s
	if !same {
		a.tally.want = true
	}
	return !same
}

// take puts a filter in force for good: esc on an empty list goes back to the
// one before.
func (a *App) take(s sieve, want want) tea.Cmd {
	former := a.sieve
	if !a.setSieve(s) {
		return nil
	}
	a.former = former
	return a.awaitRows(a.askSieved(want))
}

// awaitRows lets keys wait for the rows that were asked for: they are meant
// for what the filter shows.
func (a *App) awaitRows(cmd tea.Cmd) tea.Cmd {
	if a.asking && a.list.key != a.sieve.key {
		a.wait.finding, a.wait.awaited = true, true
	}
	return cmd
}

// askSieved asks for the rows of a filter that was set: the first ones, or
// with wantNear those around the selected row.
func (a *App) askSieved(w want) tea.Cmd {
	s := a.list.Selected()
	switch {
	case a.sieve.finds:
		return a.ask(pageRequest{want: wantStart, query: review.Query{Hasty: true}})
	case w == wantStart || s == nil:
		return a.ask(pageRequest{want: wantStart})
	}
	return a.ask(pageRequest{want: wantNear, near: review.CursorOf(a.order, s)})
}

// askExact asks for rows in their order, in place of those that were found
// first, or of those of another filter. The selected row stays if a hand may
// be on it.
func (a *App) askExact() tea.Cmd {
	s := a.list.Selected()
	if s == nil || a.line != nil && a.list.Cur == 0 {
		return a.ask(pageRequest{want: wantStart})
	}
	return a.ask(pageRequest{want: wantNear, near: review.CursorOf(a.order, s)})
}

// markTexts has the reader show where the texts stand that the filter searches
// for.
func (a *App) markTexts() tea.Cmd {
	if a.sieve.key == a.marked {
		return nil
	}
	a.marked = a.sieve.key
	return a.reader.Mark(filter.Texts(a.sieve.node))
}

// The steps of the threshold. The first one is where usable segments begin.
const (
	thresholdSteps = 20 // from 0 to 1
	firstThreshold = draw.ScoreMid
)

// moveThreshold moves the score from which segments pass.
func (a *App) moveThreshold(steps int) func() tea.Cmd {
	return func() tea.Cmd {
		x, set := filter.Threshold(a.sieve.node)
		next := nextThreshold(x, steps)
		if !set {
			next = firstThreshold
		}
		if steps > 0 && set && next == x {
			a.say("no score is higher")
			return nil
		}
		n := filter.WithThreshold(a.sieve.node, next)
		if next <= 0 {
			a.say("any score, and none")
		}
		return a.take(a.newSieve(n, filter.Print(n)), wantNear)
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
func (a *App) noThreshold() string {
	if a.totals.Scored == 0 {
		return "no segment has a score yet"
	}
	return ""
}

// noLower says why the threshold cannot go down.
func (a *App) noLower() string {
	if _, set := filter.Threshold(a.sieve.node); !set && a.noThreshold() == "" {
		return "no threshold: " + a.keyFor("threshold-up") + " sets one"
	}
	return a.noThreshold()
}

// clearSieve shows all segments.
func (a *App) clearSieve() tea.Cmd { return a.take(sieve{}, wantNear) }

func (a *App) noSieve() string {
	if a.sieve.node == nil {
		return "there is no filter: these are all segments"
	}
	return ""
}

// nothingPasses reports whether the list is empty because of the filter.
func (a *App) nothingPasses() bool {
	return a.ready && a.sieve.node != nil && len(a.list.Rows) == 0 && a.list.key == a.sieve.key && a.line == nil
}

// formerSieve goes back to the filter before the one that nothing passes.
func (a *App) formerSieve() tea.Cmd {
	former := a.former
	if former.key == a.sieve.key {
		former = sieve{}
	}
	cmd := a.take(former, wantStart)
	a.former = sieve{} // not to and fro
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
func (a *App) showsPending() bool {
	may, _ := passes(a.sieve.node, review.Pending)
	return may
}

// keptMost bounds the rows that stay although they left the filter: more than
// a screen shows.
const keptMost = 120

// keepRow keeps a row that a verdict or note takes out of the filter in its
// place until the filter, the order or everything is asked for anew: the list
// must not move under a hand that is judging, and one sees what one did.
func (a *App) keepRow(id string) {
	if a.sieve.node == nil || slices.Contains(a.kept, id) {
		return
	}
	if len(a.kept) >= keptMost {
		a.kept = slices.Delete(a.kept, 0, 1)
	}
	a.kept = append(a.kept, id)
}
