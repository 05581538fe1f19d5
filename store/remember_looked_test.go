package store

import (
	"strings"
	"testing"
)

// TestMarksWithoutALook: doctor finds segments that say that somebody looked for memories
// in them, or a model, where that is not known, and they are looked at again.
func TestMarksWithoutALook(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids...)
	rules, model := extractionOf(t, s, ids[0]), extractionOf(t, s, ids[1])
	model.Extractor = "tiny prompt 1"
	extract(t, s, rules)
	extract(t, s, model)
	clean(t, s)
	change(t, s.Path(), "UPDATE task_segments SET memory_extracted = 1 WHERE id = ?", ids[2])
	change(t, s.Path(), "UPDATE task_segments SET memory_asked = 1 WHERE id = ?", ids[0])
	found, err := s.Check(t.Context())
	if err != nil || len(found) != 2 {
		t.Fatal(found, err)
	}
	for i := range found {
		if text := found[i].String(); !strings.Contains(text, "is marked as looked at for memories, which nobody did") {
			t.Error(text)
		}
	}
	if _, err := s.Repair(t.Context()); err != nil {
		t.Fatal(err)
	}
	clean(t, s)
	var left int
	if err := s.db.Rows(t.Context(), "SELECT count(*) FROM task_segments WHERE memory_extracted = 1").One(&left); err != nil || left != 1 {
		t.Errorf("%d segments are marked, %v", left, err)
	}
}
