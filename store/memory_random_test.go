package store

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/facets"
	"winnow/store/sqlite"
)

// randomTerm returns a term about anything, of values that rows have and of
// some that none has.
func randomTerm(random *rand.Rand) filter.Term {
	infos := filter.Fields()
	info := infos[random.IntN(len(infos))]
	t := filter.Term{Field: info.Field, Op: filter.Is}
	ops := []filter.Op{filter.Equal, filter.NotEqual, filter.Less, filter.LessEqual, filter.Greater, filter.GreaterEqual, filter.Between}
	values := map[filter.Field][]string{
		filter.Topic: {"fix", "ZÜRICH", "parser", "topic", "number 1", "%", "nothing"}, filter.Tool: {"terminal", "browser", "nothing", "t\tab"},
		filter.Tag: {"keep", "golden", "none"}, filter.Why: {"loop", "none"}, filter.Note: {"übel", "LOOK", "note", "zzz"}, filter.Reviewer: {"ann", "bob", "zoe", "eve"},
		filter.Model: {"GPT", "claude", "-4", "llama"}, filter.Agent: {"main", "default", "nobody"}, filter.File: {"/s/", "PARSER", "zÜrich", "nowhere"},
		filter.Session: {"0", "a", "3f", "9e37"}, filter.IDField: {"0", "1", "ab", "9e37", "zz"},
	}
	switch info.Kind {
	case filter.Number:
		t.Op = ops[random.IntN(len(ops))]
		switch info.Field {
		case filter.Score, filter.Metric:
			t.Num = float64(random.IntN(11)) / 10
			t.Max = t.Num + float64(random.IntN(5))/10
		case filter.Tokens:
			t.Num = float64(random.IntN(60000))
			t.Max = t.Num * 2
		default:
			t.Num = float64(random.IntN(20)) - 0.5*float64(random.IntN(2))
			t.Max = t.Num + float64(random.IntN(6))
		}
		if info.Field == filter.Metric {
			t.Metric = info.Values[random.IntN(len(info.Values))]
		}
	case filter.Day:
		t.Op = filter.Equal
		if info.Field == filter.Reviewed {
			t.Op = ops[random.IntN(len(ops))]
		}
		from := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, random.IntN(600))
		t.Date = filter.Date{From: from, To: from.AddDate(0, random.IntN(3), 1)}
		t.Last = filter.Date{From: t.Date.To, To: t.Date.To.AddDate(0, 1, 0)}
	default:
		list := info.Values
		if len(list) == 0 {
			list = values[info.Field]
		}
		t.Value = list[random.IntN(len(list))]
	}
	return t
}

func randomFilter(random *rand.Rand, depth int) filter.Node {
	switch n := random.IntN(10); {
	case depth > 0 && n < 3:
		return filter.And{randomFilter(random, depth-1), randomFilter(random, depth-1)}
	case depth > 0 && n < 6:
		return filter.Or{randomFilter(random, depth-1), randomFilter(random, depth-1)}
	case n < 7:
		if of := randomFilter(random, depth-1); of != nil {
			if _, ok := of.(filter.Not); !ok {
				return filter.Not{Of: of}
			}
		}
	}
	if random.IntN(6) == 0 {
		return filter.Text{Value: []string{"a", "b", "nothing"}[random.IntN(3)], Prefix: random.IntN(3) == 0}
	}
	return randomTerm(random)
}

