//go:build unix

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"winnow/core/llm/llmtest"
)

// TestServeRuns: a server that runs cycles cuts and measures what came, a run beside it
// leaves the inbox to it, and it ends in good order.
func TestServeRuns(t *testing.T) {
	v := &victim{t, build(t), filepath.Join(t.TempDir(), "w.db"), ""}
	t.Setenv("WINNOW_RUN_QUIET", "0s")
	s := v.serve("--run", "1s")
	if status, answer := s.ask(http.MethodPost, "/ingest?agent_id=laptop&session=s", []byte(taskSession())); status != http.StatusOK {
		t.Fatalf("%d: %s", status, answer)
	}
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(20 * time.Second); !strings.Contains(string(v.run("list", "--json")), `"cut_by":"offline"`); <-look.C {
		if time.Now().After(end) {
			t.Fatalf("not cut: %s", v.run("jobs"))
		}
	}
	if out := string(v.run("run", "--steps", "import")); !strings.Contains(out, "import   skipped: winnow serve is at it") {
		t.Errorf("beside it: %s", out)
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if out := string(v.run("jobs", "--limit", "100")); !strings.Contains(out, "winnow serve, pid ") || !strings.Contains(out, "segment  done, 1") || strings.Contains(out, ", running") || strings.Contains(out, "without a word") {
		t.Errorf("%s", out)
	}
}

// TestEveryEndsInGoodOrder: "run --every" does cycles until it is told to end, which is no
// failure, also in the middle of one.
func TestEveryEndsInGoodOrder(t *testing.T) {
	c := newCycleBench(t, 0, 1, llmtest.Hang())
	cmd := c.process("--every", "1s", "--steps", "score,segment", "--quiet")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(20 * time.Second); c.server.Count() == 0 && time.Now().Before(end); {
		<-look.C
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if out := c.ok("jobs"); !strings.Contains(out, "segment  waiting, 0 of 1: stopped: the next cycle goes on from there") || strings.Contains(out, "is at it") {
		t.Errorf("%s", out)
	}
	cmd = c.process("--steps", "segment")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); c.server.Count() == 1 && time.Now().Before(end); {
		<-look.C
	}
	_ = cmd.Process.Signal(os.Interrupt)
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("exit status %d", cmd.ProcessState.ExitCode())
	}
}
