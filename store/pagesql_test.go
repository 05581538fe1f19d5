package store

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/facets"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
)

// A page is the same however it is found, by a walk in its order or a look at
// all segments, and whatever the filter, the order and the cursor.
func TestPagesAreWhatAFilterLetsThroughInOrder(t *testing.T) {
	s := openTemp(t)
	odd(t, s, 60)
	rows := naiveRows(t, s)
	byID := map[string]*naiveRow{}
	for i := range rows {
		byID[rows[i].ID] = &rows[i]
	}
	for seed := range uint64(filterSeeds) {
		r := rand.New(rand.NewPCG(seed, 10))
		n := oddFilter(r, rows, r.IntN(3))
		if filter.HasText(n) {
			continue // there is nothing to be found
		}
		o := pick(r, review.Orders[:])
		if r.IntN(2) == 0 {
			n = filter.All(keyTerm(r, o), n)
		}
		q := review.Query{Filter: n, Order: o, Seed: seed % 3, Back: r.IntN(2) == 0, Limit: 1 + r.IntN(30)}
		all := make([]review.Segment, len(rows))
		for i := range rows {
			all[i] = rows[i].Segment
		}
		if q.Threshold, q.Quotas = float64(r.IntN(11))/10, someQuotas(r); o == review.Balance { // the turn of one depends on the others
			all = slices.DeleteFunc(all, func(s review.Segment) bool { return !byID[s.ID].lets(n) })
		}
		sorted(t, s, &q, all)
		at := r.IntN(len(all)+1) - 1
		if at >= 0 {
			q.After = review.CursorOf(q.Order, &all[at])
		}
		if q.Back {
			slices.Reverse(all)
			if at >= 0 {
				at = len(all) - 1 - at
			}
		}
		var want []string
		for i := at + 1; i < len(all) && len(want) <= q.Limit; i++ {
			if byID[all[i].ID].lets(n) {
				want = append(want, all[i].ID)
			}
		}
		found, err := s.find(t.Context(), &q) // by memory only, if nobody else can
		if err != nil || !slices.Equal(found.IDs, want) {
			t.Fatalf("seed %d: %s by %s: %v %v, want %v", seed, filter.Print(n), q.Order, found, err, want)
		}
		forget(s)
		if o == review.Balance {
			continue
		}
		a, err := s.asking(t.Context(), &q)
		if err != nil {
			t.Fatal(err)
		}
		var looked *facets.Found
		err = s.db.Read(t.Context(), func(v *sqlite.View) (err error) {
			looked, err = a.scan(v)
			return err
		})
		if err != nil || !slices.Equal(looked.IDs, want) {
			t.Fatalf("seed %d: %s by %s, of all: %v %v, want %v", seed, filter.Print(n), q.Order, looked, err, want)
		}
	}
}

// Sessions are listed that have a segment which passes, each once.
func TestSessionsWithSegmentsThatPass(t *testing.T) {
	s := openTemp(t)
	odd(t, s, 60)
	rows := naiveRows(t, s)
	for seed := range uint64(filterSeeds / 2) {
		r := rand.New(rand.NewPCG(seed, 11))
		n := oddFilter(r, rows, r.IntN(3))
		if filter.HasText(n) {
			continue // there is nothing to be found
		}
		var want, got []string
		for i := range rows { // in the order of their files
			if rows[i].lets(n) && !slices.Contains(want, rows[i].SessionID) {
				want = append(want, rows[i].SessionID)
			}
		}
		after := ""
		for {
			page, err := s.SessionsWith(t.Context(), n, after, 7)
			if err != nil {
				t.Fatal(err)
			}
			for i := range page {
				got, after = append(got, page[i].ID), page[i].Place
			}
			if len(page) < 7 {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %s: %v, want %v", seed, filter.Print(n), got, want)
		}
	}
	// No page looks at all segments.
	var c filtersql.Found
	some, err := withSegments(c, parsed(t, "score>=0.7 model:opus has:copies tag:keep"))
	if err != nil {
		t.Fatal(err)
	}
	text := "SELECT id FROM trajectory_records WHERE place > ?" + some.After("AND") + " ORDER BY place, id LIMIT 3"
	steps := planOf(t, s, text, append([]any{""}, some.Args...)...)
	if !strings.Contains(steps, "SEARCH task_segments USING COVERING INDEX task_segments_facets (place=?)") || plainScan.MatchString(steps) || strings.Contains(steps, "B-TREE") {
		t.Error(steps)
	}
}

// keyTerm is a term about what an order sorts by, at which a walk may begin and
// end.
func keyTerm(r *rand.Rand, o review.Order) filter.Node {
	by, _ := o.Sorting()
	if by.Column == review.ByDate {
		field := pick(r, []filter.Field{filter.After, filter.Before})
		at := pick(r, oddTimes)
		return filter.Term{Field: field, Op: filter.Is, Date: filter.Date{From: at, To: at.AddDate(0, 0, 1)}}
	}
	fields := filter.Fields()
	i := slices.IndexFunc(fields, func(info filter.Info) bool { return info.Column == by.Column })
	if i < 0 {
		return nil
	}
	field := fields[i].Field
	ops := []filter.Op{filter.Equal, filter.NotEqual, filter.Less, filter.LessEqual, filter.Greater, filter.GreaterEqual, filter.Between}
	t := filter.Term{Field: field, Op: pick(r, ops), Num: pick(r, []float64{0, 1, 2, 0.5, 1000})}
	t.Max = t.Num + 1
	return t
}
