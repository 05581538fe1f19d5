package store

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/store/sqlite"
)

// mixed imports n segments that differ in everything lists sort and filter by,
// with many ties.
func mixed(t testing.TB, s *Store, n int) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	for at := 0; at < n; at += 5 {
		file := fmt.Sprintf("/s/%03d", random.IntN(900)*1000+at)
		w := hub.SessionWrite{Session: review.Session{AgentID: "default", File: file, Tally: review.Tally{Messages: 5}}}
		for i := range 5 {
			sw := review.SegmentWrite{Segment: review.Segment{
				Index: i, Start: i + 1, End: i + 1, CutBy: review.CutOffline,
				Digest:  chat.Digest{Fingerprint: fmt.Sprint(at, i), Detail: "d"},
				Verdict: review.Verdicts[random.IntN(4)], Stale: random.IntN(4) == 0,
				Tally: review.Tally{Messages: 1 + random.IntN(3), ToolFails: random.IntN(3), Tokens: random.IntN(4) * 100},
			}}
			if random.IntN(3) > 0 {
				sw.Score, sw.Labeled = ptr(float64(random.IntN(6))*0.2), true
			}
			w.Segments = append(w.Segments, sw)
		}
		put(t, s, hub.ImportWrite{Source: hub.Source{AgentID: "default", Path: file}, Sessions: []hub.SessionWrite{w}})
	}
	tellLikely(t, s, random)
	seenSome(t, s)
}

// seenSome tells what two curators have seen, of most sessions something.
func seenSome(t testing.TB, s *Store) {
	t.Helper()
	change(t, s.Path(), `INSERT INTO seen SELECT id, 'ann', 1 + id % 2, 1 + id % 2 + id % 3 FROM bodies WHERE id % 4 > 0`)
	change(t, s.Path(), `INSERT INTO seen SELECT id, 'bob', 1, 9 FROM bodies WHERE id % 3 > 0`)
}

// tellLikely tells of half of the segments how likely they are approved, with ties.
func tellLikely(t testing.TB, s *Store, random *rand.Rand) {
	t.Helper()
	ids, err := s.IDs(t.Context(), review.Query{})
	if err != nil {
		t.Fatal(err)
	}
	var writes []runs.LikelyWrite
	for _, id := range ids {
		if random.IntN(2) == 0 {
			writes = append(writes, runs.LikelyWrite{ID: id, Likely: float64(1+random.IntN(4)) / 5})
		}
	}
	for len(writes) > 0 {
		n, err := s.WriteLikely(t.Context(), writes)
		if err != nil {
			t.Fatal(err)
		}
		writes = writes[n:]
	}
}

// less compares as an order promises. A shuffle promises nothing.
func less(o review.Order, a, b *review.Segment) int {
	score := func(s *review.Segment) float64 {
		if s.Score == nil {
			return -1
		}
		return *s.Score
	}
	likely := func(s *review.Segment) float64 {
		if s.Likely == nil {
			return -1
		}
		return *s.Likely
	}
	byID := cmp.Compare(a.ID, b.ID)
	switch o {
	case review.Newest:
		return -cmp.Or(a.When().Compare(b.When()), byID)
	case review.Oldest:
		return cmp.Or(a.When().Compare(b.When()), byID)
	case review.BestScore:
		return -cmp.Or(cmp.Compare(score(a), score(b)), byID)
	case review.WorstScore:
		return cmp.Or(cmp.Compare(score(a), score(b)), byID)
	case review.Likeliest:
		return -cmp.Or(cmp.Compare(likely(a), likely(b)), byID)
	case review.Unlikeliest:
		return cmp.Or(cmp.Compare(likely(a), likely(b)), byID)
	case review.MostTokens:
		return -cmp.Or(cmp.Compare(a.Tokens, b.Tokens), byID)
	case review.LeastToken:
		return cmp.Or(cmp.Compare(a.Tokens, b.Tokens), byID)
	case review.Longest:
		return -cmp.Or(cmp.Compare(a.Messages, b.Messages), byID)
	case review.Shortest:
		return cmp.Or(cmp.Compare(a.Messages, b.Messages), byID)
	case review.MostFailures:
		return -cmp.Or(cmp.Compare(a.Errors+a.Exits, b.Errors+b.Exits), byID)
	case review.LeastFailure:
		return cmp.Or(cmp.Compare(a.Errors+a.Exits, b.Errors+b.Exits), byID)
	}
	return cmp.Or(cmp.Compare(a.SessionFile, b.SessionFile), cmp.Compare(a.Start, b.Start), byID)
}

