package tui

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"winnow/core/filter"
	"winnow/core/review"
	room "winnow/tui/review"
)

// lets reports whether a filter lets a segment through: a plain reading of the
// fields that tests ask for.
func lets(n filter.Node, s *review.Segment) bool {
	switch n := n.(type) {
	case nil:
		return true
	case filter.And:
		return !slices.ContainsFunc(n, func(of filter.Node) bool { return !lets(of, s) })
	case filter.Or:
		return slices.ContainsFunc(n, func(of filter.Node) bool { return lets(of, s) })
	case filter.Not:
		return !lets(n.Of, s)
	case filter.Text:
		return strings.Contains(strings.ToLower(s.Topic), strings.ToLower(n.Value))
	case filter.Term:
		return letsTerm(&n, s)
	}
	return false
}

func letsTerm(t *filter.Term, s *review.Segment) bool {
	switch t.Field {
	case filter.Status:
		return string(s.Verdict) == t.Value
	case filter.IDField:
		return strings.HasPrefix(s.ID, t.Value)
	case filter.Type:
		return s.TaskType == t.Value
	case filter.Topic:
		return strings.Contains(strings.ToLower(s.Topic), strings.ToLower(t.Value))
	case filter.Tag:
		return slices.Contains(s.Tags, t.Value)
	case filter.Why:
		return slices.Contains(s.Tags, "why:"+t.Value)
	case filter.Has:
		return t.Value == "note" && s.Note != "" || t.Value == "stale" && s.Stale || t.Value == "error" && s.Errors > 0 || t.Value == "compression" && s.Compression != ""
	case filter.Compression:
		return string(s.Compression) == t.Value
	case filter.Score:
		return s.Score != nil && compares(t, *s.Score)
	case filter.ToolCalls:
		return compares(t, float64(s.ToolCalls))
	case filter.Tokens:
		return compares(t, float64(s.Tokens))
	}
	switch t.Field {
	case filter.Agent:
		return s.AgentID == t.Value
	case filter.Model:
		return strings.EqualFold(s.Model, t.Value)
	case filter.File:
		return strings.Contains(s.SessionFile, t.Value)
	}
	panic("the library of tests does not know the field " + string(t.Field))
}

func compares(t *filter.Term, x float64) bool {
	switch t.Op {
	case filter.GreaterEqual:
		return x >= t.Num
	case filter.LessEqual:
		return x <= t.Num
	case filter.Greater:
		return x > t.Num
	case filter.Less:
		return x < t.Num
	case filter.NotEqual:
		return x != t.Num
	case filter.Between:
		return x >= t.Num && x <= t.Max
	}
	return x == t.Num
}

func (l *fakeLibrary) passing(n filter.Node) []review.Segment {
	if n == nil {
		return l.segments
	}
	return slices.DeleteFunc(slices.Clone(l.segments), func(s review.Segment) bool { return !lets(n, &s) })
}

func (l *fakeLibrary) Count(ctx context.Context, n filter.Node) (review.Counts, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := cmp.Or(ctx.Err(), l.failing("Count")); err != nil {
		l.gaveUp("Count")
		return review.Counts{}, err
	}
	l.counts = append(l.counts, filter.Print(n))
	c := review.Counts{ByVerdict: map[review.Verdict]int{}}
	for i := range l.segments {
		s := &l.segments[i]
		if !lets(n, s) {
			continue
		}
		c.Segments++
		c.ByVerdict[s.Verdict]++
		if s.Score != nil {
			c.Scored++
			c.Histogram[min(19, int(*s.Score*20))]++
		}
	}
	return c, nil
}

func (l *fakeLibrary) Values(ctx context.Context, f filter.Field, prefix string, within filter.Node, limit int) ([]filter.Candidate, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := cmp.Or(ctx.Err(), l.failing("Values")); err != nil {
		l.gaveUp("Values")
		return nil, err
	}
	counts := map[string]int{}
	for i := range l.segments {
		s := &l.segments[i]
		if !lets(within, s) {
			continue
		}
		switch f {
		case filter.Status:
			counts[string(s.Verdict)]++
		case filter.Type:
			counts[s.TaskType]++
		case filter.Topic:
			counts[s.Topic]++
		case filter.Tag:
			for _, t := range s.Tags {
				counts[t]++
			}
		}
	}
	var out []filter.Candidate
	for v, n := range counts {
		if v != "" && strings.Contains(strings.ToLower(v), strings.ToLower(prefix)) {
			out = append(out, filter.Candidate{Value: v, Count: n})
		}
	}
	slices.SortFunc(out, func(a, b filter.Candidate) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	return out[:min(limit, len(out))], nil
}

func (l *fakeLibrary) TextShare(context.Context) (done, all int64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.share[0], l.share[1], l.failing("TextShare")
}

// shuffled is where a row stands in a random order.
func shuffled(s *review.Segment, seed uint64) uint64 {
	h := fnv.New64a()
	h.Write([]byte(strconv.FormatUint(seed, 36) + s.ID))
	return h.Sum64()
}

// fakeSaved keeps filters in memory.
type fakeSaved struct {
	filters []room.SavedFilter
	fail    error
	breaks  error // fails with it once one was saved
}

func (f *fakeSaved) Saved(context.Context) ([]room.SavedFilter, error) {
	return slices.Clone(f.filters), f.fail
}

func (f *fakeSaved) Save(_ context.Context, s room.SavedFilter) error {
	if f.fail != nil {
		return f.fail
	}
	f.filters = append(slices.DeleteFunc(f.filters, func(o room.SavedFilter) bool { return o.Number == s.Number }), s)
	f.fail = f.breaks
	return nil
}

func (l *fakeLibrary) IDs(_ context.Context, q review.Query) ([]string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.failing("IDs"); err != nil {
		return nil, err
	}
	all := slices.Clone(l.passing(q.Filter))
	slices.SortStableFunc(all, order(q.Order, q.Seed))
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	return ids, nil
}

func (l *fakeLibrary) Standing(_ context.Context, ids []string) ([]review.Standing, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.failing("Standing"); err != nil {
		return nil, err
	}
	var now []review.Standing
	for i := range l.segments {
		if s := &l.segments[i]; slices.Contains(ids, s.ID) {
			now = append(now, review.Standing{ID: s.ID, Verdict: s.Verdict, Stale: s.Stale, Reviewer: s.Reviewer, Tags: slices.Clone(s.Tags)})
		}
	}
	return now, nil
}
