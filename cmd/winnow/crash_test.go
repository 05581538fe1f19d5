//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// crashSize is the size of the source that the crash test imports;
// WINNOW_CRASH_SIZE=1GB runs it at full length.
func crashSize() string {
	if s := os.Getenv("WINNOW_CRASH_SIZE"); s != "" {
		return s
	}
	return crashFiles
}

// victim is a winnow that can be killed.
type victim struct {
	t       *testing.T
	bin, db string
	source  string
}

func (v *victim) command(args ...string) *exec.Cmd {
	cmd := exec.Command(v.bin, append([]string{"--db", v.db}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+filepath.Dir(v.db), "XDG_CONFIG_HOME="+filepath.Dir(v.db))
	return cmd
}

// run runs a command to its end and returns what it printed.
func (v *victim) run(args ...string) []byte {
	v.t.Helper()
	out, err := v.command(args...).Output()
	if err != nil {
		stderr := ""
		if e, ok := err.(*exec.ExitError); ok {
			stderr = string(e.Stderr)
		}
		v.t.Fatalf("winnow %v: %v\n%s%s", args, err, out, stderr)
	}
	return out
}

// imported is what an import reports of the sources as they then stand.
type imported struct {
	Messages int            `json:"messages"`
	Lines    map[string]int `json:"lines"`
}

func (v *victim) load() imported {
	v.t.Helper()
	var r imported
	if err := json.Unmarshal(v.run("import", v.source, "--json"), &r); err != nil {
		v.t.Fatal(err)
	}
	return r
}

// stored counts what the database holds.
func (v *victim) stored() (messages, sessions int) {
	v.t.Helper()
	var s struct {
		Messages int `json:"messages"`
		Sessions int `json:"sessions"`
	}
	if err := json.Unmarshal(v.run("stats", "--json"), &s); err != nil {
		v.t.Fatal(err)
	}
	return s.Messages, s.Sessions
}

// TestKilledImportLosesNothing kills an import with SIGKILL at random moments
// while between 1% and 99% of the messages are stored. The database must then
// pass doctor, and a new import must end where an undisturbed one does.
func TestKilledImportLosesNothing(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "sessions")
	crashSources(t, source)
	bin := build(t)
	whole := &victim{t, bin, filepath.Join(dir, "whole.db"), source}
	began := time.Now()
	want := whole.load()
	took := time.Since(began)
	wantMessages, wantSessions := whole.stored()
	wantKin := whole.kin()
	if wantMessages == 0 {
		t.Fatal("nothing was imported")
	}

	rng := rand.New(rand.NewPCG(uint64(os.Getpid()), 1))
	counted := 0
	for attempt := 0; counted < crashKills; attempt++ {
		if attempt == 10*crashKills {
			t.Fatalf("only %d of %d kills fell into a running import", counted, attempt)
		}
		v := &victim{t, bin, filepath.Join(dir, fmt.Sprintf("crash-%d.db", attempt)), source}
		// A killed import is killed again while it resumes.
		for kill := range 2 {
			cmd := v.command("import", source, "--json")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			moment := time.AfterFunc(time.Duration(rng.Int64N(int64(took))), func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
			_ = cmd.Wait()
			moment.Stop()
			if kill == 0 {
				if _, err := os.Stat(v.db); err != nil {
					break
				}
			}
			v.run("doctor")
			if messages, _ := v.stored(); messages*100 >= wantMessages && messages*100 <= 99*wantMessages {
				counted++
			}
		}
		if got := v.load(); got.Messages != want.Messages || fmt.Sprint(got.Lines) != fmt.Sprint(want.Lines) {
			t.Fatalf("after a kill: %+v, undisturbed: %+v", got, want)
		}
		v.run("doctor")
		if messages, sessions := v.stored(); messages != wantMessages || sessions != wantSessions {
			t.Fatalf("after a kill: %d messages in %d sessions, undisturbed: %d in %d", messages, sessions, wantMessages, wantSessions)
		}
		if got := v.kin(); got != wantKin {
			t.Fatalf("after a kill, sessions are\n%s\nundisturbed\n%s", got, wantKin)
		}
		for _, f := range []string{"", "-wal", "-shm"} {
			os.Remove(v.db + f)
		}
	}
}
