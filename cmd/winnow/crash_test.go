//go:build unix

package main

import (
	"encoding/json"
	"fmt"
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

// killAt runs a command and kills it with SIGKILL as soon as size returns that
// many bytes or more. It returns false if the command ended before.
func (v *victim) killAt(cmd *exec.Cmd, bytes int64, size func() int64) bool {
	v.t.Helper()
	if err := cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	look := time.NewTicker(200 * time.Microsecond)
	defer look.Stop()
	for {
		select {
		case <-ended:
			return false
		case <-look.C:
		}
		if size() >= bytes {
			_ = cmd.Process.Signal(syscall.SIGKILL)
			<-ended
			return true
		}
	}
}

// databaseFiles are the endings of the names of a database's files.
var databaseFiles = []string{"", "-wal", "-shm"}

// written is the size of the database with its write-ahead log. It never falls
// while a program writes.
func (v *victim) written() (bytes int64) {
	for _, suffix := range databaseFiles[:2] {
		if info, err := os.Stat(v.db + suffix); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// remove deletes the database.
func (v *victim) remove() {
	for _, suffix := range databaseFiles {
		os.Remove(v.db + suffix)
	}
}

// TestKilledImportLosesNothing kills imports with SIGKILL, each when the
// database has a certain part of its size, and once more while it resumes. The
// database must then pass doctor, and a new import must end where an
// undisturbed one does.
func TestKilledImportLosesNothing(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "sessions")
	crashSources(t, source)
	bin := build(t)
	whole := &victim{t, bin, filepath.Join(dir, "whole.db"), source}
	want := whole.load()
	wantMessages, wantSessions := whole.stored()
	wantKin := whole.kin()
	if wantMessages == 0 {
		t.Fatal("nothing was imported")
	}

	within := 0
	for i := range crashKills {
		v := &victim{t, bin, filepath.Join(dir, fmt.Sprintf("crash-%d.db", i)), source}
		for range 2 {
			start := v.written()
			if !v.killAt(v.command("import", source, "--json"), start+(whole.written()-start)*int64(i+1)/(crashKills+1), v.written) {
				continue
			}
			v.run("doctor")
			if messages, _ := v.stored(); messages > 0 && messages < wantMessages {
				within++
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
		v.remove()
	}
	if within < crashKills/2 {
		t.Errorf("of %d kills, %d left a part of the messages", 2*crashKills, within)
	}
}