// sorted sorts rows as a query asks for; those of a shuffle by what Go says of
// their numbers.
func sorted(t *testing.T, s *Store, q *review.Query, rows []review.Segment) {
	t.Helper()
	switch q.Order {
	case review.Random:
	case review.Uncertain:
		slices.SortFunc(rows, func(a, b review.Segment) int {
			return cmp.Or(cmp.Compare(naiveDoubt(&a, q.Threshold), naiveDoubt(&b, q.Threshold)), cmp.Compare(a.ID, b.ID))
		})
		return
	case review.Balance:
		copy(rows, naiveBalance(t, s, q.Quotas, rows))
		return
	default:
		slices.SortFunc(rows, func(a, b review.Segment) int { return less(q.Order, &a, &b) })
		return
	}
	place := map[string]int64{}
	for _, r := range rows {
		var rowid int64
		if err := s.db.Rows(t.Context(), "SELECT rowid FROM task_segments WHERE id = ?", r.ID).One(&rowid); err != nil {
			t.Fatal(err)
		}
		place[r.ID] = review.ShuffleOf(q.Seed).Of(rowid)
	}
	slices.SortFunc(rows, func(a, b review.Segment) int {
		return cmp.Or(cmp.Compare(place[a.ID], place[b.ID]), cmp.Compare(a.ID, b.ID))
	})
}

func idsOf(list []review.Segment) []string {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	return ids
}

// query is one about verdicts and staleness, with its filter besides.
type query struct {
	review.Query
	verdicts []review.Verdict
	stale    *bool
}

// queries are all combinations of order, verdicts and staleness.
func queries() []query {
	var all []query
	for _, o := range append(review.Orders[:], "") {
		for _, v := range [][]review.Verdict{nil, {review.Pending}, {review.Approved, review.Unsure}, {review.Rejected, review.Approved, review.Rejected}} {
			for _, stale := range []*bool{nil, ptr(true), ptr(false)} {
				n := review.HasVerdict(v...)
				if stale != nil {
					is := review.Has("stale")
					if !*stale {
						is = filter.Not{Of: is}
					}
					if n == nil {
						n = is
					} else {
						n = filter.And{is, n}
					}
				}
				all = append(all, query{review.Query{Order: o, Seed: 5, Filter: n}, v, stale})
			}
		}
	}
	return all
}

func TestPagesInEveryOrderForwardAndBack(t *testing.T) {
	s := openTemp(t)
	const rows = 200 / slower
	mixed(t, s, rows)
	everything, err := s.Segments(t.Context(), review.Query{Limit: 1000})
	if err != nil || len(everything.Segments) != rows || everything.More {
		t.Fatal(len(everything.Segments), err)
	}
	for _, q := range queries() {
		var want []review.Segment
		for _, seg := range everything.Segments {
			if (q.verdicts == nil || slices.Contains(q.verdicts, seg.Verdict)) && (q.stale == nil || *q.stale == seg.Stale) {
				want = append(want, seg)
			}
		}
		sorted(t, s, &q.Query, want)
		var got []string
		var last review.Page
		for q.Limit = 7; ; q.After = last.Last {
			if last, err = s.Segments(t.Context(), q.Query); err != nil {
				t.Fatal(err)
			}
			got = append(got, idsOf(last.Segments)...)
			if !last.More {
				break
			}
		}
		name := fmt.Sprintf("order %q verdicts %v stale %v", q.Order, q.verdicts, q.stale != nil)
		if !slices.Equal(got, idsOf(want)) {
			t.Errorf("%s: %d rows, want %d, or another order", name, len(got), len(want))
			continue
		}
		// Back again from the last row.
		var back []string
		q.Back, q.After = true, last.Last
		for {
			p, err := s.Segments(t.Context(), q.Query)
			if err != nil {
				t.Fatal(err)
			}
			back = append(idsOf(p.Segments), back...)
			if q.After = p.First; !p.More {
				break
			}
		}
		if !slices.Equal(back, idsOf(want[:len(want)-1])) {
			t.Errorf("%s: back: %d rows, want %d, or another order", name, len(back), len(want)-1)
		}
	}
}

