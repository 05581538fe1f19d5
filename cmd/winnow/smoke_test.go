//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// patience is how long a test waits for something to appear on the screen:
// much longer than it takes, because machines that test are busy.
const patience = 60 * time.Second

// pane is the built program in a real terminal of 80×24.
type pane struct {
	t      *testing.T
	socket string
}

// startPane runs a command line in a terminal; ok is false where tmux is not
// installed.
func startPane(t *testing.T, home, command string) (p *pane, ok bool) {
	if _, err := exec.LookPath("tmux"); err != nil {
		return nil, false
	}
	p = &pane{t, filepath.Join(home, "tmux")}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", p.socket, "kill-server").Run() })
	// The last command keeps what was printed on the screen.
	shell := fmt.Sprintf("env -i HOME=%s TMPDIR=%s PATH=%s TERM=screen-256color LANG=C.UTF-8 USER=ann %s; echo left with $?; cat",
		home, home, os.Getenv("PATH"), command)
	conf := filepath.Join(home, "tmux.conf")
	if err := os.WriteFile(conf, []byte("set -g set-clipboard on\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.tmux("-u", "-f", conf, "new-session", "-d", "-x", "80", "-y", "24", shell)
	return p, true
}

func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %s: %v: %s", args[0], err, out)
	}
	return string(out)
}

func (p *pane) keys(keys ...string) {
	p.t.Helper()
	p.tmux(append([]string{"send-keys"}, keys...)...)
}

// wait returns the screen once it shows all texts.
func (p *pane) wait(texts ...string) string {
	p.t.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	deadline := time.After(patience)
	screen := ""
	for {
		select {
		case <-deadline:
			p.t.Fatalf("no %q on the screen:\n%s", texts, screen)
		case <-look.C:
		}
		screen = p.tmux("capture-pane", "-p")
		if containsAll(screen, texts) {
			return screen
		}
	}
}

func containsAll(s string, texts []string) bool {
	for _, text := range texts {
		if !strings.Contains(s, text) {
			return false
		}
	}
	return true
}

// TestSmokeScreen gives a verdict in the real program, in a real terminal, and
// finds it in the journal; hostile text shows, without its effects.
func TestSmokeScreen(t *testing.T) {
	b := newBench(t)
	home := b.vars["HOME"]
	bin := build(t)
	path := b.file("hostile.jsonl", hostileSession)
	p, ok := startPane(t, home, bin+" "+path)
	if !ok {
		return
	}
	p.wait("winnow", "Clean the build", "approve")
	p.keys("Enter", "Z", "G")    // all of it, and its end
	p.wait("still here", "␛]0;") // after CSI 2J it would not be there
	if title := p.tmux("display-message", "-p", "#{pane_title}"); strings.Contains(title, "owned") {
		t.Errorf("recorded text set the title to %q", title)
	}
	if copied := p.tmux("list-buffers"); copied != "" {
		t.Errorf("recorded text reached the clipboard: %q", copied)
	}
	p.keys("a")
	p.wait("✓ 1")
	b.ok("undo") // by another winnow, while the screen is open
	p.wait("✓ 0")
	b.ok("redo")
	p.wait("✓ 1")
	p.keys("?")
	p.wait("change the message") // of the keys
	p.keys("q")
	p.keys("q", "q", "q")
	p.wait("left with 0")

	if out := b.ok("log"); !strings.Contains(out, "pending → approved") {
		t.Errorf("winnow log does not show the verdict:\n%s", out)
	}
	b.ok("undo")
	if out := b.ok("stats"); !strings.Contains(out, " 0%") {
		t.Errorf("after undo:\n%s", out)
	}
	b.ok("redo")
	if out := b.ok("stats"); !strings.Contains(out, "100%") {
		t.Errorf("after undo and redo:\n%s", out)
	}
}

// TestSmokeLeftOut: what the import in the background left out is told when the
// screen is closed, and the exit status is 0: somebody looked at it.
func TestSmokeLeftOut(t *testing.T) {
	b := newBench(t)
	b.file("sets/good.jsonl", twoLines)
	sets := filepath.Dir(b.file("sets/recipes.jsonl", `{"dish":"soup"}`+"\n"))
	p, ok := startPane(t, b.vars["HOME"], build(t)+" "+sets)
	if !ok {
		return
	}
	p.wait("import done")
	p.keys("q", "q", "q")
	p.wait("left with 0", "winnow: import: 1 file gave no session: winnow ledger shows them")
}

// TestSmokeDemo opens the demo and leaves it; nothing of it stays.
func TestSmokeDemo(t *testing.T) {
	b := newBench(t)
	home := b.vars["HOME"]
	p, ok := startPane(t, home, build(t)+" demo")
	if !ok {
		return
	}
	p.wait("sample sessions", " segments", "approve")
	p.keys("j", "a")
	p.wait("✓ 1")
	p.keys("C-c")
	p.wait("left with")
	if left, err := filepath.Glob(filepath.Join(home, "winnow-demo-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestSmokeBlind: with names hidden no screen tells the model of a session, neither the
// list, nor the reader, statistics or the line of the filter, which may tell it.
func TestSmokeBlind(t *testing.T) {
	b := newBench(t)
	b.ok("import", b.file("s.jsonl", `{"role":"user","content":"Say it"}`+"\n"+`{"role":"assistant","model":"zorblax-9","content":"Said."}`+"\n"))
	p, ok := startPane(t, b.vars["HOME"], build(t)+" review --blind --filter model:zorblax-9")
	if !ok {
		return
	}
	for _, c := range [][2]string{{"", "model:hidden"}, {"S", "statistics"}, {"G", "Formats"}, {"q", "approve"}, {"/", "takes its place"}, {"Escape", "approve"}, {"Enter", "Said."}, {"i", "model:hidden"}} {
		if c[0] != "" {
			p.keys(c[0])
		}
		if screen := p.wait(c[1]); strings.Contains(screen, "zorblax") {
			t.Errorf("after %q:\n%s", c[0], screen)
		}
	}
}

const hostileSession = `{"role":"user","content":"Clean the build"}
{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"terminal","arguments":"{\"command\":\"make clean\"}"}}]}
{"role":"tool","tool_call_id":"c1","content":"still here \u001b]0;owned\u0007\u001b[2J\u001b[H not gone \u001b]52;c;aGk=\u0007 \u009b31m \u202e \u001b]0;owned"}
{"role":"assistant","content":"Done."}
`
