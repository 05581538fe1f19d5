package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// clustered puts all segments into about so many clusters, and some into none.
func clustered(t testing.TB, s *Store, clusters int, random *rand.Rand) {
	t.Helper()
	err := s.write(t.Context(), sqlite.Machine, "fill", func(t *tx) error {
		prints, err := sqlite.Column[string](t.Rows("SELECT DISTINCT fingerprint FROM task_segments ORDER BY fingerprint"))
		if err != nil {
			return err
		}
		if _, err := t.Exec("DELETE FROM signatures"); err != nil {
			return err
		}
		first := map[int]int{}
		for i, print := range prints {
			n, id, cluster := random.IntN(clusters), i+1, 0
			if n > 0 {
				if first[n] == 0 {
					first[n] = id
				}
				cluster = first[n]
			}
			if _, err := t.Exec("INSERT INTO signatures (id, fingerprint, signature, cluster, fresh) VALUES (?, ?, x'', ?, 0)", id, print, cluster); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// someLeave makes some segments leave, from wherever in their cluster, and others
// come.
func someLeave(t testing.TB, s *Store, random *rand.Rand) {
	t.Helper()
	err := s.write(t.Context(), sqlite.Machine, "some leave", func(t *tx) error {
		_, err := t.Exec("DELETE FROM task_segments WHERE rowid % 40 = ?", random.IntN(40))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	directly(t, s, 4)
}

// naiveCollapsed lays rows, which are in order, out as a list shows them.
func naiveCollapsed(q *review.Query, rows []review.Segment) (shown []review.Segment, alike map[int64]review.Alike) {
	members := map[int64][]review.Segment{}
	for _, r := range rows {
		members[r.Cluster] = append(members[r.Cluster], r)
	}
	alike = map[int64]review.Alike{}
	for _, r := range rows {
		all := members[r.Cluster]
		switch {
		case r.Cluster == 0 || len(all) == 1:
			shown = append(shown, r)
		case all[0].ID == r.ID && slices.Contains(q.Opened, r.Cluster) != q.AllOpened:
			shown = append(shown, all...)
		case all[0].ID == r.ID:
			shown = append(shown, r)
		}
		if r.Cluster != 0 && len(all) > 1 && all[0].ID == r.ID {
			g := review.Alike{Front: r.ID, Size: len(all)}
			for _, m := range all {
				if m.Verdict == review.Pending {
					g.Pending++
				}
			}
			alike[r.Cluster] = g
		}
	}
	return shown, alike
}

// paged reads a list page by page, from either end. Each page tells where in the list
// it stands.
func paged(t testing.TB, s *Store, q review.Query, random *rand.Rand) (list []review.Segment, alike map[int64]review.Alike) {
	t.Helper()
	alike = map[int64]review.Alike{}
	of := 0
	for {
		q.Limit = 1 + random.IntN(30)
		p, err := s.Segments(t.Context(), q)
		if err != nil || p.Loose {
			t.Fatal(p.Loose, err)
		}
		for c, g := range p.Alike {
			alike[c] = g
		}
		before := len(list)
		if of = max(of, p.Of); q.Back {
			before = of - len(list) - len(p.Segments)
		}
		if len(p.Segments) > 0 && (p.Of != of || p.Before != before) {
			t.Fatalf("a page of %d after %d is at %d of %d", len(p.Segments), len(list), p.Before, p.Of)
		}
		if q.Back {
			list = append(slices.Clone(p.Segments), list...)
			q.After = p.First
		} else {
			list = append(list, p.Segments...)
			q.After = p.Last
		}
		if !p.More {
			if of != len(list) {
				t.Fatalf("%d rows, said to be %d", len(list), of)
			}
			return list, alike
		}
	}
}

// Whatever passes the filter, in whatever order and with whatever clusters open:
// each row is there once, below the first of its cluster or counted by it.
func TestCollapsedClusters(t *testing.T) {
	grouped := 0
	for seed := range uint64(cutSeeds) {
		random := rand.New(rand.NewPCG(seed, 33))
		s := openTemp(t)
		directly(t, s, 300)
		clustered(t, s, 60, random)
		if err := s.Warm(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 25 {
			if random.IntN(5) == 0 {
				clustered(t, s, 30+random.IntN(100), random)
			}
			if random.IntN(3) == 0 {
				someLeave(t, s, random)
			}
			q := review.Query{
				Filter: randomFilter(random, 2), Order: review.Orders[random.IntN(len(review.Orders))], Seed: random.Uint64N(3),
				Threshold: 0.7, Quotas: someQuotas(random), Limit: 1000,
			}
			if random.IntN(3) == 0 {
				q.Filter = nil
			}
			all, err := s.Segments(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			q.Collapse, q.AllOpened, q.Back = true, random.IntN(3) == 0, random.IntN(2) == 0
			for _, r := range all.Segments {
				if random.IntN(10) == 0 && r.Cluster != 0 {
					q.Opened = append(q.Opened, r.Cluster)
				}
			}
			want, groups := naiveCollapsed(&q, all.Segments)
			got, alike := paged(t, s, q, random)
			if !slices.Equal(idsOf(got), idsOf(want)) || fmt.Sprint(alike) != fmt.Sprint(groups) {
				t.Fatalf("seed %d: %s by %s, back %t: %v with %v, want %v with %v", seed, filter.Print(q.Filter), q.Order, q.Back, idsOf(got), alike, idsOf(want), groups)
			}
			grouped += len(groups)
			neighbours(t, s, q, got, random)
		}
	}
	if grouped == 0 {
		t.Error("nothing was alike")
	}
}

// neighbours checks that a cursor made of a row alone, and one of a row that has
// left the list since, stand where the row stands.
func neighbours(t testing.TB, s *Store, q review.Query, list []review.Segment, random *rand.Rand) {
	t.Helper()
	if len(list) < 3 {
		return
	}
	at := 1 + random.IntN(len(list)-2)
	q.After, q.Limit = review.CursorOf(q.Order, &list[at]), 1
	for _, q.Back = range []bool{true, false} {
		p, err := s.Segments(t.Context(), q)
		want := list[at+1].ID
		if q.Back {
			want = list[at-1].ID
		}
		if err != nil || len(p.Segments) != 1 || p.Segments[0].ID != want {
			t.Fatalf("by %s, back %t: beside row %d is %v, %v", q.Order, q.Back, at, idsOf(p.Segments), err)
		}
	}
}

// A row that leaves the list while pages are read leaves its place to the pages
// that follow, also beneath the first of its cluster.
func TestACursorBeneathAnotherRowThatLeft(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	s := openTemp(t)
	directly(t, s, 60)
	clustered(t, s, 6, random)
	if err := s.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	q := review.Query{Filter: parsed(t, "status:pending"), Order: review.BestScore, Collapse: true, AllOpened: true, Limit: 100}
	all, err := s.Segments(t.Context(), q)
	if err != nil || len(all.Alike) == 0 {
		t.Fatal(len(all.Alike), err)
	}
	for at := range len(all.Segments) - 1 {
		row := all.Segments[at]
		q.After, q.Limit = review.Cursor{}, at+1
		first, err := s.Segments(t.Context(), q)
		if err != nil || first.Last.ID != row.ID {
			t.Fatal(first.Last, err)
		}
		if all.Alike[row.Cluster].Front == row.ID {
			continue // another one leads its cluster then
		}
		judge(t, s, "ann", review.Rejected, row.ID)
		q.After, q.Limit = first.Last, 1
		p, err := s.Segments(t.Context(), q)
		if err != nil || p.Segments[0].ID != all.Segments[at+1].ID {
			t.Errorf("behind row %d, which left, is %v, %v", at, idsOf(p.Segments), err)
		}
		undo(t, s, "ann")
	}
}

// Until memory has what it takes, all rows are shown.
func TestClustersAreLooseAtFirst(t *testing.T) {
	s := openTemp(t)
	directly(t, s, 40)
	clustered(t, s, 4, rand.New(rand.NewPCG(1, 1)))
	q := review.Query{Order: review.BestScore, Collapse: true, Limit: 100}
	p, err := s.Segments(t.Context(), q)
	if err != nil || !p.Loose || len(p.Segments) != 40 {
		t.Fatal(p.Loose, len(p.Segments), err)
	}
	if err := s.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p, err = s.Segments(t.Context(), q); err != nil || p.Loose || len(p.Segments) >= 40 || len(p.Alike) == 0 {
		t.Error(p.Loose, len(p.Segments), err)
	}
}

// BenchmarkClusters tells how long pages of 200,000 segments take, most of them in
// clusters of about three: the first one after something changed, and those that
// follow.
func BenchmarkClusters(b *testing.B) {
	s := openTemp(b)
	directly(b, s, 200_000)
	clustered(b, s, 60_000, rand.New(rand.NewPCG(1, 1)))
	if err := s.Warm(b.Context()); err != nil {
		b.Fatal(err)
	}
	page := func(b *testing.B, q review.Query) review.Page {
		p, err := s.Segments(b.Context(), q)
		if err != nil || p.Loose {
			b.Fatal(p.Loose, err)
		}
		return p
	}
	for _, o := range []review.Order{review.Natural, review.BestScore, review.Uncertain, review.Balance} {
		for _, text := range []string{"", "status:pending score>=0.7"} {
			for _, kind := range []string{"collapsed", "open", "loose"} {
				q := review.Query{Filter: parsed(b, text), Order: o, Threshold: 0.7, Collapse: kind != "loose", AllOpened: kind == "open", Limit: 200}
				page(b, q) // of the first one in an order the sorting is measured elsewhere
				b.Run(fmt.Sprintf("first/%s/%s/%s", o, text, kind), func(b *testing.B) {
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						if o == review.Balance { // whose turn it is was not asked for
							q.Quotas = review.Quotas{"code": float64(i%1000) / 1000}
						}
						page(b, q)
					}
				})
				b.Run(fmt.Sprintf("next/%s/%s/%s", o, text, kind), func(b *testing.B) {
					b.ReportAllocs()
					ask := q
					for b.Loop() {
						p := page(b, ask)
						if ask.After = p.Last; !p.More {
							ask.After = review.Cursor{}
						}
					}
				})
			}
		}
	}
}
