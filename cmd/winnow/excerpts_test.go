package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/print"
	"winnow/core/ledger"
	"winnow/core/session"
)

// issuesOf imports a file and returns its ledger, from the database the screen
// would ask.
func (b *bench) issuesOf(path string) (l desk.Ledger, source int64, issues []ledger.Issue) {
	b.t.Helper()
	b.run("import", path)
	p := &cli{env: b.env, out: print.New(b.env.stdout, b.env.stdoutTTY, b.env.width), flag: func(string) (string, bool) { return "", false }}
	ready, done := make(chan desk.Ledger), make(chan struct{})
	closed := make(chan error, 1)
	go func() {
		closed <- p.withDatabase(context.Background(), false, func(s *database) error {
			ready <- desk.Ledger{Store: s.Store}
			<-done
			return nil
		})
	}()
	l = <-ready
	b.t.Cleanup(func() {
		close(done)
		if err := <-closed; err != nil {
			b.t.Error(err)
		}
	})
	sources, err := l.LedgerSources(context.Background(), ledger.SourceQuery{Limit: 9})
	if err != nil || len(sources.Sources) != 1 {
		b.t.Fatalf("%+v, %v", sources, err)
	}
	source = sources.Sources[0].ID
	page, err := l.LedgerIssues(context.Background(), ledger.IssueQuery{Source: source, Limit: 9})
	if err != nil {
		b.t.Fatal(err)
	}
	return l, source, page.Issues
}

func (b *bench) excerpt(l desk.Ledger, source int64, is ledger.Issue) ledger.Excerpt {
	b.t.Helper()
	x, err := l.Excerpt(context.Background(), source, is)
	if err != nil {
		b.t.Fatal(err)
	}
	return x
}

// TestExcerpts: the screen gets the line that is asked for and what stands
// around it, whatever the file is packed in.
func TestExcerpts(t *testing.T) {
	giant := "giant " + strings.Repeat("0123456789", 20_000) + " end"
	text := twoLines + "nonsense\n" + giant + "\r\n" + twoLines
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := io.WriteString(z, text); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	wide := []byte{0xff, 0xfe}
	for _, r := range text {
		wide = append(wide, byte(r), byte(r>>8))
	}
	for name, content := range map[string]string{"plain": text, "gzip": packed.String(), "utf-16": string(wide)} {
		b := newBench(t)
		l, source, issues := b.issuesOf(b.file("a.jsonl", content))
		if len(issues) != 2 {
			t.Fatalf("%s: %+v", name, issues)
		}
		x := b.excerpt(l, source, issues[0])
		if x.Standing != ledger.Same || string(x.Head) != "nonsense" || x.Missing != 0 || x.Cut || !x.More ||
			!strings.HasSuffix(twoLines, string(x.Before)) || len(x.Before) < 20 || !strings.HasPrefix(string(x.After), "\ngiant 01234") {
			t.Errorf("%s: %+v", name, x)
		}
		x = b.excerpt(l, source, issues[1])
		if !strings.HasPrefix(giant, string(x.Head)) || !strings.HasSuffix(strings.TrimRight(giant, "\r"), strings.TrimRight(string(x.Tail), "\r")) ||
			len(x.Head) != 32<<10 || len(x.Tail) != 8<<10 || x.Missing != issues[1].Length-(40<<10) || x.More {
			t.Errorf("%s: %d bytes, %d left out, %d bytes %q", name, len(x.Head), x.Missing, len(x.Tail), x.Tail[max(0, len(x.Tail)-9):])
		}
		if got := strings.TrimLeft(string(x.After), "\r\n"); got != twoLines {
			t.Errorf("%s: behind it %q", name, got)
		}
	}
}

// TestLedgerLinesOfPackedSources: the command shows their bytes, too.
func TestLedgerLinesOfPackedSources(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := io.WriteString(z, twoLines+"first nonsense\n\nsecond nonsense\n"); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	b.run("import", b.file("a.jsonl.gz", packed.String()))
	got := b.ok("ledger", "--lines")
	for _, want := range []string{"a.jsonl.gz:3 (byte 119) bad: not JSON\n    first nonsense\n", "a.jsonl.gz:5 (byte 135) bad: not JSON\n    second nonsense\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

// TestExcerptsOfFilesThatChanged: bytes that are not those of the import are
// not shown as if they were.
func TestExcerptsOfFilesThatChanged(t *testing.T) {
	b := newBench(t)
	path := b.file("a.jsonl", twoLines+"nonsense\n{\"unfinished")
	l, source, issues := b.issuesOf(path)
	if len(issues) != 2 || issues[1].Severity != session.Pending {
		t.Fatalf("%+v", issues)
	}
	later := time.Now().Add(time.Hour)
	write := func(text string) {
		b.file("a.jsonl", text)
		if err := os.Chtimes(path, later, later); err != nil {
			t.Fatal(err)
		}
	}
	write(twoLines + "nonsense\n{\"unfinished\":1}\n")
	if x := b.excerpt(l, source, issues[0]); x.Standing != ledger.Same || string(x.Head) != "nonsense" {
		t.Errorf("grown: %+v", x)
	}
	if x := b.excerpt(l, source, issues[1]); x.Standing != ledger.Touched || string(x.Head) != "{\"unfinished" {
		t.Errorf("grown, at the end: %+v", x)
	}
	write(strings.ToUpper(twoLines) + "nonsense\n{\"unfinished")
	if x := b.excerpt(l, source, issues[0]); x.Standing != ledger.Rewritten || x.Head != nil {
		t.Errorf("rewritten: %+v", x)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if x := b.excerpt(l, source, issues[0]); x.Standing != ledger.Gone || x.Head != nil {
		t.Errorf("removed: %+v", x)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if x := b.excerpt(l, source, issues[0]); x.Standing != ledger.Gone {
		t.Errorf("a folder: %+v", x)
	}
}

// TestExcerptsCanBeGivenUp: decoding up to a place may take long.
func TestExcerptsCanBeGivenUp(t *testing.T) {
	b := newBench(t)
	l, source, issues := b.issuesOf(b.file("a.jsonl", twoLines+"nonsense\n"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.Excerpt(ctx, source, issues[0]); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
