package tui

import (
	"context"
	"strconv"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/screens/sort"
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
func (o *orderings) into(req *pageRequest, n filter.Node) {
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
func (a *pagesLoaded) findDoubt(ctx context.Context) (err error) {
	if a.doubts == nil {
		return nil
	}
	a.doubt, err = a.doubts.Doubt(ctx)
	a.query.Threshold = a.doubt.Threshold
	return err
}

// took keeps the threshold that rows were sorted by.
func (o *orderings) took(m *pagesLoaded) {
	if m.query.Order == review.Uncertain {
		o.known = true
		if m.doubt.From != review.FromFilter {
			o.doubt = m.doubt
		}
	}
}

// orderText says in the header how the list is sorted.
func (r *Room) orderText() string {
	text := "by " + sort.Names[r.order]
	switch {
	case r.order == review.Uncertain && r.list.order == r.order:
		d := r.orders.at(r.sieve.node)
		text = "around " + strconv.FormatFloat(r.list.doubt, 'f', 2, 64) + " (" + string(d.From) + ")"
	case r.order == review.Balance && len(r.orders.quotas) == 0:
		text += ", even"
	case r.order == review.Balance:
		text += ", quotas"
	}
	return text
}
