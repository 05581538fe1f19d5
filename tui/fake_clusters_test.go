package tui

import (
	"context"
	"slices"

	"winnow/core/filter"
	"winnow/core/review"
)

// clusteredLibrary is a fakeLibrary that knows which segments are alike.
type clusteredLibrary struct {
	*fakeLibrary
	late  bool // it does not know yet
	doubt review.Doubt
}

// clustered makes a screen know of clusters.
func clustered(l *clusteredLibrary) func(*Options) {
	return func(o *Options) { o.Library, o.Clusters, o.Doubts = l, l, l }
}

func (l *clusteredLibrary) Doubt(context.Context) (review.Doubt, error) { return l.doubt, nil }

func (l *clusteredLibrary) AlikeSegments(_ context.Context, cluster int64, within filter.Node) ([]review.Segment, error) {
	return slices.DeleteFunc(slices.Clone(l.passing(within)), func(s review.Segment) bool { return s.Cluster != cluster }), nil
}

func (l *clusteredLibrary) Segments(ctx context.Context, q review.Query) (review.Page, error) {
	if !q.Collapse || l.late {
		p, err := l.fakeLibrary.Segments(ctx, q)
		p.Loose = q.Collapse
		return p, err
	}
	all, err := l.fakeLibrary.Segments(ctx, review.Query{Filter: q.Filter, Order: q.Order, Seed: q.Seed, Limit: 1 << 20})
	if err != nil {
		return all, err
	}
	members := map[int64][]review.Segment{}
	for _, s := range all.Segments {
		members[s.Cluster] = append(members[s.Cluster], s)
	}
	var shown []review.Segment
	groups := map[int64]review.Alike{}
	for _, s := range all.Segments {
		list := members[s.Cluster]
		switch {
		case s.Cluster == 0 || len(list) == 1:
			shown = append(shown, s)
			continue
		case list[0].ID != s.ID:
			continue
		case slices.Contains(q.Opened, s.Cluster) != q.AllOpened:
			shown = append(shown, list...)
		default:
			shown = append(shown, s)
		}
		g := review.Alike{Front: s.ID, Size: len(list)}
		for _, m := range list {
			if m.Verdict == review.Pending {
				g.Pending++
			}
		}
		groups[s.Cluster] = g
	}
	from, to := 0, len(shown)
	if q.After.ID != "" {
		at := slices.IndexFunc(shown, func(s review.Segment) bool { return s.ID == q.After.ID })
		if at < 0 {
			at = slices.IndexFunc(shown, func(s review.Segment) bool { return s.Cluster != 0 && s.Cluster == l.find(q.After.ID).Cluster })
		}
		if q.Back {
			to = at
		} else {
			from = at + 1
		}
	}
	p := review.Page{Alike: groups}
	if q.Back {
		p.More = to-q.Limit > from
		from = max(from, to-q.Limit)
	} else {
		p.More = from+q.Limit < to
		to = min(to, from+q.Limit)
	}
	p.Segments = shown[from:to]
	if n := len(p.Segments); n > 0 {
		p.First, p.Last = review.CursorOf(q.Order, &p.Segments[0]), review.CursorOf(q.Order, &p.Segments[n-1])
	}
	return p, nil
}
