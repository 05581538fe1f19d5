package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/core/segment/offline"
	"winnow/core/train"
	"winnow/store/sqlite"
)

// judgedLibrary imports sessions from files, cuts, scores and judges them, and
// returns the database and the folder of its sources.
func judgedLibrary(t testing.TB, sessions int) (path, sources string) {
	t.Helper()
	sources = t.TempDir()
	r := rand.New(rand.NewPCG(5, 6))
	for i := range sessions {
		var b strings.Builder
		for turn := range 3 + r.IntN(6) {
			fmt.Fprintf(&b, `{"role":"user","content":"task %d of session %d: %s"}`+"\n", turn, i, hexWords(r, 12))
			fmt.Fprintf(&b, `{"role":"assistant","content":"%s","tool_calls":[{"id":"c%d","type":"function","function":{"name":"sh","arguments":"{\"a\":%d}"}}]}`+"\n", hexWords(r, 5), turn, i)
			fmt.Fprintf(&b, `{"role":"tool","tool_call_id":"c%d","content":"%s"}`+"\n", turn, hexWords(r, 80+r.IntN(900)))
			fmt.Fprintf(&b, `{"role":"assistant","content":"done: %s"}`+"\n", hexWords(r, 20))
		}
		if err := os.WriteFile(filepath.Join(sources, fmt.Sprintf("s%02d.jsonl", i)), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path = filepath.Join(t.TempDir(), "winnow.db")
	s := openAt(t, path)
	if _, err := importerOf(s).Import(t.Context(), []string{sources}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := (&runs.Segmenter{Store: s, Cutter: offline.New(), Jobs: 2}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	score(t, s)
	page, err := s.Segments(t.Context(), reviewAll(1000))
	if err != nil {
		t.Fatal(err)
	}
	editSome(t, s, page.Segments, 4, edit.Fix)
	for i := range page.Segments {
		id := page.Segments[i].ID
		v := []review.Verdict{review.Approved, review.Rejected, review.Unsure, ""}[i%4]
		j := review.Judgement{Curator: []string{"ann", "bob"}[i%2], IDs: []string{id}, Verdict: v}
		if i%3 == 0 {
			j.Note = ptr(fmt.Sprint("note on ", i))
		}
		if i%5 == 0 {
			j.TagsOn = []string{"tag", fmt.Sprint("t", i%7)}
		}
		if v == "" && j.Note == nil && j.TagsOn == nil {
			continue
		}
		if _, err := s.Judge(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		if i%9 == 0 {
			undo(t, s, j.Curator)
		}
	}
	editSome(t, s, page.Segments, 7, edit.Redact)
	score(t, s)
	for i := 0; i+10 < len(page.Segments); i += 10 {
		var ids []string
		for j := range 10 {
			ids = append(ids, page.Segments[i+j].ID)
		}
		trainOn(t, s, train.Succeeded, ids...)
	}
	clean(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path, sources
}

// editSome edits the first message of each n-th segment, and drops the last one; a fix
// puts one after the first, too, and in front of all.
func editSome(t testing.TB, s *Store, segments []review.Segment, n int, why edit.Why) {
	t.Helper()
	for i := 1; i < len(segments); i += n {
		g := &segments[i]
		text := fmt.Sprint("edited ", why, i)
		w := review.Editing{Curator: "eve", Note: "noted " + text, Changes: []review.EditChange{says(t, s, g.SessionID, g.Start, text, why)}}
		if g.End > g.Start {
			w.Changes = append(w.Changes, drops(g.SessionID, g.End, why))
		}
		if why == edit.Fix {
			w.Changes = append(w.Changes, puts(g.SessionID, g.Start, chat.User, text+" more"), puts(g.SessionID, 0, chat.System, text+" first"))
		}
		if _, err := s.Edit(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}
}

func hexWords(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "%x ", r.Uint32N(1<<20))
	}
	return b.String()
}

func importerOf(s *Store) *hub.Importer {
	return &hub.Importer{Store: s, Clock: newClock().Now, Agent: "default", Jobs: 2}
}

// reread reads sources again.
func reread(t testing.TB) func(context.Context, *Store, []RescuedSource) error {
	return func(ctx context.Context, s *Store, list []RescuedSource) error {
		var paths []string
		for _, src := range list {
			if _, err := os.Stat(src.Path); err == nil {
				paths = append(paths, src.Path)
			}
		}
		if len(paths) == 0 {
			return nil
		}
		_, err := importerOf(s).Import(ctx, paths, nil)
		return err
	}
}

// marks returns what curators left on each segment, by its content.
func marks(t testing.TB, s *Store) map[string]string {
	t.Helper()
	page, err := s.Segments(t.Context(), reviewAll(10000))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for i := range page.Segments {
		g := &page.Segments[i]
		if m := markOf(g); m.Verdict.Judged() || m.Note != "" || m.Tags != "" {
			all[g.ID] = fmt.Sprint(g.SessionFile, g.Digest, m.Verdict, m.Note, m.Tags, m.Reviewer, m.ReviewedAt)
		}
	}
	return all
}

// A database that is whole comes out as it was.
func TestRescueOfAWholeDatabase(t *testing.T) {
	path, _ := judgedLibrary(t, 8)
	to := filepath.Join(t.TempDir(), "out.db")
	out, err := Rescue(t.Context(), path, to, false, Options{Clock: newClock().Now}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !out.Whole() || len(out.Damage) > 0 || out.Restored > 0 || len(out.Sources) > 0 {
		t.Errorf("%+v", out)
	}
	for _, table := range out.Tables {
		if table.Rows != table.Of || table.Pages > 0 {
			t.Errorf("%+v", table)
		}
	}
	s := openAt(t, to)
	clean(t, s)
	want, got := marks(t, openAt(t, path)), marks(t, s)
	if len(want) < 20 || len(got) != len(want) {
		t.Errorf("%d marks of %d", len(got), len(want))
	}
	for id, text := range want {
		if got[id] != text {
			t.Errorf("segment %s: %s, was %s", id, got[id], text)
		}
	}
	for _, table := range rescued {
		if a, b := dumped(t, path, table), dumped(t, to, table); a != b {
			t.Errorf("the rows of %s differ:\n%.2000s\n%.2000s", table, a, b)
		}
	}
}

// Of a file that is cut off, no row is counted twice.
func TestRescueCountsRowsOnce(t *testing.T) {
	path, _ := judgedLibrary(t, 12)
	s := openAt(t, path)
	there := map[string]int{}
	for _, table := range rescued {
		var n int
		if err := s.db.Rows(t.Context(), "SELECT count(*) FROM "+table).One(&n); err != nil {
			t.Fatal(err)
		}
		there[table] = n
	}
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.db")
	for part := 1; part < 10; part += 2 {
		if err := os.WriteFile(cut, sound[:len(sound)*part/10], 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := Rescue(t.Context(), cut, filepath.Join(t.TempDir(), "out.db"), false, Options{Clock: newClock().Now}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range out.Tables {
			if n := there[table.Table]; table.Rows > n || table.Of > n || table.Rows+table.Lost > n {
				t.Errorf("%d tenths: %+v, of %d rows", part, table, n)
			}
		}
	}
}

// dumped returns the rows of a table as text, but for what is filled in the
// background.
func dumped(t testing.TB, path, table string) string {
	t.Helper()
	s := openAt(t, path)
	columns, err := sqlite.Column[string](s.db.Once(t.Context(), "SELECT name FROM pragma_table_info(?)", table))
	if err != nil {
		t.Fatal(err)
	}
	if table == "bodies" {
		columns = []string{"id", "session_id", "dropped", "stored", "changed"}
	}
	values, dest := make([]any, len(columns)), make([]any, len(columns))
	for i := range dest {
		dest[i] = &values[i]
	}
	var b strings.Builder
	rows := s.db.Once(t.Context(), "SELECT "+strings.Join(columns, ", ")+" FROM "+table+" ORDER BY 1, 2")
	for range rows.Into(dest...) {
		fmt.Fprintln(&b, values...)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestRescueKeepsWhatWasJoined: sessions of several files stay one, and messages
// that a segment had once are no session.
func TestRescueKeepsWhatWasJoined(t *testing.T) {
	f := newFolder(t)
	lines := utterances("u1<:1", "a1<u1:2", "u2<a1:3", "a2<u2:4")
	f.save("one.jsonl", lines[:2]...)
	f.load()
	f.approveAll()
	f.save("two.jsonl", lines[1:]...)
	f.load()
	was := f.only()
	to := filepath.Join(t.TempDir(), "out.db")
	if _, err := Rescue(t.Context(), f.s.path, to, false, Options{Clock: newClock().Now}, nil); err != nil {
		t.Fatal(err)
	}
	s := openAt(t, to)
	clean(t, s)
	for _, table := range []string{"raws", "pieces", "copies"} {
		if a, b := dumped(t, f.s.path, table), dumped(t, to, table); a != b {
			t.Errorf("the rows of %s differ:\n%.2000s\n%.2000s", table, a, b)
		}
	}
	if list, err := s.Messages(t.Context(), was.Body, 1, was.Messages); err != nil || len(list) != 4 {
		t.Errorf("%d messages, %v", len(list), err)
	}
}
