//go:build unix

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"winnow/store"
)

// searchable returns how many messages can be found, of all.
func (v *victim) searchable() (done, all int64) {
	v.t.Helper()
	s, err := store.Open(v.t.Context(), v.db, store.Options{})
	if err != nil {
		v.t.Fatal(err)
	}
	if done, all, err = s.IndexedShare(v.t.Context()); err != nil {
		v.t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		v.t.Fatal(err)
	}
	return done, all
}

// TestKilledFillingLosesNothing kills a search with SIGKILL at random moments
// while it fills the text index. The database must then pass doctor with at
// least as much in the index as before, and the next search must find what an
// undisturbed one finds.
func TestKilledFillingLosesNothing(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "sessions")
	if out, err := exec.Command(install(t, "trajgen", trajgenProgram), "-o", source, "--size", crashLines, "--seed", "9").CombinedOutput(); err != nil {
		t.Fatalf("trajgen: %v\n%s", err, out)
	}
	v := &victim{t, build(t), filepath.Join(dir, "w.db"), source}
	v.load()
	imported, err := os.ReadFile(v.db)
	if err != nil {
		t.Fatal(err)
	}
	search := []string{"list", "--json", "--filter", `file "no such file"`}
	began := time.Now()
	want := v.run(search...)
	took := time.Since(began)
	if len(want) == 0 {
		t.Fatal("nothing was found")
	}

	rng := rand.New(rand.NewPCG(uint64(os.Getpid()), 2))
	within := 0
	for attempt := 0; within < max(crashKills/4, 2); attempt++ {
		if attempt == 10*crashKills {
			t.Fatalf("only %d of %d kills fell into the filling", within, 2*attempt)
		}
		if err := os.WriteFile(v.db, imported, 0o600); err != nil {
			t.Fatal(err)
		}
		before := int64(0)
		for range 2 { // what goes on is killed, too
			cmd := v.command(search...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			moment := time.AfterFunc(time.Duration(rng.Int64N(int64(took))), func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
			_ = cmd.Wait()
			moment.Stop()
			v.run("doctor")
			done, all := v.searchable()
			if done < before {
				t.Fatalf("%d messages could be found before a kill, %d behind it", before, done)
			}
			if done > 0 && done < all {
				within++
			}
			before = done
		}
		if got := v.run(search...); !bytes.Equal(got, want) {
			t.Fatalf("after kills:\n%s\nundisturbed:\n%s", got, want)
		}
		for _, f := range []string{"", "-wal", "-shm"} {
			os.Remove(v.db + f)
		}
	}
}
