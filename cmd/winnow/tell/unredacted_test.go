package tell

import (
	"testing"

	"winnow/core/edit"
	"winnow/core/review"
)

// TestEditsTextOfRedactions: what brings back what was redacted says so.
func TestEditsTextOfRedactions(t *testing.T) {
	made := func(n int, why edit.Why) review.Edited {
		p := edit.Place{N: n}
		return review.Edited{Session: "a", Place: p, Before: &edit.Edit{Place: p, Op: edit.Set, Why: why}}
	}
	for want, list := range map[string][]review.Edited{
		"messages 7-9 as recorded (2 redactions taken back)": {made(7, edit.Redact), made(8, edit.Fix), made(9, edit.Redact)},
		"message 7 as recorded":                              {made(7, edit.Fix)},
	} {
		if got := EditsText(&review.Entry{Action: review.ActEdit, Edits: list}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
