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
	path   string
	id     string   // of its session
	said   []string // as it is in the file
	least  int      // how many of them are acknowledged
	stored int      // how many are imported
	now    []placed // as it is acknowledged
}

// placed is a message where it stands.
type placed struct {
	N       int    `json:"n"`
	Part    int    `json:"part"`
	Content string `json:"content"`
}

// edit returns the arguments of an edit by chance, and what it leaves.
func (s *editedSession) edit(r *rand.Rand, file string, text string) (args []string, want []placed) {
	at := r.IntN(len(s.now))
	want, m := slices.Clone(s.now), s.now[at]
	n := fmt.Sprint(m.N)
	if m.Part > 0 {
		n += fmt.Sprint("+", m.Part)
	}
	switch kind := r.IntN(4); {
	case kind == 3 && m.Part == 0:
		return s.squash(r, at, file, text)
	case kind == 0 && len(s.now) > 3:
		return []string{"edit", s.id, n, "--drop"}, slices.Delete(want, at, at+1)
	case kind == 1:
		for at++; at < len(want) && want[at].N == m.N; at++ {
			m.Part = want[at].Part
		}
		return []string{"edit", s.id, fmt.Sprint(m.N), "--insert", file, "--role", "user"}, slices.Insert(want, at, placed{m.N, m.Part + 1, text})
	}
	want[at].Content = text
	return []string{"edit", s.id, n, "--text", file}, want
}

// squash returns the arguments that put a message in the place of a run of recorded
// ones, the first of which is at from, and what that leaves.
func (s *editedSession) squash(r *rand.Rand, from int, file, text string) (args []string, want []placed) {
	a, b := s.now[from].N, s.now[from+r.IntN(len(s.now)-from)].N
	for _, m := range s.now {
		// What was added after the last one of the run stands after what comes now.
		if m.N < a || m.N > b || m.N == b && m.Part > 0 {
			want = append(want, m)
		}
	}
	at, part := 0, 1 // it follows what is before the run
	for at < len(want) && want[at].N < a {
		if part = 1; want[at].N == a-1 {
			part = want[at].Part + 1
		}
		at++
	}
	return []string{"edit", s.id, fmt.Sprintf("%d-%d", a, b), "--squash", file, "--role", "user"}, slices.Insert(want, at, placed{a - 1, part, text})
}

// editDone is an edit, and what it made of its session when so many of its messages
// were stored.
type editDone struct {
	of            *editedSession
	before, after []placed
	stored        int
}

// later is what stands in the session if that did then, by what was stored since.
func (d *editDone) later(then []placed) []placed {
	list := slices.Clone(then)
	for n := d.stored + 1; n <= d.of.stored; n++ {
		list = append(list, placed{N: n, Content: d.of.said[n-1]})
	}
	return list
}

// TestKilledEditsLoseNothing kills edits, undos, redos and imports of edited sessions
// with SIGKILL. What was acknowledged stands there afterwards, what was recorded is what
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
	var done, undone []editDone
	kinds, killed := map[string]int{}, 0
	for i := 0; killed < editKills && i < 20*editKills; i++ {
		s := sessions[r.IntN(len(sessions))]
		var args []string
		want := slices.Clone(s.now)
		switch kind := r.IntN(6); {
		case kind == 0:
			s.grow(t, 1+r.IntN(3))
			args = []string{"import", source}
		case kind < 3 && len(done) > 0:
			d := &done[len(done)-1]
			s, args, want = d.of, []string{"undo"}, d.later(d.before)
		case kind == 3 && len(undone) > 0:
			d := &undone[len(undone)-1]
			s, args, want = d.of, []string{"redo"}, d.later(d.after)
		default:
			file, text := filepath.Join(dir, "text"), fmt.Sprint("edited ", i)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			args, want = s.edit(r, file, text)
			if !slices.Contains(args, "--squash") {
				args = append(args, "--why", []string{"fix", "redact"}[r.IntN(2)])
			}
		}
		now := editDone{of: s, before: slices.Clone(s.now), after: want, stored: s.stored}
		after := time.Duration(r.IntN(40)) * time.Millisecond
		if !v.killAfter(after, append(args, "--reviewer", "ann")...) {
			s.now = want // acknowledged
			if args[0] == "import" {
				for _, of := range sessions {
					of.least = len(of.said)
				}
			}
		} else {
			killed++
			kinds[args[0]]++
		}
		if took := s.check(v, want); took {
			switch args[0] {
			case "edit":
				done, undone = append(done, now), nil
			case "undo":
				undone, done = append(undone, done[len(done)-1]), done[:len(done)-1]
			case "redo":
				done, undone = append(done, undone[len(undone)-1]), undone[:len(undone)-1]
			}
		}
		if i%25 == 0 {
			v.run("doctor")
		}
	}
	t.Log("killed: ", kinds)
	if killed < editKills {
		t.Errorf("%d kills", killed)
	}
	v.run("import", source)
	v.run("doctor")
	for _, s := range sessions {
		s.least = len(s.said)
		s.check(v, s.now)
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
	s.check(v, nil)
	if s.id == "" || len(s.now) != len(s.said) {
		v.t.Fatalf("%s holds %v", s.path, s.now)
	}
}

// messages are what stands in the session.
func (s *editedSession) messages(v *victim, args ...string) []placed {
	v.t.Helper()
	var row struct {
		Messages []placed `json:"messages"`
	}
	if err := json.Unmarshal(v.run(append([]string{"show", s.id, "--json"}, args...)...), &row); err != nil {
		v.t.Fatal(err)
	}
	return row.Messages
}

// check compares what stands in the session with what is acknowledged, and takes
// over what a killed command was to do, which it did or did not: it reports which. An
// import may have read more of the file.
func (s *editedSession) check(v *victim, want []placed) (took bool) {
	v.t.Helper()
	recorded := s.messages(v, "--recorded")
	for i, m := range recorded {
		if i >= len(s.said) || m != (placed{N: i + 1, Content: s.said[i]}) {
			v.t.Fatalf("recorded is\n%v, the file says\n%q", recorded, s.said)
		}
	}
	if len(recorded) < max(s.stored, s.least) {
		v.t.Fatalf("%d messages are recorded of %d", len(recorded), s.least)
	}
	got, more := s.messages(v), recorded[s.stored:]
	took = slices.Equal(got, slices.Concat(want, more))
	if !took && !slices.Equal(got, slices.Concat(s.now, more)) {
		v.t.Fatalf("%s says\n%v, acknowledged is\n%v or\n%v", s.path, got, s.now, want)
	}
	s.now, s.stored = got, len(recorded)
	return took
}
