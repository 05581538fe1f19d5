package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/cmd/winnow/print"
	"winnow/core/llm/llmtest"
	"winnow/core/review"
	training "winnow/core/train/work"
	"winnow/tui/work"
)

// leaseVariable says how long the leases of a hasty winnow last.
const leaseVariable = "WINNOW_TEST_LEASE"

// hasty is a winnow whose leases are short.
func hasty() {
	env := processEnvironment("")
	env.lease, _ = time.ParseDuration(os.Getenv(leaseVariable))
	env.start = func(log string, args ...string) (<-chan error, error) { // as who it is called
		return training.Spawn(log, append([]string{os.Args[0]}, args...)...)
	}
	process(env)
}

// cycleBench has a database with sessions, and a model that may be asked.
type cycleBench struct {
	*bench
	db     string
	server *llmtest.Server
}

// newCycleBench returns one whose leases last for a while.
func newCycleBench(t *testing.T, lease time.Duration, sessions int, replies ...llmtest.Reply) *cycleBench {
	t.Helper()
	b := newBench(t)
	b.env.now, b.env.lease, b.vars[leaseVariable] = time.Now, lease, lease.String()
	c := &cycleBench{b, filepath.Join(b.vars["HOME"], "w.db"), llmtest.Start(t, replies...)}
	b.vars["WINNOW_DB"], b.vars["WINNOW_RUN_QUIET"] = c.db, "0s"
	b.vars["WINNOW_LLM_BASE_URL"], b.vars["WINNOW_LLM_MODEL"], b.vars["WINNOW_LLM_RETRIES"] = c.server.URL, "tiny", "0"
	for i := range sessions {
		b.file(fmt.Sprintf("in/%03d.jsonl", i), strings.ReplaceAll(taskSession(), "shelf", fmt.Sprintf("shelf %03d", i)))
	}
	b.ok("import", filepath.Join(b.vars["HOME"], "in"))
	b.ok("run", "--steps", "score", "--allow", strings.TrimSuffix(strings.TrimPrefix(c.server.URL, "http://"), "/v1"))
	return c
}

