package store

import (
	"errors"
	"strings"
	"testing"

	"winnow/core/review"
)

// TestARowWithWhatCannotBeInIt is damage of the database that rescue helps with,
// whatever it is that does not fit.
func TestARowWithWhatCannotBeInIt(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"a word as a number", "UPDATE task_segments SET start_line = 'x'"},
		{"a time", "UPDATE task_segments SET was_at = 'yesterday'"},
		{"the kind of a value", "UPDATE task_segments SET reviewed_at = 7"},
		{"a mark that ends early", `UPDATE journal_changes SET before = '{"verdict":'`},
		{"a mark of another kind", `UPDATE journal_changes SET before = '{"verdict":1}'`},
	} {
		s := openTemp(t)
		id := four(t, s)[0]
		judge(t, s, "ann", review.Approved, id)
		change(t, s.Path(), c.text)
		_, err := s.Segment(t.Context(), id)
		if err == nil {
			_, err = s.Undo(t.Context(), "ann")
		}
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "a row holds what can't be in it") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
