package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
)

// toCut lists sessions to be cut, some at a time.
func toCut(t *testing.T, s *Store, q runs.CutQuery) (files []string, messages int) {
	t.Helper()
	for {
		list, err := s.SessionsToCut(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			files, messages = append(files, r.File), messages+r.Messages
			q.After = r
		}
		if len(list) < q.Limit {
			return files, messages
		}
	}
}

func TestSessionsToCut(t *testing.T) {
	s := openTemp(t)
	var all []talked
	for i, name := range []string{"/c", "/a", "/e", "/b", "/d"} {
		all = append(all, recorded(t, s, name, talk(4+i, name), 1))
	}
	byMachine(t, s, all[1], ends(2, 5)) // a
	byHand(t, s, all[2], "ann", review.ActSplit, ends(2, 6))
	// d has a copy elsewhere
	src := put(t, s, write("/other", talk(4, "other")))
	if len(src) != 1 {
		t.Fatal(src)
	}
	change(t, s.Path(), "INSERT INTO copies SELECT (SELECT id FROM sources WHERE path = '/other'), 'k', id, 8 FROM trajectory_records WHERE session_file = '/d'")
	change(t, s.Path(), "UPDATE trajectory_records SET tokens = 10 * messages")
	copied := review.Has("copies")
	for want, q := range map[string]runs.CutQuery{
		"/b /c /d /other":       {},
		"/a /b /c /d /e /other": {All: true},
		"/d":                    {Filter: copied},
		"/b /c /other":          {Filter: filter.Not{Of: copied}},
		"/a /b /c /e /other":    {All: true, Filter: filter.Not{Of: copied}},
	} {
		for _, q.Limit = range []int{1, 2, 50} {
			got, sum := toCut(t, s, q)
			if strings.Join(got, " ") != want {
				t.Errorf("%+v: %q, want %q", q, got, want)
			}
			sessions, messages, tokens, err := s.CountToCut(t.Context(), q)
			if err != nil || sessions != len(got) || messages != sum || tokens != 10*sum {
				t.Errorf("%+v: %d sessions, %d messages, %d tokens, %v", q, sessions, messages, tokens, err)
			}
		}
	}
}

// What waits to be cut is found without looking at what does not; all sessions
// are read in their order, which needs no sorting.
func TestCuttingUsesIndexes(t *testing.T) {
	s := openTemp(t)
	four(t, s)
	plan := func(text string) string {
		return planOf(t, s, text, make([]any, strings.Count(text, "?"))...)
	}
	for _, n := range []filter.Node{nil, review.Has("copies"), filter.Not{Of: review.Has("copies")}, review.HasVerdict(review.Approved)} {
		for _, all := range []bool{false, true} {
			q := runs.CutQuery{All: all, Filter: n}
			list, _, err := sessionsToCutSQL(&q, filtersql.Found{})
			if err != nil {
				t.Fatal(err)
			}
			count, _, err := countToCutSQL(&q, filtersql.Found{})
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{list, count} {
				want := "SEARCH trajectory_records USING COVERING INDEX trajectory_records_uncut ((session_file,id)>"
				if all {
					want = "SEARCH trajectory_records USING INDEX trajectory_records_file ((session_file,id)>"
				}
				if got := plan(text); !strings.Contains(got, want) || strings.Contains(got, "SCAN trajectory_records") || strings.Contains(got, "B-TREE") {
					t.Errorf("%s\n%s", text, got)
				}
			}
		}
	}
	for _, text := range []string{
		cutRowsSQL, wholeRowsSQL, recutsSQL + "entry = ?", recutSQL, shiftSQL, uncutAgainSQL,
		"SELECT 1 FROM task_segments g WHERE g.was_body = 1 AND g.was_body > 0",
	} {
		got := plan(text)
		for _, bad := range []string{"SCAN task_segments", "SCAN g", "SCAN trajectory_records", "SCAN journal"} {
			if strings.Contains(got, bad) {
				t.Errorf("%s\n%s", text, got)
			}
		}
	}
}