func TestACursorOutlivesItsRow(t *testing.T) {
	s := openTemp(t)
	mixed(t, s, 50)
	pending := review.Query{Filter: review.HasVerdict(review.Pending), Order: review.BestScore, Limit: 3}
	first, err := s.Segments(t.Context(), pending)
	if err != nil {
		t.Fatal(err)
	}
	pending.After = first.Last
	want, _ := s.Segments(t.Context(), pending)
	judge(t, s, "ann", review.Approved, first.Segments[2].ID) // the row of the cursor leaves the list
	got, err := s.Segments(t.Context(), pending)
	if err != nil || !slices.Equal(idsOf(got.Segments), idsOf(want.Segments)) {
		t.Errorf("%v, want %v (%v)", idsOf(got.Segments), idsOf(want.Segments), err)
	}
}

func TestBadQueriesAreRefused(t *testing.T) {
	s := openTemp(t)
	mixed(t, s, 20)
	p, err := s.Segments(t.Context(), review.Query{Order: review.BestScore, Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []review.Query{
		{Order: review.Natural, Limit: 3, After: p.Last},
		{Order: "'; DROP TABLE journal", Limit: 3},
		{},
	} {
		if _, err := s.Segments(t.Context(), q); err == nil {
			t.Errorf("%+v was answered", q)
		}
	}
}

// planOf is how a statement would be answered, a step per line.
func planOf(t *testing.T, s *Store, text string, args ...any) string {
	t.Helper()
	var id, parent, unused int
	steps, err := sqlite.List(s.db.Once(t.Context(), "EXPLAIN QUERY PLAN "+text, args...), func(step *string) []any { return []any{&id, &parent, &unused, step} })
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(steps, "\n")
}

// What is not a list is found by indexes, too.
func TestLookupsUseIndexes(t *testing.T) {
	s := openTemp(t)
	mixed(t, s, 20)
	for _, text := range []string{
		segmentsWithSQL,
		"SELECT * FROM task_segments WHERE session_id = 'a' ORDER BY segment_index",
		"SELECT * FROM trajectory_records WHERE place > 'a' ORDER BY place, id LIMIT 2",
		"SELECT * FROM journal WHERE id < 5 ORDER BY id DESC LIMIT 5",
		countUnsignedSQL, unsignedSQL, freshSQL, signaturesSQL, partedSQL, renameSQL,
		lastAction, nextUndone, changesSQL, headsSQL,
		"SELECT data FROM chunks WHERE id BETWEEN 1 AND 2 ORDER BY id DESC LIMIT 1",
		"SELECT EXISTS (SELECT 1 FROM task_segments WHERE substr(id, 1, 8) = '0')",
		"SELECT * FROM import_issues WHERE source_id = 1 AND id > 1 ORDER BY id LIMIT 1",
	} {
		steps := planOf(t, s, text, make([]any, strings.Count(text, "?"))...)
		for _, bad := range []string{"SCAN task_segments", "SCAN messages", "SCAN trajectory_records", "SCAN journal", "SCAN chunks", "B-TREE"} {
			if strings.Contains(steps, bad) {
				t.Errorf("%s:\n%s", text, steps)
			}
		}
	}
}

func TestACursorOfARowWorksInEveryOrder(t *testing.T) {
	s := openTemp(t)
	mixed(t, s, 60/slower)
	all, err := s.Segments(t.Context(), review.Query{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range review.Orders {
		rows := slices.Clone(all.Segments)
		sorted(t, s, &review.Query{Order: o}, rows)
		for i := range rows {
			at := review.CursorOf(o, &rows[i])
			above, err := s.Segments(t.Context(), review.Query{Order: o, After: at, Back: true, Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			below, err := s.Segments(t.Context(), review.Query{Order: o, After: at, Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			if i > 0 && above.Segments[0].ID != rows[i-1].ID || i+1 < len(rows) && below.Segments[0].ID != rows[i+1].ID {
				t.Fatalf("%s: row %d has other neighbours", o, i)
			}
		}
	}
}
