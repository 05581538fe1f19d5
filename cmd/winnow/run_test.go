package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/cmd/winnow/config"
	"winnow/core/llm/llmtest"
)

// bench is a machine of its own for the program: a home, an environment and
// streams that can be looked at.
type bench struct {
	t              testing.TB
	env            environment
	vars           map[string]string
	stdout, stderr bytes.Buffer
}

func newBench(t testing.TB) *bench {
	b := &bench{t: t, vars: map[string]string{"HOME": t.TempDir(), "USER": "ann", "TERM": "xterm"}}
	b.env = environment{
		stdin: strings.NewReader(""),
		Env: config.Env{
			Lookup: func(name string) (string, bool) { v, ok := b.vars[name]; return v, ok },
			GOOS:   "linux",
			User:   func() string { return "" },
		},
		dir:  func() (string, error) { return b.vars["HOME"], nil },
		now:  func() time.Time { return time.Date(2026, 5, 3, 12, 4, 0, 0, time.UTC) },
		zone: time.UTC,
		rand: rand.Reader,
	}
	return b
}

// run runs a command line and returns the exit status.
func (b *bench) run(args ...string) int {
	b.t.Helper()
	b.stdout.Reset()
	b.stderr.Reset()
	env := b.env
	env.args, env.stdout, env.stderr = args, &b.stdout, &b.stderr
	return run(context.Background(), env)
}

// ok runs a command line that must succeed and returns its output.
func (b *bench) ok(args ...string) string {
	b.t.Helper()
	if len(args) > 0 && args[0] == "import" && !slices.Contains(args, "--db") {
		b.empty()
	}
	if code := b.run(args...); code != exitDone {
		b.t.Fatalf("winnow %s: exit status %d: %s", strings.Join(args, " "), code, b.stderr.String())
	}
	return b.stdout.String()
}

// empty makes the database where there is none, for a command that would.
func (b *bench) empty() {
	b.t.Helper()
	path := filepath.Join(b.vars["HOME"], ".local", "share", "winnow", "winnow.db")
	if _, err := os.Stat(path); err == nil || b.vars["XDG_DATA_HOME"] != "" {
		return
	}
	data, err := emptyDatabase()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// file writes a file in the home folder and returns its path.
func (b *bench) file(name, content string) string {
	b.t.Helper()
	path := filepath.Join(b.vars["HOME"], name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
	return path
}

const twoLines = `{"role":"user","content":"esc \u001b]0;x\u0007 c1 \u009b31m bidi \u202e 你好"}
{"role":"assistant","content":"done"}
`

// TestScreenNeedsTerminal: every way to be without a terminal ends with a
// message and status 2.
func TestScreenNeedsTerminal(t *testing.T) {
	for name, change := range map[string]func(*bench){
		"no output": func(b *bench) { b.env.stdinTTY = true },
		"no input":  func(b *bench) { b.env.stdoutTTY = true },
		"dumb":      func(b *bench) { b.env.stdinTTY, b.env.stdoutTTY, b.vars["TERM"] = true, true, "dumb" },
	} {
		b := newBench(t)
		change(b)
		if code := b.run(); code != exitUsage || !strings.Contains(b.stderr.String(), "no terminal to draw on") {
			t.Errorf("%s: exit status %d, %s", name, code, b.stderr.String())
		}
	}
}

// TestStoppedImport: an import that is stopped says how to go on.
func TestStoppedImport(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	env := b.env
	env.args, env.stdout, env.stderr = []string{"import", b.file("a.jsonl", twoLines)}, &b.stdout, &b.stderr
	if code := run(ctx, env); code != exitInterrupted {
		t.Errorf("exit status %d, want %d: %s", code, exitInterrupted, b.stderr.String())
	}
	b.ok("import", b.file("a.jsonl", twoLines))
}

// TestStoppedStandardInput: waiting for standard input can be stopped too.
func TestStoppedStandardInput(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithCancel(context.Background())
	env := b.env
	env.args, env.stdout, env.stderr = []string{"import", "-"}, &b.stdout, &b.stderr
	env.stdin = stuck{cancel}
	if code := run(ctx, env); code != exitInterrupted {
		t.Errorf("exit status %d, want %d: %s", code, exitInterrupted, b.stderr.String())
	}
}

// stuck is an input that is interrupted and then gives nothing for ever.
type stuck struct{ interrupt func() }

func (s stuck) Read([]byte) (int, error) {
	s.interrupt()
	select {}
}

// TestFlagsTurnOff: a flag can take back what the environment says.
func TestFlagsTurnOff(t *testing.T) {
	b := newBench(t)
	b.vars["WINNOW_ASCII"] = "true"
	if out := b.ok("config", "--ascii=false"); !strings.Contains(out, "--ascii") {
		t.Errorf("--ascii=false does not win:\n%s", out)
	}
}

// TestFullOutput: an output that cannot be written is a failure, not silence.
func TestFullOutput(t *testing.T) {
	b := newBench(t)
	env := b.env
	env.args, env.stdout, env.stderr = []string{"version"}, fullDisk{}, &b.stderr
	if code := run(context.Background(), env); code != exitFailed || !strings.Contains(b.stderr.String(), "writing the output") {
		t.Errorf("exit status %d, %s", code, b.stderr.String())
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, os.ErrClosed }

// TestStoppedSegment: ctrl+c ends cutting, even while a model is thinking; what
// is done stays, and the next run goes on.
func TestStoppedSegment(t *testing.T) {
	for _, args := range [][]string{{"segment"}, {"segment", "--again"}} {
		b := newBench(t)
		ctx, cancel := context.WithCancel(context.Background())
		server := llmtest.Start(t, llmtest.Segmented(), llmtest.Func(func(llmtest.Request) llmtest.Reply {
			cancel()
			return llmtest.Hang()
		}))
		b.vars["WINNOW_LLM_BASE_URL"], b.vars["WINNOW_LLM_MODEL"], b.vars["WINNOW_LLM_CONCURRENCY"] = server.URL, "tiny", "1"
		b.ok("import", b.file("a.jsonl", strings.Repeat(twoLines, 3)), b.file("b.jsonl", strings.Repeat(twoLines, 4)))
		env := b.env
		env.args, env.stdout, env.stderr = args, &b.stdout, &b.stderr
		if code := run(ctx, env); code != exitInterrupted || !strings.Contains(b.stderr.String(), "stopped: what is cut so far stays") {
			t.Errorf("%v: exit status %d: %s", args, code, b.stderr.String())
		}
		if out := b.ok("sessions", "--json"); strings.Count(out, `"segmented":true`) != 1 || server.Count() != 2 {
			t.Errorf("%v: %d requests, then %s", args, server.Count(), out)
		}
		server.Script(llmtest.Segmented())
		if out := b.ok("segment"); !strings.HasPrefix(out, "1 session cut into 1 segment by tiny at 127.0.0.1:") {
			t.Errorf("the next run: %s", out)
		}
	}
}

// TestSegmentProgress: on a terminal a line shows how far cutting is, and goes
// away again.
func TestSegmentProgress(t *testing.T) {
	b := newBench(t)
	b.env.stderrTTY = true
	b.ok("import", b.file("a.jsonl", strings.Repeat(twoLines, 3)))
	b.ok("segment")
	if out := b.stderr.String(); !strings.Contains(out, "0 of 1 session, 0 of ") || !strings.HasSuffix(out, "\r\x1b[K") {
		t.Errorf("%q", out)
	}
}

func lookupOf(env map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := env[name]
		return v, ok
	}
}