// The doctor sees what is broken of cuts, and puts right what can be derived.
func TestTheDoctorKnowsCuts(t *testing.T) {
	const wasSQL = "UPDATE task_segments SET was_body = 1, was_start = 5, was_end = 8 WHERE id = (SELECT id FROM task_segments ORDER BY start_line LIMIT 1)"
	for name, c := range map[string]struct {
		damage   string
		rule     string
		repaired bool
	}{
		"fresh, but it was":       {wasSQL, "was", true},
		"on messages not there":   {"UPDATE task_segments SET was_body = 77 WHERE stale = 1", "was", true},
		"on no messages":          {"UPDATE task_segments SET was_end = 1 WHERE stale = 1", "was", true},
		"waits for nothing":       {"UPDATE trajectory_records SET segmented = 0", "segmented", true},
		"waits, but nobody knows": {"UPDATE task_segments SET cut_by = 'provisional' WHERE start_line = 1", "segmented", true},
		"numbers":                 {"UPDATE task_segments SET nth = 3 WHERE nth = 2", "number", true},
		"held back":               {"UPDATE trajectory_records SET held = 3", "trail", true},
		"exchanged":               {"UPDATE task_segments SET nth = 3 - nth, fingerprint = iif(nth = 1, 'x', 'y') WHERE nth = 2 OR start_line = 1", "number", true},
		"no segments":             {"UPDATE journal_recuts SET before = '[]'", "recut", false},
		"no list":                 {"UPDATE journal_recuts SET after = 'x'", "recut", false},
		"other messages":          {"UPDATE journal_recuts SET after = before, before = after WHERE entry = 2; UPDATE journal_recuts SET after = replace(after, '\"end\":8', '\"end\":7')", "recut", false},
		"one side":                {"DELETE FROM journal_recuts", "recut", false},
		"left without a word":     {"DELETE FROM journal_changes WHERE entry > 1", "journal", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTemp(t)
			list := talk(10, "x")
			for i := range 2 { // 1–2 and 9–10 are equal
				list[8+i] = list[i]
				list[8+i].N = 9 + i
			}
			session := recorded(t, s, "/a", list, 1, 2, 4, 8)
			judge(t, s, "ann", review.Approved, idsOf(segmentsOf(t, s, session))[2])
			byHand(t, s, session, "ann", review.ActSplit, ends(2, 4, 6, 8, 10))
			byHand(t, s, session, "ann", review.ActCut, ends(2, 4, 6, 9, 10))
			undo(t, s, "ann")
			byMachine(t, s, session, ends(2, 4, 6, 8, 10))
			clean(t, s)
			if t.Failed() {
				return
			}
			change(t, s.Path(), c.damage)
			found, err := s.Check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(found, func(p Problem) bool { return p.Rule == c.rule })
			if at < 0 || found[at].Repairable != c.repaired {
				t.Fatalf("found %+v", found)
			}
			if _, err := s.Repair(t.Context()); err != nil {
				t.Fatal(err)
			}
			if c.repaired {
				clean(t, s)
			}
		})
	}
}

func TestSegmentsOfAnOlderDatabaseCanBeCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	s, err := open(t.Context(), path, Options{}, shipped(t)[:7])
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	list := talk(8, "x")
	d := chat.DigestOf(list)
	change(t, path, `INSERT INTO bodies (session_id) VALUES ('a');
		INSERT INTO trajectory_records (id, session_file, created_at, body, messages, held) VALUES ('a', '/a', '2026-05-03T12:00:01.000000Z', 1, 8, 0)`)
	change(t, path, `INSERT INTO task_segments (id, agent_id, session_file, segment_index, start_line, end_line, fingerprint, topic, created_at, updated_at,
		session_id, body, detail, hash_state, cut_by, verdict, stale, was, was_by, messages, turns, tool_calls, tool_fails, tokens, reasonings)
		VALUES ('12345678-0', 'default', '/a', 0, 1, 8, ?, 't', '2026-05-03T12:00:01.000000Z', '2026-05-03T12:00:01.000000Z',
		'a', 1, ?, ?, 'provisional', 'pending', 1, 'approved', 'ann', 8, 2, 2, 1, 24, 2)`, d.Fingerprint, d.Detail, stateOf(list, 1, 0))
	s = openAt(t, path)
	if got := segment(t, s, "12345678-0"); got.Named || got.WasBody != 0 || got.Was != review.Approved {
		t.Errorf("%+v", got)
	}
	if n, _, _, err := s.CountToCut(t.Context(), runs.CutQuery{}); err != nil || n != 1 {
		t.Errorf("%d to be cut, %v", n, err)
	}
	err = s.write(t.Context(), sqlite.Machine, "name", func(tx *tx) error {
		_, err := tx.Exec("UPDATE task_segments SET named = 2")
		return err
	})
	if err == nil {
		t.Error("a topic is more than named")
	}
	c := talked{"a", "/a", list}
	before := dump(t, s, c.id)
	byHand(t, s, c, "ann", review.ActSplit, ends(4, 8))
	undo(t, s, "ann")
	if got := dump(t, s, c.id); got != before {
		t.Errorf("%s\nwant\n%s", got, before)
	}
}

