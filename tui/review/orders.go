package review

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
)

// Doubts tells where scores are uncertain.
type Doubts interface {
	// Doubt returns the threshold that verdicts speak for, or the configured
	// one.
	Doubt(ctx context.Context) (review.Doubt, error)
}

// orderings is what orders go by that segments do not tell.
type orderings struct {
	lib    Doubts
	quotas review.Quotas
	known  bool // doubt is: it stays while one sorts by it
	doubt  review.Doubt
}

// standardDoubt is the threshold of a screen that knows of no other.
var standardDoubt = review.Doubt{Threshold: 0.7, From: review.FromConfig}

// at returns the threshold of Uncertain under a filter.
func (o *orderings) at(n filter.Node) review.Doubt {
	if x, ok := filter.Threshold(n); ok {
		return review.Doubt{Threshold: x, From: review.FromFilter}
	}
	return o.doubt
}

// into says in a question what its order goes by.
func (o *orderings) into(req *PageRequest, n filter.Node) {
	switch req.query.Order {
	case review.Balance:
		req.query.Quotas = o.quotas
	case review.Uncertain:
		req.doubt = o.at(n)
		if req.doubts = o.lib; o.known || req.doubt.From == review.FromFilter || o.lib == nil {
			req.doubts = nil
		}
		if req.doubt.From == "" {
			req.doubt = standardDoubt
		}
		req.query.Threshold = req.doubt.Threshold
	}
}

// findDoubt asks for the threshold, if it is to be asked for.
func (a *PagesLoaded) findDoubt(ctx context.Context) (err error) {
	if a.doubts == nil {
		return nil
	}
	a.doubt, err = a.doubts.Doubt(ctx)
	a.query.Threshold = a.doubt.Threshold
	return err
}

// took keeps the threshold that rows were sorted by.
func (o *orderings) took(m *PagesLoaded) {
	if m.query.Order == review.Uncertain {
		o.known = true
		if m.doubt.From != review.FromFilter {
			o.doubt = m.doubt
		}
	}
}

// orderText says in the header how the list is sorted.
func (r *Room) orderText() string {
	text := "by " + review.OrderNames[r.Order]
	switch {
	case r.Order == review.Uncertain && r.List.Order == r.Order:
		d := r.orders.at(r.Sieve.Node)
		text = "around " + strconv.FormatFloat(r.List.doubt, 'f', 2, 64) + " (" + string(d.From) + ")"
	case r.Order == review.Balance && len(r.orders.quotas) == 0:
		text += ", even"
	case r.Order == review.Balance:
		text += ", quotas"
	}
	return text
}

// SortInto sorts the list into an order and goes to its top: who sorts wants to
// see what comes first. Keys wait for it.
func (r *Room) SortInto(o review.Order) tea.Cmd {
	if (o == review.BestScore || o == review.WorstScore || o == review.Uncertain) && r.Totals.Scored == 0 {
		r.Say("no segment has a score yet")
		return nil
	}
	r.Order = o
	if r.Order == review.Random {
		r.Seed += uint64(r.now().UnixNano()) | 1 // another one every time
	}
	r.orders.known = false
	r.Say("sorted by " + review.OrderNames[r.Order])
	cmd := r.Ask(PageRequest{Want: WantStart})
	r.Wait.Finding, r.Wait.awaited = true, true
	return cmd
}
