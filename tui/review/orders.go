package review

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/rows"
)

// orderings is what orders go by that segments do not tell.
type orderings struct {
	lib    rows.Doubts
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
func (o *orderings) into(req *rows.Request, n filter.Node) {
	switch req.Query.Order {
	case review.Balance:
		req.Query.Quotas = o.quotas
	case review.Uncertain:
		req.Doubt = o.at(n)
		if req.Doubts = o.lib; o.known || req.Doubt.From == review.FromFilter || o.lib == nil {
			req.Doubts = nil
		}
		if req.Doubt.From == "" {
			req.Doubt = standardDoubt
		}
		req.Query.Threshold = req.Doubt.Threshold
	}
}

// took keeps the threshold that rows were sorted by.
func (o *orderings) took(m *rows.Loaded) {
	if m.Query.Order == review.Uncertain {
		o.known = true
		if m.Doubt.From != review.FromFilter {
			o.doubt = m.Doubt
		}
	}
}

// orderText says in the header how the list is sorted.
func (r *Room) orderText() string {
	text := r.Order.First()
	switch {
	case r.Order == review.Uncertain && r.List.Order == r.Order:
		d := r.orders.at(r.Filter.Node)
		text = "around " + strconv.FormatFloat(r.List.Doubt, 'f', 2, 64) + " (" + string(d.From) + ")"
	case r.Order == review.Balance && len(r.orders.quotas) == 0:
		text += ", even"
	case r.Order == review.Balance:
		text += ", quotas"
	}
	return text
}

// nothingLearned says why no segment has a value of likely.
const nothingLearned = "nothing is learned from verdicts yet: winnow learn says what it takes"

// SortInto sorts the list into an order and goes to its top: who sorts wants to
// see what comes first. Keys wait for it.
func (r *Room) SortInto(o review.Order) tea.Cmd {
	if (o == review.BestScore || o == review.WorstScore || o == review.Uncertain) && r.Totals.Scored == 0 {
		r.Say("no segment has a score yet")
		return nil
	}
	if (o == review.Likeliest || o == review.Unlikeliest) && !r.Totals.Likely {
		r.Say(nothingLearned)
		return nil
	}
	r.Order = o
	if r.Order == review.Random {
		r.seed += uint64(r.now().UnixNano()) | 1 // another one every time
	}
	r.orders.known = false
	r.Say(strings.Replace("sorted: "+r.Order.First(), ": by ", " by ", 1))
	cmd := r.Ask(rows.Request{Want: rows.WantStart})
	r.wait.finding, r.wait.awaited = true, true
	return cmd
}
