package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// opened opens a database that was closed as one that is read-only.
func opened(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestASearchOfAReadOnlyDatabaseIsComplete checks that messages which the text
// index does not have are found, whatever part of a body it has.
func TestASearchOfAReadOnlyDatabaseIsComplete(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	s := openAt(t, path)
	put(t, s, write("/a", spokenList("apple pie", "pear", "red apple")), write("/b", spokenList("pear", "apple")))
	fillAll(t, s)
	put(t, s, write("/c", spokenList("plum", "apple cake")), write("/d", spokenList("nothing")))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r := opened(t, path)
	if done, all, err := r.IndexedShare(t.Context()); err != nil || done != all || all == 0 {
		t.Errorf("%d of %d can be found, %v", done, all, err)
	}
	if _, err := r.IndexText(t.Context(), time.Second); !errors.Is(err, ErrReadOnly) {
		t.Errorf("filling the index: %v", err)
	}
	var texts []filter.Text
	for _, words := range []string{"apple", "red apple", "pear", "plum", "cake", "apple pie", "nowhere"} {
		texts = append(texts, filter.Text{Value: words}, filter.Text{Value: words[:3], Prefix: true}, filter.Text{Value: words, Phrase: true})
	}
	var found [][]string
	for _, text := range texts {
		found = append(found, hits(t, r, text))
	}
	w := openAt(t, path)
	fillAll(t, w)
	for i, text := range texts {
		want := hits(t, w, text)
		slices.Sort(want)
		slices.Sort(found[i])
		if !slices.Equal(found[i], want) {
			t.Errorf("%+v: found in %q, want %q", text, found[i], want)
		}
	}
	if len(found[0]) != 3 {
		t.Errorf("an apple is in %q", found[0])
	}
}

// TestAReadOnlyDatabaseSaysSo checks the line that somebody reads who would change
// something.
func TestAReadOnlyDatabaseSaysSo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	s := openAt(t, path)
	id := four(t, s)[0]
	if s.ReadOnly() || s.Writable() != nil {
		t.Errorf("a database like others: %v", s.Writable())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r := opened(t, path)
	_, err := r.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: []string{id}, Verdict: review.Approved})
	for what, err := range map[string]error{"judge": err, "asked": r.Writable()} {
		want := fmt.Sprintf("database is read-only: %s: to change anything, copy it to where you may write", path)
		if !errors.Is(err, ErrReadOnly) || err.Error() != want {
			t.Errorf("%s: %v", what, err)
		}
	}
	steps := shipped(t)
	newer := append(steps, sqlite.Step{Version: len(steps) + 1, Text: "CREATE TABLE extra (a)"})
	_, err = open(t.Context(), path, Options{ReadOnly: true}, newer)
	if !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), path+" has an older schema: open it once where it can be written to") {
		t.Errorf("an older schema: %v", err)
	}
}
