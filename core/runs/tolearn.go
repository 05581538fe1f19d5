package runs

import (
	"context"
	"slices"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/core/metric"
	"winnow/core/review"
)

// LearnQuery asks for segments to look for memories in, in the order of their messages:
// (body, start).
type LearnQuery struct {
	// Extractor is who looks: rules at what nobody looked at, a model also at what only
	// rules looked at.
	Extractor string
	All       bool        // also what was looked at
	Filter    filter.Node // lets segments through, nil: all
	Quiet     Quiet       // passes over sessions that are being written
	After     LearnRef
	Limit     int // at least 1
}

// LearnRef is a segment to look for memories in. The zero value begins a list.
type LearnRef struct {
	ID         string
	Agent, Dir string // of its session
	Body       int64
	Start      int
	chat.Digest
	Analysis string // of one that is not approved, "" for none
	Approved bool
}

// Query is the filter of the segments that a run looks at.
func (g *Learning) Query() filter.Node {
	verdicts := []string{string(review.Approved)}
	if g.Eligible != nil {
		verdicts = append(verdicts, string(review.Pending), string(review.Unsure))
	}
	is := func(f filter.Field, value string) filter.Node {
		return filter.Term{Field: f, Op: filter.Is, Value: value}
	}
	return filter.All(filter.ByStatus(verdicts...), filter.Not{Of: is(filter.Has, "stale")}, filter.Not{Of: is(filter.Cut, string(review.CutProvisional))},
		filter.Not{Of: is(filter.Tag, memory.Private)}, g.Filter)
}

// each calls f with the segments that a run would look at, in the order of their
// messages, until it returns false.
func (g *Learning) each(ctx context.Context, page int, f func(*LearnRef) bool) error {
	q := LearnQuery{Extractor: g.By.Name(), All: g.Again, Filter: g.Query(), Quiet: g.Quiet, Limit: page}
	for {
		list, err := g.Store.SegmentsToLearn(ctx, q)
		if err != nil {
			return err
		}
		todo := slices.DeleteFunc(slices.Clone(list), func(r LearnRef) bool { return !r.Approved && !g.qualifies(r.Analysis) })
		todo = g.Guide.without(todo)
		for i := range todo {
			if !f(&todo[i]) {
				return nil
			}
		}
		if len(list) < q.Limit {
			return nil
		}
		q.After = list[len(list)-1]
	}
}

// Any reports whether there is a segment that a run would look at.
func (g *Learning) Any(ctx context.Context) (found bool, err error) {
	const page = 16 // of which some may be passed over
	err = g.each(ctx, page, func(*LearnRef) bool {
		found = true
		return false
	})
	return found, err
}

// todo lists the segments that a run looks at.
func (g *Learning) todo(ctx context.Context) (list []LearnRef, err error) {
	const page = 256
	err = g.each(ctx, page, func(r *LearnRef) bool {
		r.Analysis = "" // which is long
		list = append(list, *r)
		return len(list) != g.Limit
	})
	return list, err
}

// qualifies reports whether a segment that is not approved is good enough.
func (g *Learning) qualifies(analysis string) bool {
	if g.Eligible == nil || analysis == "" {
		return false
	}
	a, err := metric.Parse(analysis)
	if err != nil {
		return false
	}
	memory, _ := a.Eligible(*g.Eligible)
	return memory
}

// fits reports whether a segment, as it is by now, may still be looked at.
func (g *Learning) fits(s *review.Segment) bool {
	return !s.Stale && s.CutBy != review.CutProvisional && !slices.Contains(s.Tags, memory.Private) &&
		(s.Verdict == review.Approved || s.Verdict != review.Rejected && g.qualifies(s.Analysis))
}

// byFolder splits segments into those of one agent and folder each, in their order.
func byFolder(todo []LearnRef) [][]LearnRef {
	type place struct{ agent, dir string }
	at := map[place]int{}
	var groups [][]LearnRef
	for i := range todo {
		p := place{todo[i].Agent, todo[i].Dir}
		n, met := at[p]
		if !met {
			n = len(groups)
			at[p], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], todo[i])
	}
	return groups
}