// process is "winnow run" in a process of its own, with the same leases.
func (c *cycleBench) process(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{"run", "--json"}, args...)...)
	cmd.Args[0] = "hasty"
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=50")
	for name, value := range c.vars {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// step returns a step of a cycle that was printed.
func (c *cycleBench) step(out []byte, name string) (s struct {
	Status, Note       string
	Todo, Done, Failed int
}) {
	c.t.Helper()
	var cycle struct {
		Steps []json.RawMessage `json:"steps"`
	}
	if err := json.Unmarshal(out, &cycle); err != nil {
		c.t.Fatalf("%v: %s", err, out)
	}
	for _, raw := range cycle.Steps {
		var named struct{ Step string }
		if json.Unmarshal(raw, &named) == nil && named.Step == name {
			if err := json.Unmarshal(raw, &s); err != nil {
				c.t.Fatal(err)
			}
		}
	}
	return s
}

// askedOnce checks that the model saw each of some texts, and none twice.
func (c *cycleBench) askedOnce(want int) {
	c.t.Helper()
	seen := map[string]bool{}
	for _, q := range c.server.Requests() {
		if seen[q.User()] {
			c.t.Errorf("asked twice: %.80s", q.User())
		}
		seen[q.User()] = true
	}
	if len(seen) != want {
		c.t.Errorf("%d texts were asked about, want %d", len(seen), want)
	}
}

// TestTwoRunsAndAScreenAskOnce: two programs that run and the work of a screen on the same
// sessions have the model see each once.
func TestTwoRunsAndAScreenAskOnce(t *testing.T) {
	const sessions = 200
	c := newCycleBench(t, 6*time.Second, sessions)
	p := &cli{env: c.env, out: print.New(c.env.stdout, false, 0)}
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			if out, err := c.process().Output(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	err := p.withDatabase(t.Context(), false, func(s *database) error {
		cuts, _ := onScreen(t, p, s, "auto")
		_, err := runBehind(t, cuts, true)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	wait.Wait()
	c.askedOnce(sessions)
	if n := len(c.listed("")); n != 3*sessions {
		t.Errorf("%d segments", n)
	}
	c.ok("doctor")
}

// TestAKilledRunIsTakenOver: a program that is killed while the model is asked leaves a
// lease, which another one takes once it is over.
func TestAKilledRunIsTakenOver(t *testing.T) {
	const lease = 2 * time.Second
	c := newCycleBench(t, lease, 3, llmtest.Hang())
	first := c.process()
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(20 * time.Second); c.server.Count() == 0 && time.Now().Before(end); {
		<-look.C
	}
	out, err := c.process().Output()
	if s := c.step(out, "segment"); err != nil || s.Status != "skipped" || !strings.Contains(s.Note, fmt.Sprintf("winnow run, pid %d, is at it", first.Process.Pid)) {
		t.Errorf("while it runs: %+v, %v", s, err)
	}
	if !strings.Contains(c.ok("jobs"), fmt.Sprintf("winnow run, pid %d, running", first.Process.Pid)) {
		t.Errorf("jobs: %s", c.stdout.String())
	}
	_ = first.Process.Kill()
	_ = first.Wait()
	killed := time.Now()
	c.server.Script(llmtest.Segmented())
	for s := c.step(out, "segment"); s.Status == "skipped"; s = c.step(out, "segment") {
		if time.Since(killed) > 10*lease {
			t.Fatal("nobody takes it over")
		}
		if out, err = c.process().Output(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if s := c.step(out, "segment"); s.Status != "done" || s.Done != 3 {
		t.Errorf("%+v", s)
	}
	if taken := time.Since(killed); taken > 5*lease { // a lease, and what two programs need to start
		t.Errorf("taken over after %s", taken)
	}
	if text := c.ok("jobs", "--limit", "100"); strings.Contains(text, ", running") || !strings.Contains(text, "the program ended before this was done") && !strings.Contains(text, ", ended without a word") {
		t.Errorf("jobs: %s", text)
	}
}

// TestOneThatAlwaysFails is tried five times in three days, while all others are done at
// once; the model down counts for nobody.
func TestOneThatAlwaysFails(t *testing.T) {
	tries := 0
	var mu sync.Mutex
	c := newCycleBench(t, 0, 5, llmtest.Func(func(q llmtest.Request) llmtest.Reply {
		if strings.Contains(q.User(), "shelf 003") {
			mu.Lock()
			defer mu.Unlock()
			tries++
			return llmtest.Answer("no list")
		}
		return llmtest.Answer(llmtest.Segments(q.User()))
	}))
	now := time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)
	c.env.now = func() time.Time { return now }
	url := c.vars["WINNOW_LLM_BASE_URL"]
	c.vars["WINNOW_LLM_BASE_URL"] = "http://127.0.0.1:1/v1"
	if code := c.run("run", "--allow", "127.0.0.1:1"); code != exitFailed || !strings.Contains(c.stdout.String(), "segment  waiting, 0 of 5: ") {
		t.Errorf("exit status %d: %s", code, c.stdout.String())
	}
	if strings.Contains(c.ok("jobs"), "failed") {
		t.Errorf("without a model: %s", c.stdout.String())
	}
	c.vars["WINNOW_LLM_BASE_URL"] = url
	for hour := 0; hour < 72; hour += 2 {
		switch code := c.run("run"); {
		case hour == 0 && code != exitPartly:
			t.Errorf("exit status %d: %s", code, c.stdout.String())
		case hour == 0 && !(strings.Contains(c.stdout.String(), "segment  partly, 4 of 5, ") && strings.Contains(c.stdout.String(), ": 1 session: model")):
			t.Errorf("%s", c.stdout.String())
		case code != exitDone && code != exitPartly && code != exitFailed:
			t.Errorf("exit status %d: %s", code, c.stdout.String())
		}
		now = now.Add(2 * time.Hour)
	}
	if tries != 2*5 { // each time it is shown its mistake
		t.Errorf("asked %d times", tries)
	}
	if text := c.ok("jobs"); !strings.Contains(text, "tried 5 times, not before something changes, or --retry") {
		t.Errorf("%s", text)
	}
	uncut := 0
	for _, s := range c.listed("") {
		if s.CutBy == review.CutProvisional {
			uncut++
		}
	}
	if uncut == 0 {
		t.Error("the one that fails is cut")
	}
}

// TestAScreenWaitsForARun: its work says who is at it, and how far, and does what is left.
func TestAScreenWaitsForARun(t *testing.T) {
	c := newCycleBench(t, 2*time.Second, 3)
	p := &cli{env: c.env, out: print.New(c.env.stdout, false, 0)}
	err := p.withDatabase(t.Context(), false, func(s *database) error {
		cuts, _ := onScreen(t, p, s, "auto")
		other := p.desk(s).Keeper("winnow run")
		said, given := make(chan string), make(chan error)
		go func() {
			given <- other.Hold(t.Context(), "segment", func(context.Context, string) error {
				if text, ok := <-said; !ok || text != other.Holder {
					t.Errorf("it says %q", text)
				}
				if n := c.server.Count(); n > 0 {
					t.Errorf("%d requests meanwhile", n)
				}
				return nil
			})
		}()
		for list, err := s.Leases(t.Context()); len(list) == 0; list, err = s.Leases(t.Context()) {
			if err != nil {
				return err
			}
		}
		err := cuts.Do(t.Context(), true, func(pr work.Progress) {
			if pr.Note != "" && pr.AllSessions == 0 {
				select {
				case said <- pr.Note:
				default:
				}
			}
		})
		close(said)
		return errors.Join(err, <-given)
	})
	if err != nil {
		t.Fatal(err)
	}
	c.askedOnce(3)
}

// TestAtWorkIsTheCommand: who waits is told the command that is at work, which exists.
func TestAtWorkIsTheCommand(t *testing.T) {
	c := newCycleBench(t, 0, 1, llmtest.Hang())
	c.ok("segment", "--by", "offline")
	cmd := c.process()
	cmd.Args = []string{"hasty", "score", "--by", "llm"}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(20 * time.Second); c.server.Count() == 0 && time.Now().Before(end); {
		<-look.C
	}
	if out := c.ok("jobs"); !strings.Contains(out, fmt.Sprintf("winnow score, pid %d", cmd.Process.Pid)) {
		t.Errorf("%s", out)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}
