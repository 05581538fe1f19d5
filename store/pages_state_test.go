package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/facets"
	"winnow/store/sqlite"
)

// What the database finds is read as it was found, whatever changes meanwhile.
func TestPageIsReadAsItWasFound(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	q := review.Query{Filter: parsed(t, "status:pending"), Limit: 10}
	_, err := s.findInOrder(t.Context(), &q, func(v *sqlite.View, w *facets.Found) error {
		judge(t, s, "ann", review.Approved, ids[1])
		list, err := s.readFound(w, q.Limit, v.Rows)
		if len(list) != 4 || slices.ContainsFunc(list, func(s review.Segment) bool { return s.Verdict != review.Pending }) {
			t.Errorf("%d rows of 4, or one of another state", len(list))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if p, err := s.Segments(t.Context(), q); err != nil || len(p.Segments) != 3 {
		t.Error(len(p.Segments), err)
	}
}

// A page all of whose rows left is found again by the database.
func TestPageWhoseRowsAllLeft(t *testing.T) {
	s := warm(t, 40)
	all, err := s.IDs(t.Context(), review.Query{})
	if err != nil {
		t.Fatal(err)
	}
	change(t, s.Path(), "CREATE TABLE kept_changes AS SELECT max(seq) AS seq FROM segment_changes")
	for _, id := range all[:5] {
		change(t, s.Path(), "DELETE FROM task_segments WHERE id = ?", id)
	}
	change(t, s.Path(), "DELETE FROM segment_changes WHERE seq > (SELECT coalesce(seq, 0) FROM kept_changes)")
	p, err := s.Segments(t.Context(), review.Query{Limit: 3})
	if err != nil || !slices.Equal(idsOf(p.Segments), all[5:8]) || !p.More {
		t.Error(idsOf(p.Segments), p.More, err)
	}
	_, err = s.Segments(t.Context(), review.Query{Order: review.Balance, Limit: 40})
	if err != nil {
		t.Error(err)
	}
}

// An order that only memory has does not wait for a cursor that will never be
// understood.
func TestCursorThatMemoryRefuses(t *testing.T) {
	s := warm(t, 8)
	for _, key := range []any{nil, int64(3)} {
		q := review.Query{Order: review.Balance, Limit: 3, After: review.Cursor{ID: "no id", Key: key}}
		if _, err := s.Segments(t.Context(), q); !errors.Is(err, review.ErrNotFound) || strings.Contains(err.Error(), "ask again") {
			t.Errorf("%v: %v", key, err)
		}
	}
}

// All ids are in the order that was asked for, also in a hurry.
func TestAllIDsAreNotHasty(t *testing.T) {
	s := openTemp(t)
	var writes []hub.ImportWrite
	for i := range 6 {
		writes = append(writes, write(fmt.Sprintf("/h/%d", i), talk(4+i*3%5*2, "alpha")))
	}
	put(t, s, writes...)
	fillAll(t, s)
	q := review.Query{Filter: parsed(t, "alpha"), Order: review.Longest}
	want, err := s.IDs(t.Context(), q)
	q.Hasty = true
	got, err2 := s.IDs(t.Context(), q)
	if err != nil || err2 != nil || len(want) != 6 || !slices.Equal(got, want) {
		t.Error(got, want, err, err2)
	}
}

// A segment that is not there can't leave.
func TestWhatIsNotThereDoesNotLeave(t *testing.T) {
	s := openTemp(t)
	err := s.write(t.Context(), sqlite.Machine, "retire", func(tx *tx) error {
		return tx.lastPlace(&review.Change{Segment: "none"})
	})
	if err == nil {
		t.Error("it left")
	}
}

// Of two agents' sources with one path, the one is read again that lacks messages.
func TestTheDoctorTellsSourcesOfOnePathApart(t *testing.T) {
	f := newFolder(t)
	f.save("one.jsonl", utterances("u1<:hello", "a1<u1:one")...)
	f.load()
	columns := `format, forced, size, pending, sessions, reason, proof`
	change(t, f.s.Path(), `INSERT INTO sources (agent_id, path, mtime, state, `+columns+`)
		SELECT 'other', path, mtime, json_set(state, '$.messages', 0), `+columns+` FROM sources`)
	change(t, f.s.Path(), "UPDATE sources SET state = json_set(state, '$.messages', 9) WHERE agent_id <> 'other'")
	if _, err := f.s.Repair(t.Context()); err != nil {
		t.Fatal(err)
	}
	again, err := sqlite.Column[string](f.s.db.Rows(t.Context(), "SELECT agent_id FROM sources WHERE mtime = 0"))
	if err != nil || len(again) != 1 || again[0] == "other" {
		t.Errorf("%q are read again, %v", again, err)
	}
}

// TestRowsThatLeftAreLeftOut: the number of a row that left is given to another
// segment, which is not the one that was found.
func TestRowsThatLeftAreLeftOut(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	err := s.db.Read(t.Context(), func(v *sqlite.View) error {
		w := facets.Found{IDs: []string{ids[0], "left", ids[2], ids[3]}}
		for _, id := range ids {
			var row int64
			if err := v.Rows("SELECT rowid FROM task_segments WHERE id = ?", id).One(&row); err != nil {
				return err
			}
			w.Rows = append(w.Rows, row)
		}
		list, err := s.readFound(&w, 4, v.Rows)
		if got := idsOf(list); !slices.Equal(got, []string{ids[0], ids[2], ids[3]}) {
			t.Errorf("%q of %q", got, w.IDs)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
