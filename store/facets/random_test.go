package facets

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/review"
)

// terms are what filters of a test ask for, each with what it means in the
// plainest way.
var terms = []struct {
	text   string
	passes func(r *Row, s *Session) bool
}{
	{"status:pending", func(r *Row, _ *Session) bool { return r.Verdict == "pending" }},
	{"type:code", func(r *Row, _ *Session) bool { return r.Type == "code" }},
	{"score>=0.6", func(r *Row, _ *Session) bool { return r.Score >= 0.6 }},
	{"score!=0.6", func(r *Row, _ *Session) bool { return r.Score == r.Score && r.Score != 0.6 }},
	{"likely>=0.5", func(r *Row, _ *Session) bool { return r.Likely >= 0.5 }},
	{"likely!=0.5", func(r *Row, _ *Session) bool { return r.Likely != 0 && r.Likely != 0.5 }},
	{"seen<50%", func(r *Row, _ *Session) bool { return r.Seen*2 < r.Messages || r.Messages == 0 }},
	{"seen=0", func(r *Row, _ *Session) bool { return r.Seen == 0 }},
	{"turns=2", func(r *Row, _ *Session) bool { return r.Turns == 2 }},
	{"messages:3..6", func(r *Row, _ *Session) bool { return r.Messages >= 3 && r.Messages <= 6 }},
	{"tokens<50", func(r *Row, _ *Session) bool { return r.Tokens < 50 }},
	{"errors>1", func(r *Row, _ *Session) bool { return r.Errors > 1 }},
	{"has:error -has:exit", func(r *Row, _ *Session) bool { return r.Errors > 0 && r.Exits == 0 }},
	{"exits=1", func(r *Row, _ *Session) bool { return r.Exits == 1 }},
	{"toolfails>0", func(r *Row, _ *Session) bool { return r.ToolFails > 0 }},
	{"metric.no_loops<0.6", func(r *Row, _ *Session) bool { return r.Metrics[2] <= 5000 }},
	{"flag:loop", func(r *Row, _ *Session) bool { return strings.Contains(r.Flags, "\nloop\n") }},
	{"tag:keep", func(r *Row, _ *Session) bool { return r.Tags != "" }},
	{"note:übel", func(r *Row, _ *Session) bool { return r.Note != "" }},
	{"topic:THE", func(r *Row, _ *Session) bool { return r.Topic == "Fix the parser" }},
	{"topic:zürich", func(r *Row, _ *Session) bool { return r.Topic == "ZÜRICH" }},
	{"has:stale", func(r *Row, _ *Session) bool { return r.Marks&MarkStale != 0 }},
	{"has:tools", func(r *Row, _ *Session) bool { return r.ToolCalls > 0 }},
	{"has:copies", func(_ *Row, s *Session) bool { return s.Copied }},
	{"model:gpt", func(_ *Row, s *Session) bool { return s.Model == "GPT-5" }},
	{"came:2026-11-20", func(_ *Row, s *Session) bool { return s.Created >= day && s.Created < day+86_400_000_000 }},
	{"came!=2026-11-20", func(_ *Row, s *Session) bool { return s.Created >= day+86_400_000_000 }},
	{"format:codex", func(_ *Row, s *Session) bool { return s.Format == "codex" }},
	{"file:/S/1", func(_ *Row, s *Session) bool { return s.File == "/s/1" }},
	{"parser", func(r *Row, _ *Session) bool { return strings.Contains(r.Topic, "parser") }},
}

// day is the begin of 20 November 2026, in microseconds.
var day = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC).UnixMicro()

// asked is a filter, and which rows it lets through.
type asked struct {
	filter.Node
	passes func(r *Row, s *Session) bool
}

