//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// editedSession is a session of a file that grows, and what is known to stand in it.
type editedSession struct {
	path string
	id   string   // of its session
	said []string // as it is in the file
	now  []string // as it is acknowledged
}

// TestKilledEditsLoseNothing kills edits, undos and imports of edited sessions with
// SIGKILL. What was acknowledged stands there afterwards, what was recorded is what
// the files say, and the doctor finds nothing.
func TestKilledEditsLoseNothing(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "sessions")
	if err := os.Mkdir(source, 0o700); err != nil {
		t.Fatal(err)
	}
	v := &victim{t, build(t), filepath.Join(dir, "w.db"), source}
	r := rand.New(rand.NewPCG(3, 4))
	sessions := make([]*editedSession, 3)
	for i := range sessions {
		sessions[i] = &editedSession{path: filepath.Join(source, fmt.Sprintf("s%d.jsonl", i))}
		sessions[i].grow(t, 6)
	}
	v.run("import", source)
	for _, s := range sessions {
		s.find(v)
	}
	killed := 0
	for i := 0; killed < editKills && i < 20*editKills; i++ {
		s := sessions[r.IntN(len(sessions))]
		var args []string
		want := slices.Clone(s.now)
		switch r.IntN(3) {
		case 0, 1:
			n := r.IntN(len(s.now))
			want[n] = fmt.Sprint("edited ", i)
			text := filepath.Join(dir, "text")
			if err := os.WriteFile(text, []byte(want[n]), 0o600); err != nil {
				t.Fatal(err)
			}
			args = []string{"edit", s.id, fmt.Sprint(n + 1), "--text", text, "--reviewer", "ann", "--why", []string{"fix", "redact"}[r.IntN(2)]}
		case 2:
			s.grow(t, 1+r.IntN(3))
			want = append(want, s.said[len(want):]...)
			args = []string{"import", source}
		}
		after := time.Duration(r.IntN(40)) * time.Millisecond
		if !v.killAfter(after, args...) {
			s.now = want // acknowledged
		} else {
			killed++
		}
		s.check(v, want)
		if i%25 == 0 {
			v.run("doctor")
		}
	}
	if killed < editKills {
		t.Errorf("%d kills", killed)
	}
	v.run("import", source)
	v.run("doctor")
	for _, s := range sessions {
		s.now = append(s.now, s.said[len(s.now):]...)
		s.check(v, s.now)
		if got := s.texts(v, "--recorded"); !slices.Equal(got, s.said) {
			t.Errorf("recorded is\n%q, the file says\n%q", got, s.said)
		}
	}
}

// killAfter runs a command, and kills it after some time. It reports whether that
// was before its end.
func (v *victim) killAfter(d time.Duration, args ...string) bool {
	v.t.Helper()
	cmd := v.command(args...)
	var out strings.Builder
	cmd.Stderr = &out
	if err := cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	timer := time.AfterFunc(d, func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
	err := cmd.Wait()
	timer.Stop()
	if err != nil && cmd.ProcessState.Exited() {
		v.t.Fatalf("winnow %v: %v\n%s", args, err, out.String())
	}
	return err != nil
}

// grow adds messages to the file.
func (s *editedSession) grow(t *testing.T, n int) {
	t.Helper()
	f, err := os.OpenFile(s.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for range n {
		role := []string{"user", "assistant"}[len(s.said)%2]
		text := fmt.Sprintf("%s says %d", filepath.Base(s.path), len(s.said)+1)
		if _, err := fmt.Fprintf(f, `{"role":%q,"content":%q}`+"\n", role, text); err != nil {
			t.Fatal(err)
		}
		s.said = append(s.said, text)
	}
}

// find learns the id of the session and what stands in it.
func (s *editedSession) find(v *victim) {
	v.t.Helper()
	for line := range strings.Lines(string(v.run("sessions", "--json"))) {
		var row struct {
			ID   string `json:"id"`
			File string `json:"session_file"`
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			v.t.Fatal(err)
		}
		if filepath.Base(row.File) == filepath.Base(s.path) {
			s.id = row.ID
		}
	}
	s.now = s.texts(v)
	if s.id == "" || !slices.Equal(s.now, s.said) {
		v.t.Fatalf("%s holds %q", s.path, s.now)
	}
}

// texts are what stands in the session.
func (s *editedSession) texts(v *victim, args ...string) (texts []string) {
	v.t.Helper()
	var row struct {
		Messages []struct {
			Content string `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(v.run(append([]string{"show", s.id, "--json"}, args...)...), &row); err != nil {
		v.t.Fatal(err)
	}
	for _, m := range row.Messages {
		texts = append(texts, m.Content)
	}
	return texts
}

// check compares what stands in the session with what is acknowledged, and takes
// over what a killed command was to do, which it did or did not.
func (s *editedSession) check(v *victim, want []string) {
	v.t.Helper()
	got := s.texts(v)
	longer := func(list []string) []string { // an import may have read more of the file
		return append(slices.Clone(list), s.said[len(list):max(len(list), len(got))]...)
	}
	if !slices.Equal(got, longer(s.now)) && !slices.Equal(got, longer(want)) {
		v.t.Fatalf("%s says\n%q, acknowledged is\n%q or\n%q", s.path, got, s.now, want)
	}
	s.now = got
}
