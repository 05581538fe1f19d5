package serve

import (
	"testing"

	"winnow/core/inbox"
)

// TestToldLines checks what the log says of an upload.
func TestToldLines(t *testing.T) {
	figures := func(more, total int, bad int64) *inbox.Figures {
		f := &inbox.Figures{Messages: inbox.MessageFigures{New: more, Total: total}}
		f.Lines.Bad = bad
		return f
	}
	for _, c := range []struct {
		agent, session string
		outcome        inbox.Outcome
		f              *inbox.Figures
		want           string
	}{
		{"laptop", "fix", inbox.Grown, figures(12, 1091, 1), "laptop/fix: grown, +12 messages, 1,091 in all, 1 bad line"},
		{"laptop", "fix", inbox.Unchanged, figures(0, 91, 0), ""},
		{"laptop", "fix", inbox.Stored, nil, ""},
		{"..", "x y", inbox.New, figures(1, 1, 0), `".."/x y: new, +1 message, 1 in all`},
		{"a/b", "s: new", inbox.New, figures(1, 1, 0), `"a/b"/"s: new": new, +1 message, 1 in all`},
	} {
		r := &inbox.Receipt{Success: true, Agent: c.agent, Session: c.session, Outcome: c.outcome, Figures: c.f}
		if got := toldLine(r); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