func randomFilter(t testing.TB, random *rand.Rand, depth int) asked {
	t.Helper()
	kind := random.IntN(4)
	if depth == 0 || kind == 0 {
		of := terms[random.IntN(len(terms))]
		n, err := filter.Parse(of.text, filter.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return asked{n, of.passes}
	}
	a, b := randomFilter(t, random, depth-1), randomFilter(t, random, depth-1)
	switch kind {
	case 1:
		return asked{filter.And{a.Node, b.Node}, func(r *Row, s *Session) bool { return a.passes(r, s) && b.passes(r, s) }}
	case 2:
		return asked{filter.Or{a.Node, b.Node}, func(r *Row, s *Session) bool { return a.passes(r, s) || b.passes(r, s) }}
	}
	return asked{filter.Not{Of: a.Node}, func(r *Row, s *Session) bool { return !a.passes(r, s) }}
}

// naive returns the rows that pass, in an order.
func (s *fake) naive(a asked, q *review.Query) (list []Row) {
	for _, r := range s.rows {
		if session := s.sessions[r.Body]; a.passes(&r, &session) {
			list = append(list, r)
		}
	}
	by, _ := q.Order.Sorting()
	score := func(r *Row) float64 {
		if math.IsNaN(r.Score) {
			return review.Unscored
		}
		return r.Score
	}
	date := func(r *Row) int64 {
		if r.Recorded == Never {
			return r.Created
		}
		return r.Recorded
	}
	likely := func(r *Row) float64 {
		if r.Likely == 0 {
			return review.Unscored
		}
		return r.Likely
	}
	doubt := func(r *Row) float64 {
		if r.Likely != 0 {
			return math.Abs(r.Likely - .5)
		}
		if math.IsNaN(r.Score) {
			return math.Inf(1)
		}
		return math.Abs(r.Score - q.Threshold)
	}
	compare := map[filter.Column]func(a, b *Row) int{
		review.ByPlace: func(a, b *Row) int {
			return cmp.Or(cmp.Compare(s.sessions[a.Body].Place, s.sessions[b.Body].Place), cmp.Compare(a.Start, b.Start))
		},
		review.ByDate:   func(a, b *Row) int { return cmp.Compare(date(a), date(b)) },
		review.ByScore:  func(a, b *Row) int { return cmp.Compare(score(a), score(b)) },
		review.ByLikely: func(a, b *Row) int { return cmp.Compare(likely(a), likely(b)) },
		"tokens":        func(a, b *Row) int { return cmp.Compare(a.Tokens, b.Tokens) },
		"messages":      func(a, b *Row) int { return cmp.Compare(a.Messages, b.Messages) },
		review.ByFailed: func(a, b *Row) int { return cmp.Compare(a.Errors+a.Exits, b.Errors+b.Exits) },
		review.ByDoubt:  func(a, b *Row) int { return cmp.Compare(doubt(a), doubt(b)) },
		review.ByChance: func(a, b *Row) int { m := review.ShuffleOf(q.Seed); return cmp.Compare(m.Of(a.Rowid), m.Of(b.Rowid)) },
	}[by.Column]
	slices.SortFunc(list, func(a, b Row) int {
		c := cmp.Or(compare(&a, &b), strings.Compare(a.ID.String(), b.ID.String()))
		if by.Desc {
			return -c
		}
		return c
	})
	return list
}

// Whatever happens to rows and sessions, memory lets through what a filter means,
// in the order that is asked for, page by page, and counts it.
func TestMemoryIsWhatFiltersAndOrdersMean(t *testing.T) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 8))
		feed := newFake()
		session := func() {
			n := 1 + random.Int64N(5)
			feed.putSession(Session{
				Rowid: n, Body: n, ID: fmt.Sprint(n), File: fmt.Sprint("/s/", n), Place: fmt.Sprint(random.IntN(3)),
				Format: []string{"codex", "pi"}[random.IntN(2)], Model: []string{"", "GPT-5"}[random.IntN(2)], Copied: random.IntN(2) == 0, Created: day + random.Int64N(2)*86_400_000_000,
			})
		}
		for row := range int64(60) {
			feed.put(randomRow(random, row+1))
		}
		session()
		l := loaded(t, feed)
		for range 400 {
			switch row := 1 + random.Int64N(80); random.IntN(6) {
			case 0:
				feed.remove(row)
			case 1, 2: // another one, or the same with other values
				r := randomRow(random, row)
				if old, ok := feed.rows[row]; ok && random.IntN(2) == 0 {
					r.ID = old.ID
				}
				feed.put(r)
			case 3:
				session()
			}
			if random.IntN(100) == 0 {
				feed.dropped = int64(len(feed.changed)) // all must be read again
				if err := l.Warm(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			checkList(t, feed, l, random)
		}
	}
}

func checkList(t *testing.T, feed *fake, l *Facets, random *rand.Rand) {
	t.Helper()
	a := randomFilter(t, random, random.IntN(4))
	q := review.Query{Filter: a.Node, Order: review.Orders[random.IntN(len(review.Orders)-1)], Seed: random.Uint64N(3), Threshold: 0.7, Limit: 1 + random.IntN(9), Back: random.IntN(2) == 0}
	want := feed.naive(a, &q)
	c, ok, err := l.Count(t.Context(), a.Node)
	if err != nil || !ok || c.Segments != len(want) {
		t.Fatalf("%s: %d segments, want %d, %v %v", filter.Print(a.Node), c.Segments, len(want), ok, err)
	}
	if q.Back {
		slices.Reverse(want)
	}
	for {
		w, ok, err := l.Find(t.Context(), &q)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		for i, row := range w.Rows {
			if i >= len(want) || want[i].Rowid != row || want[i].ID.String() != w.IDs[i] {
				t.Fatalf("%s by %s: row %d is %d", filter.Print(a.Node), q.Order, i, row)
			}
		}
		if len(w.Rows) != min(len(want), q.Limit+1) {
			t.Fatalf("%s by %s: %d rows, want %d of %d", filter.Print(a.Node), q.Order, len(w.Rows), q.Limit+1, len(want))
		}
		if len(want) <= q.Limit {
			return
		}
		q.After = cursorOf(l, &q, want[q.Limit-1].Rowid)
		want = want[q.Limit:]
	}
}

// cursorOf returns the cursor of a row as a page has it.
func cursorOf(l *Facets, q *review.Query, row int64) review.Cursor {
	f := l.columns
	slot := f.slots[row]
	s := review.Segment{
		ID: f.id[slot].String(), Place: f.sessions.place[f.session[slot]], Start: int(f.start[slot]),
		CreatedAt: time.UnixMicro(f.created[slot]), Errors: int(f.errors[slot]), Exits: int(f.exits[slot]),
		Tally: review.Tally{Messages: int(f.messages[slot]), Tokens: int(f.tokens[slot])},
	}
	if f.recorded[slot] != Never {
		s.Recorded = time.UnixMicro(f.recorded[slot])
	}
	if score := f.score[slot]; score == score {
		s.Score = &score
	}
	if likely := f.likely[slot]; likely == likely {
		s.Likely = &likely
	}
	return review.CursorOf(q.Order, &s)
}

// TestEveryOrderIsInMemory: a column without a row would be sorted as the place is.
func TestEveryOrderIsInMemory(t *testing.T) {
	for _, o := range review.Orders {
		s, _ := o.Sorting()
		if _, ok := sortKeys[s.Column]; !ok {
			t.Errorf("sorted by %s: memory has no key for the column %q", o, s.Column)
		}
	}
}
