package store

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
)

// inPlaces are sessions in natural order, with the line they begin on.
var inPlaces = []struct {
	key  string
	line int64
}{
	{"", 1}, {"#L2", 2}, {"#L3", 3}, {"#b=zz", 4}, {"#L10", 10}, {"#L10.2", 10}, {"#L10.10", 10}, {"#[2]", 11}, {"#[10]", 11}, {"#s=y", 20}, {"#s=x", 100}, {"#L101", 101},
}

// placed writes the sessions of a source, in another order than they stand.
func placed(path string) hub.ImportWrite {
	var w hub.ImportWrite
	for i, p := range inPlaces {
		list := talk(2, fmt.Sprint(path, p.key))
		for j := range list {
			list[j].SourceLine = p.line
		}
		one := write(path, list)
		one.Sessions[0].Session.File += p.key
		if i == 0 {
			w = one
			continue
		}
		w.Sessions = append(w.Sessions, one.Sessions...)
	}
	w.Source.Sessions = len(w.Sessions)
	slices.Reverse(w.Sessions)
	return w
}

// inOrder compares the natural order with the one that is wanted, asked for in
// all the ways there are.
func inOrder(t *testing.T, s *Store, what string, paths ...string) {
	t.Helper()
	var want []string
	for _, path := range paths {
		for _, p := range inPlaces {
			want = append(want, path+p.key)
		}
	}
	for _, back := range []bool{false, true} {
		var got []string
		q := review.Query{Back: back, Limit: 5}
		for {
			page, err := s.Segments(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			var files []string
			for i := range page.Segments {
				files = append(files, page.Segments[i].SessionFile)
			}
			if q.After = page.Last; back {
				got, q.After = append(files, got...), page.First
			} else {
				got = append(got, files...)
			}
			if !page.More {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s, back %t:\n got %s\nwant %s", what, back, strings.Join(got, " "), strings.Join(want, " "))
		}
	}
	var got []string
	for after := ""; ; {
		page, err := s.Sessions(t.Context(), after, 5)
		if err != nil {
			t.Fatal(err)
		}
		for i := range page {
			got, after = append(got, page[i].File), page[i].Place
		}
		if len(page) < 5 {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: sessions are %s", what, strings.Join(got, " "))
	}
}

// Sessions of a source follow each other by number, not by name; branches and
// sessions with ids stand where they begin.
func TestNaturalOrderIsByNumber(t *testing.T) {
	s := openTemp(t)
	put(t, s, placed("/b.jsonl"))
	put(t, s, placed("/a.jsonl"))
	inOrder(t, s, "SQL", "/a.jsonl", "/b.jsonl")
	if err := s.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	inOrder(t, s, "memory", "/a.jsonl", "/b.jsonl")
	put(t, s, placed("/aa.jsonl"))
	inOrder(t, s, "added", "/a.jsonl", "/aa.jsonl", "/b.jsonl")
	sources, err := s.Sources(t.Context(), "default")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.MoveSource(t.Context(), sources["/a.jsonl"].ID, "/c.jsonl"); err != nil {
		t.Fatal(err)
	}
	inOrder(t, s, "moved", "/aa.jsonl", "/b.jsonl", "/c.jsonl")
	again := openAt(t, s.Path())
	inOrder(t, again, "moved, by SQL", "/aa.jsonl", "/b.jsonl", "/c.jsonl")
}

// What is in a database gets its place when the schema does.
func TestMigratedSessionsHavePlaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.db")
	old, err := open(t.Context(), path, Options{}, shipped(t)[:18])
	if err != nil {
		t.Fatal(err)
	}
	old.Close()
	for i, p := range inPlaces {
		n := len(inPlaces) - i
		file, id := "/a.jsonl"+p.key, fmt.Sprintf("%08x-0000-4000-8000-000000000000", n)
		change(t, path, "INSERT INTO bodies (id, session_id) VALUES (?, ?)", n, id)
		change(t, path, "INSERT INTO trajectory_records (id, session_file, created_at, body, messages) VALUES (?, ?, '2026-05-03T12:00:01.000000Z', ?, 1)", id, file, n)
		change(t, path, "INSERT INTO messages (id, flags, content_len, reasoning_len, calls, tokens, source_line, source_offset) VALUES (? << 32 | 1, 1, 1, 0, 0, 1, ?, 0)", n, p.line)
		change(t, path, `INSERT INTO task_segments (id, agent_id, session_file, segment_index, start_line, end_line, fingerprint, created_at, updated_at, session_id, body, detail, cut_by)
			VALUES (?1, 'default', ?2, 0, 1, 1, ?1, '2026-05-03T12:00:01.000000Z', '2026-05-03T12:00:01.000000Z', ?1, ?3, '', 'none')`, id, file, n)
	}
	inOrder(t, openAt(t, path), "migrated", "/a.jsonl")
}
