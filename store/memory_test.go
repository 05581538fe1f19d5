package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/facets"
	"winnow/store/sqlite"
)

func parsed(t testing.TB, text string) filter.Node {
	t.Helper()
	n, err := filter.Parse(text, filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// warm opens a database with some segments, whose facets are loaded.
func warm(t testing.TB, segments int) *Store {
	t.Helper()
	s := openTemp(t)
	directly(t, s, segments)
	if err := s.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// forget makes SQLite answer until the facets are loaded again.
func forget(s *Store) { s.facets = facets.New(feed{s}, s.background.Go) }

// spy is a feed that notes what is searched for.
type spy struct {
	feed
	searched []string
}

// spyOn gives a store facets that are not loaded, and returns their feed.
func spyOn(s *Store) *spy {
	spy := &spy{feed: feed{s}}
	s.facets = facets.New(spy, s.background.Go)
	return spy
}

// Search implements facets.Feed.
func (s *spy) Search(ctx context.Context, text filter.Text, found func(rows []int64) error) error {
	s.searched = append(s.searched, text.Value)
	return s.feed.Search(ctx, text, found)
}

func TestChangesThatAreNotKeptAreReadAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "winnow.db")
	s, other := openAt(t, path), openAt(t, path)
	directly(t, s, 40)
	if err := s.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	directly(t, other, 8)
	forgetChanges(t, other)
	c, err := s.Count(t.Context(), parsed(t, "messages>0"))
	if err != nil || c.Segments != 48 {
		t.Fatal(c.Segments, err)
	}
	s.background.Wait() // it is read after that answer
	if ok, err := s.facets.Ready(t.Context()); !ok || err != nil {
		t.Fatal("the facets were not loaded again", err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		sameAsSQL(t, s, random)
	}
}

func TestManyChangesAreReadBehindTheAnswer(t *testing.T) {
	s := warm(t, 8)
	err := s.write(t.Context(), sqlite.Machine, "change", func(tx *tx) error {
		const text = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO segment_changes (row) SELECT 1 + i % 8 FROM n`
		_, err := tx.Exec(text, 2*changesStep+1)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := s.facets.Ready(t.Context()); ok || err != nil {
		t.Fatal("somebody waits for all changes", err)
	}
	s.background.Wait()
	if ok, err := s.facets.Ready(t.Context()); !ok || err != nil {
		t.Fatal(ok, err)
	}
}

// A row that left without anybody having said so is not made up, and not left
// out: SQLite is asked.
func TestWhatIsNotThereIsNotShown(t *testing.T) {
	s := warm(t, 40)
	_, seen, err := feed{s}.Kept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = s.write(t.Context(), sqlite.Machine, "change", func(tx *tx) error {
		_, err := tx.Exec("DELETE FROM task_segments WHERE rowid % 7 = 3")
		if err == nil {
			_, err = tx.Exec("DELETE FROM segment_changes WHERE seq > ?", seen)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	page, err := s.Segments(t.Context(), review.Query{Limit: 50})
	if err != nil || len(page.Segments) != 34 || page.More {
		t.Fatal(len(page.Segments), page.More, err)
	}
}

func TestOldChangesAreForgotten(t *testing.T) {
	s := openTemp(t)
	err := s.write(t.Context(), sqlite.Machine, "change", func(tx *tx) error {
		const text = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO segment_changes (row) SELECT 1 FROM n`
		_, err := tx.Exec(text, 3*trimStep+10)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s.trimChanges(t.Context(), 10)
	first, last, err := feed{s}.Kept(t.Context())
	if err != nil || last != 3*trimStep+10 || last-first >= 10+trimStep || last-first < 9 {
		t.Fatal(first, last, err)
	}
}

func TestTheLastChangeIsNeverForgotten(t *testing.T) {
	s := warm(t, 8)
	s.trimChanges(t.Context(), 0)
	if _, last, err := (feed{s}).Kept(t.Context()); err != nil || last == 0 {
		t.Fatal(last, err)
	}
}

// Without the facets SQLite answers, the same.
func TestValuesAreThoseOfTheDatabase(t *testing.T) {
	s := warm(t, 400)
	random := rand.New(rand.NewPCG(5, 5))
	for _, info := range filter.Fields() {
		if info.Kind == filter.Number && info.Field != filter.Metric || info.Kind == filter.Day {
			continue
		}
		for _, typed := range []string{"", "E", "zÜ", "no_"} {
			within := randomFilter(random, 1)
			if typed == "" {
				within = nil
			}
			limit := 20
			if info.Field == filter.Topic { // ties are in the order of the folded texts
				limit = 1000
			}
			if !s.facets.Loaded() {
				t.Fatal("nothing is in memory")
			}
			got, err := s.Values(t.Context(), info.Field, typed, within, limit)
			if err != nil {
				t.Fatal(info.Field, err)
			}
			loaded := s.facets
			forget(s)
			want, err := s.Values(t.Context(), info.Field, typed, within, limit)
			if err != nil {
				t.Fatal(info.Field, err)
			}
			s.facets = loaded
			if info.Field == filter.Topic {
				sortAlike(got)
				sortAlike(want)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s %q in %v:\n%v\nwant\n%v", info.Field, typed, within, got, want)
			}
			if typed == "" && len(got) == 0 && info.Field != filter.Metric && info.Field != filter.Edit && info.Field != filter.Compression { // nobody edited, nothing is proposed
				t.Errorf("%s has no values", info.Field)
			}
		}
	}
}

func sortAlike(list []filter.Candidate) {
	for i := range list {
		list[i].Value = strings.ToLower(list[i].Value)
	}
	slices.SortFunc(list, func(a, b filter.Candidate) int { return strings.Compare(a.Value, b.Value) })
}

func TestLongValuesAreCutWhereThatIsNoOtherOne(t *testing.T) {
	s := openTemp(t)
	list := talk(4, "hello")
	w := write("/s/1", list)
	w.Sessions[0].Segments[0].Topic = strings.Repeat("ü", 150)
	put(t, s, w)
	long := strings.Repeat("x", 201)
	err := s.write(t.Context(), sqlite.Machine, "change", func(tx *tx) error {
		_, err := tx.Exec("UPDATE task_segments SET tools = ?", "\n"+long+"\t1\t0\nterminal\t1\t0\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // from SQLite, from memory
		topics, err := s.Values(t.Context(), filter.Topic, "", nil, 5)
		if err != nil || len(topics) != 1 || topics[0].Value != strings.Repeat("ü", 100) {
			t.Error(topics, err)
		}
		tools, err := s.Values(t.Context(), filter.Tool, "", nil, 5)
		if err != nil || len(tools) != 1 || tools[0].Value != "terminal" {
			t.Error(tools, err)
		}
		if err := s.Warm(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// Whoever wants to see something soon gets some of the rows that are asked for,
// in their order.
func TestHastyRowsAreSomeOfAll(t *testing.T) {
	s := openTemp(t)
	for n := range 12 {
		c := recorded(t, s, fmt.Sprint("/s/", n), talk(40, "needle"), 0, 4, 8, 12, 16, 20, 24, 28, 32, 36)
		if n%3 == 0 {
			judge(t, s, "ann", review.Approved, segmentsOf(t, s, c)[2].ID)
		}
	}
	for more := true; more; {
		var err error
		if more, err = s.IndexText(t.Context(), time.Second); err != nil {
			t.Fatal(err)
		}
	}
	spy := spyOn(s)
	if err := s.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	q := review.Query{Filter: parsed(t, "needle status:pending"), Hasty: true, Order: review.Newest, Limit: 5}
	if w, ok, err := s.facets.Find(t.Context(), &q); !ok || err != nil || len(w.Rows) != 6 {
		t.Fatal(ok, err)
	}
	some, err := s.Segments(t.Context(), q)
	if err != nil || len(some.Segments) != 5 || !some.More {
		t.Fatal(len(some.Segments), some.More, err)
	}
	if !slices.IsSortedFunc(some.Segments, func(a, b review.Segment) int { return less(q.Order, &a, &b) }) {
		t.Error("they are in no order")
	}
	for _, seg := range some.Segments {
		if seg.Verdict != review.Pending {
			t.Error(seg.ID, seg.Verdict)
		}
	}
	q.Hasty = false
	q.Limit = 200
	all, err := s.Segments(t.Context(), q)
	if err != nil || len(all.Segments) != 116 {
		t.Fatal(len(all.Segments), err)
	}
	q.Hasty, q.Limit = true, 5
	spy.searched = nil
	if _, ok, err := s.facets.Find(t.Context(), &q); !ok || err != nil || spy.searched != nil {
		t.Error("what is known already is searched for again")
	}
}

// Loading walks through the narrow indexes, in their order.
func TestLoadingReadsNoRows(t *testing.T) {
	s := openTemp(t)
	for text, args := range map[string][]any{loadSessionsSQL: {0, 1}, loadSegmentsSQL: {"ann", "", 0, "", 1}} {
		plan := planOf(t, s, text, args...)
		if !strings.Contains(plan, "USING COVERING INDEX") || strings.Contains(plan, "B-TREE") || strings.Contains(plan, "SCAN v") {
			t.Errorf("%s\n%s", text, plan)
		}
	}
}

// Reading what changed looks at those rows only.
func TestChangesAreReadByTheirNumbers(t *testing.T) {
	s := openTemp(t)
	for text, args := range map[string][]any{changesKeptSQL: nil, changedRowsSQL: {1, 2}, changedSegmentsSQL: {"ann", "[1]"}, changedSessionsSQL: {"[1]"}, rowsSQL: {"[1]"}} {
		plan := planOf(t, s, text, args...)
		for _, table := range []string{"SCAN s", "SCAN r", "SCAN task_segments", "SCAN segment_changes", "SCAN c", "SCAN v"} {
			if slices.ContainsFunc(strings.Split(plan, "\n"), func(line string) bool { return strings.TrimSpace(line) == table }) {
				t.Errorf("%s\n%s", text, plan)
			}
		}
	}
}
