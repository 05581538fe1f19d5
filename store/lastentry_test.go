package store

import (
	"strings"
	"testing"
)

// The last entry of a segment is found by an index: journals grow for years.
func TestLastEntryIsFoundByItsIndex(t *testing.T) {
	s := openTemp(t)
	text := planOf(t, s, lastEntrySQL, "a", "b")
	if !strings.Contains(text, "journal_changes_segment") || strings.Contains(text, "TEMP B-TREE") {
		t.Error(text)
	}
}