func TestNobodyCutsWithoutAName(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/a", talk(8, "x"), 1, 4)
	for _, by := range []struct {
		curator string
		action  review.Action
	}{{"", review.ActSplit}, {"ann", ""}, {"ann", review.ActJudge}} {
		w := cutWrite(t, s, c, review.CutCurator, ends(2, 4, 8))
		w.Curator, w.Action = by.curator, by.action
		if _, err := s.WriteCuts(t.Context(), w); err == nil {
			t.Errorf("%+v was written", by)
		}
	}
	if got := spans(segmentsOf(t, s, c)); got != "1-4 5-8" {
		t.Error(got)
	}
}

func TestACutThatDoesNotFitIsNotWritten(t *testing.T) {
	for name, damage := range map[string]func(*runs.CutWrite){
		"a gap":                    func(w *runs.CutWrite) { w.Segments = w.Segments[:1] },
		"an overlap":               func(w *runs.CutWrite) { w.Segments[0].End++ },
		"stays and leaves":         func(w *runs.CutWrite) { w.Retire = append(w.Retire, w.Known[0].ID); w.Segments[0].Segment = w.Known[0] },
		"unknown":                  func(w *runs.CutWrite) { w.Retire = append(w.Retire, "12345678-0") },
		"other messages in a row":  func(w *runs.CutWrite) { w.Segments[0].Segment = w.Known[0]; w.Segments[0].Detail = "x" },
		"more held back than last": func(w *runs.CutWrite) { w.Trail = &review.Trail{Held: 5} },
		"no state":                 func(w *runs.CutWrite) { w.Segments[1].HashState = nil },
	} {
		for _, curator := range []string{"", "ann"} {
			t.Run(name+"/"+curator, func(t *testing.T) {
				s := openTemp(t)
				c := recorded(t, s, "/a", talk(8, "x"), 1, 4)
				w := cutWrite(t, s, c, review.CutCurator, ends(4, 6, 8))
				if w.Curator = curator; curator != "" {
					w.Action = review.ActSplit
				}
				damage(w)
				before := dump(t, s, c.id)
				if e, err := s.WriteCuts(t.Context(), w); err == nil {
					t.Errorf("written: %+v", e)
				}
				if dump(t, s, c.id) != before {
					t.Error("it is half written")
				}
				if log, err := s.Journal(t.Context(), 0, 1); err != nil || len(log) > 0 {
					t.Errorf("%+v %v", log, err)
				}
			})
		}
	}
}

func TestACutThatChangesNothing(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/a", talk(8, "x"), 1, 4)
	before := dump(t, s, c.id)
	w := cutWrite(t, s, c, review.CutCurator, ends(4, 8))
	w.Curator, w.Action = "ann", review.ActCut
	e, err := s.WriteCuts(t.Context(), w)
	if err != nil || e.ID != 0 {
		t.Errorf("%+v %v", e, err)
	}
	if _, err := s.Undo(t.Context(), "ann"); !errors.Is(err, review.ErrNothing) {
		t.Errorf("an entry for nothing: %v", err)
	}
	if dump(t, s, c.id) != before {
		t.Error("something changed")
	}
}

// What changed a short while ago waits, to be cut and to be judged; a time that is still
// to come is another clock's.
func TestWhatIsBeingWrittenWaits(t *testing.T) {
	s := openTemp(t)
	put(t, s, write("/a", talk(4, "x")))
	quiet := runs.Quiet{Since: noon, Until: noon.Add(10 * time.Minute)}
	for after, want := range map[time.Duration]int{-time.Second: 1, 0: 0, 10 * time.Minute: 0, 10*time.Minute + time.Second: 1} {
		change(t, s.Path(), fmt.Sprintf("UPDATE sources SET mtime = %d", noon.Add(after).UnixNano()))
		list, err := s.SessionsToCut(t.Context(), runs.CutQuery{Quiet: quiet, Limit: 9})
		if err != nil || len(list) != want {
			t.Errorf("changed after %s: %d to be cut, %v", after, len(list), err)
		}
		if n, _, _, err := s.CountToCut(t.Context(), runs.CutQuery{Quiet: quiet}); err != nil || n != want {
			t.Errorf("changed after %s: %d to be cut, %v", after, n, err)
		}
		refs, err := s.SegmentsToScore(t.Context(), runs.ScoreQuery{Judge: true, Quiet: quiet, Limit: 9})
		if err != nil || len(refs) != want {
			t.Errorf("changed after %s: %d to be judged, %v", after, len(refs), err)
		}
	}
	q := runs.ScoreQuery{Judge: true, Quiet: quiet}
	text, args, err := segmentsToScoreSQL(&q, filtersql.Found{})
	if got := planOf(t, s, text, args...); err != nil || strings.Contains(got, "SCAN") || strings.Contains(got, "B-TREE") {
		t.Errorf("%s, %v", got, err)
	}
}
