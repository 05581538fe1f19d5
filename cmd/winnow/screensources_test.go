package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/desk"
	"winnow/core/ledger"
	"winnow/core/review"
)

// sourcesOf imports a file and returns what leads back to it, and the sessions
// in it.
func sourcesOf(t *testing.T, name, text string, f func(v desk.Sources, path string, sessions []review.Session)) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	env := environment{
		Env: config.Env{Lookup: lookupOf(map[string]string{"HOME": dir, "WINNOW_DB": filepath.Join(dir, "w.db"), "EDITOR": "vim"}), GOOS: "linux", User: func() string { return "ann" }}, stdout: io.Discard, stderr: io.Discard,
		stdin: strings.NewReader(""), dir: os.Getwd, now: time.Now, zone: time.UTC,
	}
	env.args = []string{"import", path}
	if code := run(t.Context(), env); code != exitDone {
		t.Fatalf("import ended with %d", code)
	}
	p := &cli{env: env}
	err := p.withDatabase(t.Context(), false, func(s *database) error {
		page, err := s.Segments(t.Context(), review.Query{Limit: 100})
		if err != nil {
			return err
		}
		var sessions []review.Session
		for _, seg := range page.Segments {
			ses, err := s.Session(t.Context(), seg.SessionID)
			if err != nil {
				return err
			}
			sessions = append(sessions, ses)
		}
		f(desk.Sources{Desk: p.desk(s)}, path, sessions)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

const perMessage = `{"role":"user","content":"one"}
{"role":"assistant","content":"two"}

{"role":"user","content":"three"}
`

func TestRecordedLineIsThatOfTheMessage(t *testing.T) {
	sourcesOf(t, "a.jsonl", perMessage, func(v desk.Sources, path string, sessions []review.Session) {
		place := ledger.Message{Session: sessions[0].ID, Body: sessions[0].Body, N: 3}
		r, err := v.Recorded(t.Context(), place)
		if err != nil || strings.TrimSpace(string(r.Text)) != `{"role":"user","content":"three"}` || r.Place != path+":4" || r.Stored != "" {
			t.Errorf("%+v, %v: %s", r, err, r.Text)
		}
		cmd, err := v.Edit(t.Context(), place)
		if err != nil || strings.Join(cmd.Args, " ") != "vim +4 "+path {
			t.Errorf("%v, %v", cmd, err)
		}
		// A source that grew has the message still; one that was rewritten or
		// is gone does not.
		if err := os.WriteFile(path, []byte(perMessage+`{"role":"assistant","content":"four"}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if r, err := v.Recorded(t.Context(), place); err != nil || r.Stored != "" {
			t.Errorf("grown: %+v, %v", r, err)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(perMessage, "one", "eno", 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if r, err := v.Recorded(t.Context(), place); err != nil || !strings.Contains(r.Stored, "was rewritten") || !strings.Contains(string(r.Text), `"content":"three"`) {
			t.Errorf("rewritten: %+v, %v", r, err)
		}
		if _, err := v.Edit(t.Context(), place); err == nil || !strings.Contains(err.Error(), "was rewritten") {
			t.Errorf("rewritten: %v", err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if r, err := v.Recorded(t.Context(), place); err != nil || !strings.Contains(r.Stored, "no longer exists") {
			t.Errorf("gone: %+v, %v", r, err)
		}
		if _, err := v.Edit(t.Context(), place); err == nil || !strings.Contains(err.Error(), "no longer exists") {
			t.Errorf("gone: %v", err)
		}
	})
}

const perConversation = `{"messages":[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]}
{"id":7,"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"yes"},{"role":"assistant","content":"ok","tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"yes"},{"role":"user","content":"yes"},{"role":"assistant","content":"caf\u00e9"}]}
`

func TestMessageIsFoundInAConversationPerLine(t *testing.T) {
	sourcesOf(t, "b.jsonl", perConversation, func(v desk.Sources, path string, sessions []review.Session) {
		for _, ses := range sessions {
			for n := 1; n <= ses.Messages; n++ {
				r, err := v.Recorded(t.Context(), ledger.Message{Session: ses.ID, Body: ses.Body, N: n})
				line, want := "1", "messages["+string(rune('0'+n-1))+"]"
				if ses.Messages > 2 {
					line = "2"
				}
				if err != nil || r.Part != want || r.Place != path+":"+line || r.Stored != "" {
					t.Errorf("message %d: %+v, %v: %s", n, r, err, r.Text)
				}
			}
		}
		ses := sessions[len(sessions)-1]
		r, _ := v.Recorded(t.Context(), ledger.Message{Session: ses.ID, Body: ses.Body, N: ses.Messages})
		if got := string(r.Text); got != `{"role":"assistant","content":"caf\u00e9"}` && got != `{"role":"assistant","content":"hi"}` {
			t.Errorf("not as it was written: %s", got)
		}
	})
}

func TestValueOverSeveralLinesIsReadWhole(t *testing.T) {
	text := "{\n \"messages\": [\n  {\"role\":\"user\",\"content\":\"hello\"},\n  {\"role\":\"assistant\",\n   \"content\":\"hi there\"}\n ]\n}\n"
	sourcesOf(t, "c.json", text, func(v desk.Sources, _ string, sessions []review.Session) {
		r, err := v.Recorded(t.Context(), ledger.Message{Session: sessions[0].ID, Body: sessions[0].Body, N: 2})
		if err != nil || r.Part != "messages[1]" || !strings.Contains(string(r.Text), "hi there") || strings.Contains(string(r.Text), "hello") {
			t.Errorf("%+v, %v: %s", r, err, r.Text)
		}
	})
}

// Whatever real sources look like, a message leads back to something in them
// that holds its text.
func TestRealMessagesLeadBackToTheirSources(t *testing.T) {
	for _, name := range []string{"hermes/batch_0.jsonl", "pi", "sharegpt", "openai", "swe-agent"} {
		files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "data", name))
		if len(files) == 1 {
			if inside, _ := filepath.Glob(filepath.Join(files[0], "*.jsonl")); len(inside) > 0 {
				files = inside[:1]
			}
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil || len(data) > 4<<20 {
				continue
			}
			sourcesOf(t, filepath.Base(file), string(data), func(v desk.Sources, _ string, sessions []review.Session) {
				for _, ses := range sessions[:min(len(sessions), 3)] {
					for n := 1; n <= min(ses.Messages, 10); n++ {
						r, err := v.Recorded(t.Context(), ledger.Message{Session: ses.ID, Body: ses.Body, N: n})
						if err != nil || r.Stored != "" || len(r.Text) == 0 {
							t.Errorf("%s, message %d: %+v, %v", file, n, r, err)
						}
					}
				}
			})
		}
	}
}
