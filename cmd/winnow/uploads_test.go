package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/cmd/winnow/tell"
	"winnow/core/inbox"
	"winnow/core/session"
	"winnow/store"
)

// uploaded puts uploads into the database, the last one of which was refused.
func (b *bench) uploaded(agent, session string) {
	b.t.Helper()
	s, err := store.Open(b.t.Context(), filepath.Join(b.vars["HOME"], ".local", "share", "winnow", "winnow.db"), store.Options{Clock: b.env.now})
	if err != nil {
		b.t.Fatal(err)
	}
	defer s.Close()
	at := time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC)
	list := []*inbox.Arrival{
		{Receipt: inbox.Receipt{Success: true, ID: "00000001", Agent: agent, Session: session, Outcome: inbox.Grown, Size: 48_211, Figures: figures()}, At: at, Wire: 5_000, Bytes: 48_211, Was: inbox.Grown, Status: 200, Took: time.Second},
		{Receipt: inbox.Receipt{ID: "00000002", Agent: agent, Session: "short", Outcome: inbox.Refused, Code: "shorter", Error: "the stored session goes on"}, At: at.Add(time.Minute), Wire: 9, Bytes: 9, Status: 409},
	}
	if err := s.PutIngests(b.t.Context(), list); err != nil {
		b.t.Fatal(err)
	}
}

func figures() *inbox.Figures {
	return &inbox.Figures{Lines: session.Counts{Read: 96, Skipped: 4, Bad: 1}, Messages: inbox.MessageFigures{New: 12, Total: 91}, Problems: []session.Issue{}}
}

// TestLedgerOfUploads checks what is told of what was sent: the newest first, also what
// was refused, and nothing that a terminal obeys.
func TestLedgerOfUploads(t *testing.T) {
	b := newBench(t)
	b.ok("import", b.file("a.jsonl", `{"role":"user","content":"hi"}`+"\n"))
	if code := b.run("ledger", "--uploads"); code != exitDone || !strings.Contains(b.stderr.String(), "winnow serve") {
		t.Errorf("%d %s", code, b.stderr.String())
	}
	b.uploaded("lap\x1b[2Jtop", "fix")
	out := b.ok("ledger", "--uploads")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3 || !strings.Contains(lines[1], "refused") || !strings.Contains(lines[1], "the stored session goes on") ||
		!strings.HasPrefix(lines[2], "2026-05-03 10:00  00000001  ") || !strings.Contains(lines[2], "48,211  grown    ") || !strings.Contains(lines[2], "  101        4    1       +12       0") {
		t.Errorf("prints\n%s", out)
	}
	if strings.Contains(out, "\x1b") {
		t.Errorf("prints %q", out)
	}
	var row tell.Upload
	out = b.ok("ledger", "--uploads", "--limit", "1", "--json")
	if err := json.Unmarshal([]byte(out), &row); err != nil || row.ID != "00000002" || row.Success || row.Status != 409 || row.Wire != 9 {
		t.Errorf("%v, %s", err, out)
	}
	for _, args := range [][]string{{"--limit", "1"}, {"--uploads", "--lines"}, {"--uploads", "--limit", "-1"}} {
		if code := b.run(append([]string{"ledger"}, args...)...); code != exitUsage {
			t.Errorf("%v: exit status %d", args, code)
		}
		if said := b.stderr.String(); strings.Contains(said, "--lines") != slices.Contains(args, "--lines") {
			t.Errorf("%v: says %s", args, said)
		}
	}
}

// TestLedgerOfUploadsIsNarrow checks that a long name does not push what is beside it away.
func TestLedgerOfUploadsIsNarrow(t *testing.T) {
	b := newBench(t)
	b.ok("import", b.file("a.jsonl", `{"role":"user","content":"hi"}`+"\n"))
	long := strings.Repeat("n", 128)
	b.uploaded(long, long)
	out := b.ok("ledger", "--uploads")
	if cut := strings.Repeat("n", 23) + "…"; strings.Contains(out, strings.Repeat("n", 24)) || !strings.Contains(out, cut+"  "+cut+"  ") {
		t.Errorf("prints\n%s", out)
	}
}
