package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/hub"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/store/filtersql"
)

// Values that rows have, and that filters ask for: letters of which lower() of
// SQL knows nothing, wildcards, separators, and what would end a text in SQL.
var (
	oddTexts = []string{
		"", "Größe ändern", "GRÖSSE", "größe", "Настройка сети", "НАСТРОЙКА", "订单服务", "K2 \u212a \u017f", "Σίσυφος", "ΣΊΣΥΦΟΣ", "İstanbul ıI",
		"100%", "a_b", "a*b", `'; DROP TABLE task_segments; --`, `"quoted"`, "new\nline", "tab\tulator", `back\slash`, "[x]", "straße STRAẞE", "ǅ ǆ Ǆ",
	}
	oddParts = []string{
		"", "ö", "Ö", "GRÖ", "größe ä", "настрой", "СЕТИ", "订", "k", "\u212a", "s", "\u017f", "σ", "Σ", "ς", "i", "İ", "ı", "%", "_", "*", "'", `"`, "\n", "\t",
		`\`, "[", "]", "DROP table", "ß", "ẞ", "ss", "ǆ", "b", "zzz", "?", "' OR 1=1 --", "e ä",
	}
	oddNames = []string{"Bash", "bash", "mcp__x", "t\tab", "new\nline", `back\slash`, "b,\"c", "c", ",", "a", `","`, "x,", "y", "ä", "*"}
	oddTimes = []time.Time{
		{}, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 1, 23, 59, 59, 999_999_000, time.UTC), time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC),
		time.Date(2025, 6, 30, 12, 0, 0, 0, time.UTC), time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
	}
)

// oddAnalysis is of random metrics, flags, tools and time.
func oddAnalysis(r *rand.Rand) metric.Analysis {
	a := metric.Analysis{Version: metric.Version, Scorer: metric.Offline, Metrics: map[string]*metric.Value{}, ToolStats: map[string]metric.ToolStat{}}
	for _, name := range metric.Names() {
		switch r.IntN(3) {
		case 0:
			a.Metrics[name] = nil
		case 1:
			a.Metrics[name] = &metric.Value{Score: float64(r.IntN(11)) / 10, Weight: 1}
		}
	}
	a.Rescore()
	a.Summary.TaskType = pick(r, metric.TaskTypes())
	for range r.IntN(3) {
		a.ToolStats[pick(r, oddNames)] = metric.ToolStat{Count: 1, Errors: r.IntN(6) / 3, Exits: r.IntN(6) / 4}
	}
	for _, f := range metric.Flags() {
		if r.IntN(8) == 0 {
			a.Flags = append(a.Flags, f.Flag)
		}
	}
	if at := pick(r, oddTimes); !at.IsZero() {
		a.Began = at.Format(time.RFC3339Nano)
	}
	return a
}

// odd imports segments of values that are hard to find.
func odd(t testing.TB, s *Store, sessions int) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 8))
	for n := range sessions {
		file := fmt.Sprintf("/s/%s/%d", strings.ReplaceAll(pick(r, oddTexts), "\n", ""), n)
		agent := pick(r, []string{"default", "main", "'"})
		w := hub.SessionWrite{Session: review.Session{AgentID: agent, File: file, Tally: review.Tally{Messages: 6}, Model: pick(r, oddTexts), Format: pick(r, []string{"", "codex", "pi"})}}
		for i := range 3 {
			g := review.Segment{
				Index: i, Start: 2*i + 1, End: 2*i + 2, Nth: 1, Digest: chat.Digest{Fingerprint: fmt.Sprint(n, i), Detail: "d"}, CutBy: pick(r, []review.CutBy{review.CutModel, review.CutOffline, review.CutCurator}),
				Topic: pick(r, oddTexts), Named: r.IntN(4) == 0, Stale: r.IntN(4) == 0, Note: pick(r, oddTexts[:r.IntN(len(oddTexts))+1]), Verdict: pick(r, review.Verdicts[:]),
				Tally: review.Tally{Messages: r.IntN(4), Turns: r.IntN(3), ToolCalls: r.IntN(3), ToolFails: r.IntN(3), Tokens: r.IntN(3) * 1000, Reasonings: r.IntN(2), Media: r.IntN(2)},
			}
			for range r.IntN(3) {
				g.Tags = append(g.Tags, pick(r, []string{"", filter.WhyPrefix})+pick(r, oddNames))
			}
			if g.Verdict != review.Pending {
				g.Reviewer, g.ReviewedAt = pick(r, []string{"ann", "Ann", "'"}), pick(r, oddTimes[1:])
			}
			if r.IntN(4) > 0 {
				a := oddAnalysis(r)
				g.Analysis, g.Labeled, g.Score, g.TaskType = a.Encode(), true, a.Summary.OverallScore, string(a.Summary.TaskType)
				if r.IntN(8) == 0 {
					g.Score = ptr(0.0)
				}
			}
			w.Segments = append(w.Segments, review.SegmentWrite{Segment: g})
		}
		put(t, s, hub.ImportWrite{Source: hub.Source{AgentID: agent, Path: file}, Sessions: []hub.SessionWrite{w}})
	}
	seenSome(t, s)
	change(t, s.Path(), `INSERT INTO proposals (segment_id, text, status, fingerprint, detail, edited, sum)
		SELECT id, rowid, 1 + rowid % 4, fingerprint, detail, iif(rowid % 5, edited, 'x'), '' FROM task_segments WHERE rowid % 3`)
	change(t, s.Path(), "INSERT INTO copies SELECT (SELECT min(id) FROM sources), id, id, 8 FROM trajectory_records WHERE rowid % 5 = 0")
}

// oddTerm is a random term about a random field.
func oddTerm(r *rand.Rand, rows []naiveRow) filter.Node {
	info := pick(r, filter.Fields())
	t := filter.Term{Field: info.Field, Op: filter.Is}
	numbers := []filter.Op{filter.Equal, filter.NotEqual, filter.Less, filter.LessEqual, filter.Greater, filter.GreaterEqual, filter.Between, filter.Is}
	switch info.Kind {
	case filter.Number:
		t.Op, t.Num = pick(r, numbers), float64(r.IntN(5))
		switch info.Field {
		case filter.Tokens:
			t.Num *= 500
		case filter.Metric:
			t.Metric = pick(r, info.Values)
			fallthrough
		case filter.Score, filter.Likely, filter.Seen:
			t.Num = pick(r, []float64{0, 0.1, 0.3, 0.5, 0.70001, 0.7, 0.69999999, 1, 1.5, -1})
		}
		t.Max = t.Num + float64(r.IntN(3))/4
	case filter.Day:
		t.Date.From = pick(r, oddTimes)
		t.Date.To = t.Date.From.Add(pick(r, []time.Duration{time.Second, 24 * time.Hour, 365 * 24 * time.Hour}))
		t.Last = filter.Date{From: t.Date.To, To: t.Date.To.AddDate(0, 1, 0)}
		if info.Field == filter.Reviewed || info.Field == filter.Came {
			t.Op = pick(r, numbers)
		}
	case filter.Enum:
		t.Value = pick(r, info.Values)
	case filter.Substring:
		t.Value = pick(r, oddParts)
	case filter.ID:
		row := pick(r, rows)
		t.Value = map[bool]string{true: row.ID, false: row.SessionID}[info.Field == filter.IDField][:4+r.IntN(4)]
	default:
		t.Value = pick(r, append([]string{"ann", "main", "'", "' OR 1=1 --"}, oddNames...))
	}
	return t
}

func oddFilter(r *rand.Rand, rows []naiveRow, depth int) filter.Node {
	some := func() (list []filter.Node) {
		for range 2 + r.IntN(3) {
			list = append(list, oddFilter(r, rows, depth-1))
		}
		return list
	}
	switch n := r.IntN(12); {
	case depth > 0 && n < 3:
		return filter.And(some())
	case depth > 0 && n < 6:
		return filter.Or(some())
	case depth > 0 && n < 8:
		return filter.Not{Of: oddFilter(r, rows, depth-1)}
	case n == 8:
		return pick(r, oddSearches)
	}
	return oddTerm(r, rows)
}

var oddSearches = []filter.Text{{Value: "one"}, {Value: "two", Prefix: true}, {Value: "' OR 1", Phrase: true}, {Value: "none"}}

// pretended pretends that texts are found in some rows.
func pretended(t *testing.T, s *Store, rows []naiveRow) filtersql.Found {
	t.Helper()
	c := filtersql.Found{Texts: map[filter.Text]filtersql.Rows{}, Seen: filtersql.Where(seenShareSQL, s.curator)}
	for n, text := range oddSearches {
		found := []int64{}
		for i := range rows {
			var rowid int64
			if err := s.db.Rows(t.Context(), "SELECT rowid FROM task_segments WHERE id = ?", rows[i].ID).One(&rowid); err != nil {
				t.Fatal(err)
			}
			if rows[i].texts == nil {
				rows[i].texts = map[filter.Text]bool{}
			}
			if rows[i].texts[text] = text.Value != "none" && i%(n+2) == 0; rows[i].texts[text] {
				found = append(found, rowid)
			}
		}
		var err error
		if c.Texts[text], err = filtersql.RowsOf(found); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// SQL lets through what the plainest evaluation does, whatever the filter: ten
// thousand of them, some to a statement.
func TestSQLLetsThroughWhatAFilterSays(t *testing.T) {
	s := openTemp(t)
	odd(t, s, 60)
	rows := naiveRows(t, s)
	c := pretended(t, s, rows)
	const together = 20
	found := 0
	for seed := range uint64(filterSeeds) {
		r := rand.New(rand.NewPCG(seed, 9))
		var filters []filter.Node
		var columns []string
		var args []any
		for range together {
			n := oddFilter(r, rows, 3)
			cond, err := c.Condition(n)
			if err != nil {
				t.Fatalf("%s: %v", filter.Print(n), err)
			}
			filters, columns, args = append(filters, n), append(columns, cond.Text), append(args, cond.Args...)
		}
		got := map[string][]int64{}
		var id string
		passes := make([]int64, together)
		dest := []any{&id}
		for i := range passes {
			dest = append(dest, &passes[i])
		}
		read := s.db.Once(t.Context(), "SELECT id, "+strings.Join(columns, ", ")+" FROM task_segments INDEXED BY task_segments_facets", args...)
		for range read.Into(dest...) {
			got[id] = slices.Clone(passes)
		}
		if err := read.Err(); err != nil {
			t.Fatal(err)
		}
		for i, n := range filters {
			for at := range rows {
				want := int64(0)
				if rows[at].lets(n) {
					want = 1
					found++
				}
				if passes := got[rows[at].ID][i]; passes != want {
					t.Fatalf("seed %d: %s: %d, want %d for %+v", seed, filter.Print(n), passes, want, rows[at])
				}
			}
		}
	}
	if all := filterSeeds * together * len(rows); found < all/10 || found > all*9/10 {
		t.Errorf("%d of %d pass: that tells little", found, all)
	}
}

// A filter of many terms is no deeper than SQLite allows, and no value ends the
// statement that it is asked for in.
func TestLongFilters(t *testing.T) {
	s := openTemp(t)
	odd(t, s, 10)
	rows := naiveRows(t, s)
	for _, join := range []func([]filter.Node) filter.Node{
		func(n []filter.Node) filter.Node { return filter.Or(n) },
		func(n []filter.Node) filter.Node { return filter.Not{Of: filter.And(n)} },
	} {
		var terms []filter.Node
		for i := range 600 {
			terms = append(terms, filter.Term{Field: filter.Tokens, Op: filter.Equal, Num: float64(i)}, filter.Term{Field: filter.Topic, Op: filter.Is, Value: fmt.Sprint("'", i)})
		}
		n := join(terms)
		want := 0
		for i := range rows {
			if rows[i].lets(n) {
				want++
			}
		}
		got, err := s.IDs(t.Context(), review.Query{Filter: n})
		if err != nil || len(got) != want {
			t.Errorf("%d segments, want %d, %v", len(got), want, err)
		}
	}
}

// The ids of a query are those of its pages, from all orders.
func TestIDsAreThoseOfThePages(t *testing.T) {
	s := openTemp(t)
	odd(t, s, 40)
	for _, o := range review.Orders {
		for _, text := range []string{"", "status:pending", "score>=0.3 score<0.9", "tokens>0 -has:stale", "has:note or toolfails>1"} {
			q := review.Query{Filter: parsed(t, text), Order: o, Seed: 3, Limit: 7}
			ids, err := s.IDs(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			var paged []string
			for {
				p, err := s.Segments(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				paged = append(paged, idsOf(p.Segments)...)
				if q.After = p.Last; !p.More {
					break
				}
			}
			if !slices.Equal(ids, paged) || len(ids) == 0 {
				t.Errorf("%q by %s: %d ids, %d in pages", text, o, len(ids), len(paged))
			}
		}
	}
}
