package store

import (
	"strings"
	"testing"

	"winnow/store/sqlite"
)

// The last entry of a segment is found by an index: journals grow for years.
func TestLastEntryIsFoundByItsIndex(t *testing.T) {
	s := openTemp(t)
	rows, err := s.db.Readers.Query(t.Context(), "EXPLAIN QUERY PLAN "+lastEntrySQL, "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	var plan []string
	if err := sqlite.Each(rows, func() error {
		var id, parent, unused int
		var detail string
		err := rows.Scan(&id, &parent, &unused, &detail)
		plan = append(plan, detail)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(plan, "; ")
	if !strings.Contains(text, "journal_changes_segment") || strings.Contains(text, "TEMP B-TREE") {
		t.Error(text)
	}
}
