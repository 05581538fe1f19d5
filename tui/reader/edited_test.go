package reader

import (
	"context"
	"strings"
	"testing"

	"winnow/core/edit"
	"winnow/core/review"
)

type editors []review.EditedBy

func (e editors) EditedBy(context.Context, int64, int, int) ([]review.EditedBy, error) {
	return e, nil
}

// TestEditedMessagesAreMarked: at the rule stands who changed a message, or that the
// edit waits; at the headline of a result, too.
func TestEditedMessagesAreMarked(t *testing.T) {
	s := storeOf(user("why"), assistant("because"), result("read", "a\nb"))
	for _, ascii := range []bool{false, true} {
		p := &pane{TB: t, Reader: New(Options{Fetch: s, Edits: editors{
			{N: 1, Op: edit.Set, Why: edit.Fix, By: "ben", Clash: true}, {N: 2, Op: edit.Set, Why: edit.Fix, By: "ann\x1b[2J"},
			{N: 3, Op: edit.Set, Why: edit.Redact, By: "eve"},
		}, Styles: plainStyles(), ASCII: ascii}), store: s, w: 80, h: 24}
		p.do(p.Open(s.segment()))
		sign := "✎ "
		if ascii {
			sign = "E "
		}
		text := p.screen()
		if !strings.Contains(text, sign+"ann") || !strings.Contains(text, sign+"eve") || !strings.Contains(text, sign+"recorded text changed") || strings.Contains(text, "\x1b[2J") {
			t.Errorf("ascii %t:\n%s", ascii, text)
		}
	}
}
