package serve

import (
	"testing"

	"winnow/core/inbox"
	"winnow/core/session"
)

// TestToldLines checks what the log says of an upload.
func TestToldLines(t *testing.T) {
	figures := func(more, total int, bad int64) *inbox.Figures {
		f := &inbox.Figures{Messages: inbox.MessageFigures{New: more, Total: total}}
		f.Lines.Bad = bad
		f.Sum()
		return f
	}
	copied := figures(0, 11, 0)
	copied.Sessions.Copies = 1
	copied.Sum()
	empty := &inbox.Figures{Problems: []session.Issue{{Line: 2, Severity: session.Skipped, Reason: "codex event: turn.completed"}}}
	empty.Sum()
	for _, c := range []struct {
		agent, session string
		outcome        inbox.Outcome
		f              *inbox.Figures
		want           string
	}{
		{"laptop", "fix", inbox.Grown, figures(12, 1091, 1), "laptop/fix: grown, +12 messages, 1,091 in all, 1 bad line"},
		{"laptop", "fix", inbox.Unchanged, figures(0, 91, 0), ""},
		{"laptop", "fix", inbox.Stored, nil, ""},
		{"laptop", "again", inbox.New, copied, "laptop/again: new, +0 messages, 11 in all, copy of another session"},
		{"laptop", "empty", inbox.New, empty, "laptop/empty: new, no session in it yet: line 2 is skipped: codex event: turn.completed"},
		{"..", "x y", inbox.New, figures(1, 1, 0), `".."/x y: new, +1 message, 1 in all`},
		{"a/b", "s: new", inbox.New, figures(1, 1, 0), `"a/b"/"s: new": new, +1 message, 1 in all`},
	} {
		r := &inbox.Receipt{Success: true, Agent: c.agent, Session: c.session, Outcome: c.outcome, Figures: c.f}
		if got := toldLine(r); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
