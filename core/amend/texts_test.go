package amend

import (
	"strings"
	"testing"

	"winnow/core/edit"
	"winnow/core/review"
)

// TestRedactionOfWhatCameSince: what was added after the edits were read is redacted
// like others.
func TestRedactionOfWhatCameSince(t *testing.T) {
	one := added(3, 1)
	one.Untrained = true
	f := &fake{edits: []edit.Edit{one}, late: true}
	r := Redaction{Store: f, Replace: func(text string) string { return strings.ReplaceAll(text, "secret", "[X]") }}
	s := &review.Session{}
	s.ID, s.Messages = "ab", 8
	if err := r.Take(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if len(r.Changes) != 1 || r.Changes[0].Op != edit.Add || r.Changes[0].Message.Content != "[X]" || !r.Changes[0].Untrained {
		t.Errorf("%+v", r.Changes)
	}
}
