package tell

import (
	"testing"

	"winnow/core/edit"
	"winnow/core/review"
)

// What takes a redaction back says so.
func TestWhatTextOfARedactionTakenBack(t *testing.T) {
	redacted, fixed := &edit.Edit{Op: edit.Set, Why: edit.Redact}, &edit.Edit{Op: edit.Set, Why: edit.Fix}
	for want, e := range map[string]review.Edited{
		"as recorded; a redaction is taken back": {Before: redacted},
		"fixed; a redaction is taken back":       {Before: redacted, After: fixed},
		"redacted":                               {Before: fixed, After: redacted},
		"as recorded":                            {Before: fixed},
	} {
		if got := whatText(&e, review.ActEdit); got != want {
			t.Errorf("%q, wanted %q", got, want)
		}
	}
}
