package store

import (
	"errors"
	"path/filepath"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// rewrite imports other messages for /a, where the segments ids leave, gives
// the old body up and returns it.
func rewrite(t *testing.T, s *Store, list []chat.Message, ids ...string) (old int64) {
	t.Helper()
	before, err := s.LoadSession(t.Context(), "default", "/a")
	if err != nil {
		t.Fatal(err)
	}
	w := write("/a", list)
	w.Sessions[0].NewBody, w.Sessions[0].Retire = true, ids
	put(t, s, w)
	drop(t, s, before.Body, before.ID)
	return before.Body
}

func drop(t *testing.T, s *Store, body int64, session string) {
	t.Helper()
	err := s.write(t.Context(), sqlite.Machine, "drop", func(tx *tx) error {
		return (&importing{tx: tx}).dropBody(body, session)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// rowsOf counts the stored rows of a body.
func rowsOf(t *testing.T, s *Store, body int64) (n int) {
	t.Helper()
	const text = "SELECT (SELECT count(*) FROM chunks WHERE id BETWEEN ?1 AND ?2) + (SELECT count(*) FROM messages WHERE id BETWEEN ?1 AND ?2)"
	if err := s.db.Rows(t.Context(), text, messageID(body, 0), lastID(body)).One(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestABodyThatNobodyJudgedGoesWhenTheSessionIsRewritten(t *testing.T) {
	s := openTemp(t)
	id := put(t, s, write("/a", talk(9000, "old")))[0]
	old := rewrite(t, s, talk(4, "new"), id)
	if list, err := s.Messages(t.Context(), old, 1, 9); !errors.Is(err, review.ErrNotFound) || len(list) > 0 {
		t.Errorf("%d messages of a dropped body, %v", len(list), err)
	}
	clean(t, s) // also while it is being deleted
	s.background.Wait()
	if n := rowsOf(t, s, old); n > 0 {
		t.Errorf("%d rows are left", n)
	}
	if _, err := s.Heads(t.Context(), old, 8990, 9000); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("heads of a dropped body: %v", err)
	}
	clean(t, s)
}

func TestABodyStaysWhileTheJournalRefersToIt(t *testing.T) {
	s := openTemp(t)
	list := talk(8, "old")
	w := write("/a", list)
	w.Sessions[0].Segments[0] = seg(list, 1, 4, 0)
	w.Sessions[0].Segments = append(w.Sessions[0].Segments, seg(list, 5, 8, 1))
	ids := put(t, s, w)
	judge(t, s, "ann", review.Approved, ids[1])
	old := rewrite(t, s, talk(4, "new"), ids...)
	s.background.Wait()
	log, err := s.Journal(t.Context(), 0, 1)
	if err != nil || len(log) != 1 || log[0].Action != review.ActRetire {
		t.Fatalf("%+v %v", log, err)
	}
	c := log[0].Changes[0]
	if c.Segment != ids[1] || c.Body != old || c.Start != 5 || c.End != 8 || c.Content != chat.DigestOf(list[4:]) {
		t.Errorf("change %+v", c)
	}
	got, err := s.Messages(t.Context(), c.Body, c.Start, c.End)
	if err != nil || chat.DigestOf(got) != c.Content {
		t.Errorf("%d messages %v", len(got), err)
	}
	clean(t, s)
}

func TestTheBodyOfASessionIsNeverDropped(t *testing.T) {
	s := openTemp(t)
	put(t, s, write("/a", talk(4, "x")), write("/b", talk(4, "y")))
	a, _ := s.LoadSession(t.Context(), "default", "/a")
	b, _ := s.LoadSession(t.Context(), "default", "/b")
	drop(t, s, a.Body, a.ID)
	drop(t, s, a.Body, b.ID)
	if list, err := s.Messages(t.Context(), a.Body, 1, 9); err != nil || len(list) != 4 {
		t.Errorf("%d messages %v", len(list), err)
	}
}

func TestWhatAnEarlierProcessDroppedIsDeleted(t *testing.T) {
	for name, later := range map[string]func(*Store){
		"import": func(s *Store) { put(t, s, write("/b", talk(4, "y"))) },
		"repair": func(s *Store) {
			if _, err := s.Repair(t.Context()); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "w.db")
			s := openAt(t, path)
			id := put(t, s, write("/a", talk(9000, "old")))[0]
			s.background.Wait()   // the first write looks for what is left
			s.closing.Store(true) // nothing is deleted any more
			old := rewrite(t, s, talk(4, "new"), id)
			s.background.Wait()
			if n := rowsOf(t, s, old); n != 12000 {
				t.Fatalf("%d rows", n)
			}
			clean(t, s)
			again := openAt(t, path)
			later(again)
			again.background.Wait()
			if n := rowsOf(t, again, old); n > 0 {
				t.Errorf("%d rows are left", n)
			}
			clean(t, again)
		})
	}
}

// A database of schema 1 does not know which old bodies are needed: they all
// go if no judged segment ever left, else they all stay.
func TestOldBodiesOfAnOlderDatabase(t *testing.T) {
	for name, c := range map[string]struct {
		journal string
		left    int
	}{
		"nothing judged": {"SELECT 1", 0},
		"judged":         {"INSERT INTO journal (at, curator, action) VALUES ('2026-05-03T12:00:01.000000Z', '', 'retire')", 1},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "w.db")
			s, err := open(t.Context(), path, Options{}, shipped(t)[:1])
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			change(t, path, `INSERT INTO bodies (session_id) VALUES ('a'), ('a');
				INSERT INTO trajectory_records (id, session_file, created_at, body) VALUES ('a', '/old', '2026-05-03T12:00:01.000000Z', 2);
				INSERT INTO chunks VALUES (1 << 32 | 1, 1, 1, x'00')`)
			change(t, path, c.journal)
			s = openAt(t, path)
			put(t, s, write("/b", talk(4, "y")))
			s.background.Wait()
			if n := rowsOf(t, s, 1); n != c.left {
				t.Errorf("%d rows are left, want %d", n, c.left)
			}
		})
	}
}
