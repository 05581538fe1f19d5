package httpd

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/inbox"
)

// TestOutcomes goes through what may come of a body compared with what is stored, one
// after the other in one session: status, outcome, size, and what then is in the inbox.
func TestOutcomes(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, false, nil)
	line := func(n int) string { return fmt.Sprintf("{\"role\":\"user\",\"content\":\"question %d\"}\n", n) }
	one, two, three := line(1), line(1)+line(2), line(1)+line(2)+line(3)
	size := func(text string) int { return len(text) }
	for _, c := range []struct {
		name, query, body string
		status            int
		outcome           inbox.Outcome
		code              string
		then              string // what is stored
		pending           int64  // lines
	}{
		{"nothing is stored", "", one, 200, inbox.New, "", one, 0},
		{"the same again", "", one, 200, inbox.Unchanged, "", one, 0},
		{"more", "", two, 200, inbox.Grown, "", two, 0},
		{"the beginning", "", one, 409, "", "shorter", two, 0},
		{"the beginning, in place of all", "&replace=1", one, 200, inbox.Rewritten, "", one, 0},
		{"something else", "", line(7) + line(8), 200, inbox.Rewritten, "", line(7) + line(8), 0},
		{"all of it, from the beginning", "&offset=0", line(7) + line(8), 200, inbox.Unchanged, "", line(7) + line(8), 0},
		{"back again", "", one, 200, inbox.Rewritten, "", one, 0},
		{"a piece at the end", fmt.Sprintf("&offset=%d", size(one)), line(2)[:9], 200, inbox.Grown, "", one + line(2)[:9], 1},
		{"its rest", fmt.Sprintf("&offset=%d", size(one)+9), line(2)[9:], 200, inbox.Grown, "", two, 0},
		{"a piece that came already", fmt.Sprintf("&offset=%d", size(one)), line(2), 200, inbox.Unchanged, "", two, 0},
		{"a piece that overlaps", fmt.Sprintf("&offset=%d", size(one)), line(2) + line(3), 200, inbox.Grown, "", three, 0},
		{"a piece that overlaps with something else", fmt.Sprintf("&offset=%d", size(one)), line(4), 409, "", "differs", three, 0},
		{"a piece after the end", fmt.Sprintf("&offset=%d", size(three)+1), line(4), 409, "", "offset", three, 0},
		{"a piece without bytes", fmt.Sprintf("&offset=%d", size(three)), "", 200, inbox.Unchanged, "", three, 0},
	} {
		status, a := p.post("agent_id=a&session=s"+c.query, strings.NewReader(c.body))
		r := inbox.Receipt{}
		if len(a.Results) == 1 {
			r = a.Results[0]
		}
		if status != c.status || r.Outcome != c.outcome || a.Code != c.code || r.Size != int64(len(c.then)) || p.stored()["a/s.jsonl"] != c.then {
			t.Errorf("%s: %d %+v; %q is stored", c.name, status, a, p.stored())
		}
		if status == 409 && (a.Size == nil || *a.Size != int64(len(c.then))) || status == 200 && (r.Figures == nil || r.Lines.Pending != c.pending) {
			t.Errorf("%s: %+v %+v", c.name, a, r.Figures)
		}
	}
	p.sound()
}

// TestFormats checks that a format which a session does not have is refused, and how long
// one that was named is kept.
func TestFormats(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, false, nil)
	claude := `{"type":"user","uuid":"u1","sessionId":"s1","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"a question"}}` + "\n" +
		`{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"s1","timestamp":"2026-01-02T03:04:06Z","message":{"role":"assistant","content":[{"type":"text","text":"an answer"}]}}` + "\n"
	half := claude + `{"type":"us`
	plain := `{"role":"user","content":"a question"}` + "\n"
	for _, c := range []struct {
		name, query, body string
		status            int
		outcome           inbox.Outcome
		read              int64
		text              string
	}{
		{"another format", "&format=codex", claude, 422, "", 0, "no codex session in it: "},
		{"another format, and an unfinished line", "&format=codex", half, 422, "", 0, "no codex session in it: "},
		{"the first piece of another format", "&format=codex&offset=0", half, 422, "", 0, "no codex session in it: "},
		{"no format", "", half, 200, inbox.New, 2, ""},
		{"another format for what is stored", "&format=codex", half, 422, "", 0, "no codex session in it: "},
		{"another format for what it goes on with", "&format=codex", half + "e", 422, "", 0, "no codex session in it: "},
		{"another format for a piece", fmt.Sprintf("&format=codex&offset=%d", len(half)), "e", 422, "", 0, "no codex session in it: "},
		{"its format", "&format=claude-code", half, 200, inbox.Rewritten, 2, ""},
		{"the same", "", half, 200, inbox.Unchanged, 2, ""},
		{"the content tells", "&format=auto", half, 200, inbox.Rewritten, 2, ""},
		{"and goes on", "", half + "e", 200, inbox.Grown, 2, ""},
		{"its format again", "&format=claude-code", half + "e", 200, inbox.Rewritten, 2, ""},
		{"all anew", "&replace=1", half + "e", 200, inbox.Rewritten, 2, ""},
		{"a format with it", "&format=claude-code", claude, 409, "", 0, ""},
		{"its format once more", "&format=claude-code", half + "er", 200, inbox.Rewritten, 2, ""},
		{"another recorder's", "", plain, 200, inbox.Rewritten, 1, ""},
	} {
		status, a := p.post("agent_id=a&session=s"+c.query, strings.NewReader(c.body))
		r := inbox.Receipt{}
		if len(a.Results) == 1 {
			r = a.Results[0]
		}
		if status != c.status || r.Outcome != c.outcome || !strings.Contains(a.Error, c.text) || status == 200 && (r.Figures == nil || r.Lines.Read != c.read || r.Lines.Bad != 0) {
			t.Errorf("%s: %d %+v %+v", c.name, status, a, r.Figures)
		}
	}
	p.sound()
}

// TestNotes checks what is said of uploads that bring less than one may think: no session
// yet, or one that is there already. It is said again later.
func TestNotes(t *testing.T) {
	p := start(t, t.TempDir(), Limits{}, false, nil)
	empty := `{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"id":"s1","timestamp":"2026-01-02T03:04:05Z","cwd":"/w","originator":"codex","cli_version":"0.5"}}
{"type":"turn.completed","usage":{}}
{"type":"turn.completed","usage":{}}
`
	whole := string(sample(t))
	for _, c := range []struct {
		session, body, note string
		problems            int
	}{
		{"empty", empty, "no session in it yet: line 2 is skipped: no message: keys type, usage", 2},
		{"begun", `{"role":"us`, "no session in it yet: line 1 is unfinished: ", 1},
		{"first", whole, "", 1},
		{"again", whole, "copy of another session", 1},
	} {
		status, a := p.post("agent_id=a&session="+c.session, strings.NewReader(c.body))
		if status != 200 || len(a.Results) != 1 || a.Results[0].Figures == nil {
			t.Errorf("%s: %d %+v", c.session, status, a)
			continue
		}
		r := a.Results[0]
		if !strings.HasPrefix(r.Note, c.note) || (r.Note == "") != (c.note == "") || len(r.Problems) != c.problems || r.More != 0 {
			t.Errorf("%s: %+v", c.session, r.Figures)
		}
		if _, _, later := p.do("GET", "/ingest/"+r.ID, nil); len(later.Results) != 1 || later.Results[0].Note != r.Note || later.Results[0].More != 0 {
			t.Errorf("%s: later %+v", c.session, later)
		}
	}
}