// sameAsSQL says that memory answers as SQLite does.
func sameAsSQL(t testing.TB, s *Store, random *rand.Rand) {
	t.Helper()
	n := randomFilter(random, 3)
	switch random.IntN(8) {
	case 0:
		n = nil
	case 1:
		n = filter.Term{Field: filter.Has, Op: filter.Is, Value: "copies"}
	}
	got, err := s.Count(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	if !s.facets.Loaded() {
		t.Fatal("SQLite was asked")
	}
	want, err := s.countSQL(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%s: %v, want %v", filter.Print(n), got, want)
	}
	q := review.Query{Threshold: 0.7, Quotas: someQuotas(random), Filter: n, Order: review.Orders[random.IntN(len(review.Orders))], Seed: random.Uint64N(3), Limit: 1 + random.IntN(20), Back: random.IntN(3) == 0}
	for range 1 + random.IntN(3) {
		w, ok, err := s.facets.Find(t.Context(), &q)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if inMemory(q.Order) {
			break
		}
		var list []review.Segment
		rows, err := s.findInOrder(t.Context(), &q, func(v *sqlite.View, rows *facets.Found) (err error) {
			list, err = s.readFound(rows, len(rows.IDs), v.Rows)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(w.IDs, rows.IDs) {
			t.Fatalf("%s by %s: %v, want %v", filter.Print(n), q.Order, w.IDs, rows.IDs)
		}
		if len(rows.IDs) == 0 {
			return
		}
		at := random.IntN(len(list))
		if q.After = review.CursorOf(q.Order, &list[at]); random.IntN(2) == 0 {
			q.After = rows.Cursor(&q, &list[at])
		}
	}
	if q.Order == review.Balance {
		q.After, q.Back, q.Limit = review.Cursor{}, false, 1000
		all, err := s.Segments(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if turns := naiveBalance(t, s, q.Quotas, all.Segments); !slices.Equal(idsOf(all.Segments), idsOf(turns)) {
			t.Fatalf("%s by turns: %v, want %v", filter.Print(n), idsOf(all.Segments), idsOf(turns))
		}
	}
}

func someQuotas(random *rand.Rand) review.Quotas {
	return []review.Quotas{nil, {"code": 0.4, "data": 0.2}, {"code": 1, "qa": 0.5}, {"chat": 0.3, "math": 0.7}}[random.IntN(4)]
}

// Whatever happens to segments, and whoever does it, memory answers as SQLite
// does.
func TestMemoryAnswersAsSQLiteDoes(t *testing.T) {
	for seed := range uint64(cutSeeds+3) / 4 {
		random := rand.New(rand.NewPCG(seed, 21))
		path := filepath.Join(t.TempDir(), "winnow.db")
		s, other := openAt(t, path), openAt(t, path)
		directly(t, s, 400)
		if err := s.Warm(t.Context()); err != nil {
			t.Fatal(err)
		}
		var sessions []talked
		for n := range 3 {
			sessions = append(sessions, newSession(t, s, random, n))
		}
		for range 15 * cutSeeds {
			from := []*Store{s, other}[random.IntN(2)]
			happen(t, from, random, sessions)
			if random.IntN(2) == 0 {
				sameAsSQL(t, s, random)
			}
		}
		// The same as if everything was read now.
		again := openAt(t, path)
		again.loadStep = 50
		if err := again.Warm(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 50 {
			sameAsSQL(t, s, random)
			sameAsSQL(t, again, random)
		}
	}
}

// happen does something to some segments.
func happen(t testing.TB, s *Store, random *rand.Rand, sessions []talked) {
	t.Helper()
	at := random.IntN(len(sessions))
	p := &somebody{[]string{"ann", "bob"}[random.IntN(2)], s, random, sessions[at]}
	change := func(text string, args ...any) {
		t.Helper()
		err := s.write(t.Context(), sqlite.Machine, "change", func(t *tx) error {
			_, err := t.Exec(text, args...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	some := "body <= 100 AND rowid % 17 = " + fmt.Sprint(random.IntN(17))
	switch random.IntN(19) {
	case 0:
		sessions[at].list = longerBy(t, s, sessions[at], random)
	case 1:
		change("UPDATE task_segments SET score = ?, task_type = 'math', flags = ? WHERE "+some, float64(random.IntN(10000))/10000, "\nloop\n")
	case 2:
		change("UPDATE task_segments SET tags = ?, topic = ? WHERE "+some, `["keep","two\nlines","why:none"]`, fmt.Sprint("Topic ", random.IntN(30)))
	case 3:
		change("UPDATE task_segments SET recorded = NULL, tokens = tokens + 1, tool_fails = ?, messages = messages + 1 WHERE "+some, random.IntN(3))
	case 4:
		change("DELETE FROM task_segments WHERE " + some)
	case 5:
		change("UPDATE trajectory_records SET model = 'GPT-6', session_file = '/moved/' || rowid || ? WHERE "+some, random.IntN(100))
		change("UPDATE task_segments SET session_file = (SELECT session_file FROM trajectory_records r WHERE r.id = session_id)")
	case 6:
		directly(t, s, 4)
	case 7:
		list, err := s.Segments(t.Context(), review.Query{Order: review.MostTokens, Limit: 20})
		if err != nil {
			t.Fatal(err)
		}
		judge(t, s, "zoe", review.Verdicts[random.IntN(4)], idsOf(list.Segments)...)
	case 9:
		change(`INSERT INTO copies SELECT (SELECT min(id) FROM sources), 'k' || rowid % 5, id, 3 FROM trajectory_records
			WHERE ` + some + ` ON CONFLICT DO UPDATE SET session_id = excluded.session_id`)
	case 10:
		change("DELETE FROM copies WHERE key = 'k' || ?", random.IntN(5))
	case 11:
		change("DELETE FROM copies WHERE session_id IN (SELECT id FROM trajectory_records WHERE " + some + ")")
		change("DELETE FROM task_segments WHERE session_id IN (SELECT id FROM trajectory_records WHERE " + some + ")")
		change("DELETE FROM trajectory_records WHERE " + some)
	case 12:
		change(`INSERT INTO proposals (segment_id, text, status, fingerprint, detail, edited, sum)
			SELECT id, rowid, 1 + (rowid + ?) % 4, fingerprint, detail, iif(rowid % 3, edited, 'x'), '' FROM task_segments
			WHERE `+some+` ON CONFLICT DO UPDATE SET status = excluded.status`, random.IntN(4))
	case 13:
		change("DELETE FROM proposals WHERE status = ?", 1+random.IntN(4))
	case 8:
		if _, err := s.IndexText(t.Context(), time.Second); err != nil {
			t.Fatal(err)
		}
	default:
		p.act(t)
	}
}

// Nobody sees half of what somebody did: two segments get their verdicts
// together, whoever counts meanwhile counts both or none.
func TestNobodySeesHalfOfAChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "winnow.db")
	s, other := openAt(t, path), openAt(t, path)
	c := recorded(t, s, "/s/1", talk(40, "hello"), 0, 4, 8, 12, 16, 20, 24, 28, 32, 36)
	rows := idsOf(segmentsOf(t, s, c))
	if err := s.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	done := make(chan struct{})
	approved := filter.Term{Field: filter.Status, Op: filter.Is, Value: "approved"}
	for reader := range 3 {
		readers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				c, err := s.Count(t.Context(), approved)
				if err != nil || c.Segments%2 != 0 {
					t.Errorf("%d approved, %v", c.Segments, err)
					return
				}
				q := review.Query{Filter: filter.Not{Of: approved}, Order: review.Orders[(n+reader)%len(review.Orders)], Limit: 20, Seed: uint64(n % 3)}
				if p, err := s.Segments(t.Context(), q); err != nil || len(p.Segments)%2 != 0 {
					t.Errorf("%d others, %v", len(p.Segments), err)
					return
				}
			}
		})
	}
	for n := range 6 * cutSeeds {
		by := []*Store{s, other}[n%2]
		judge(t, by, "ann", review.Verdicts[n%3*2%3], rows[n%5*2], rows[n%5*2+1])
		if n%3 == 2 {
			undo(t, by, "ann")
			undo(t, by, "ann")
		}
	}
	close(done)
	readers.Wait()
}
