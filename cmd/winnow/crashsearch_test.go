//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

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

// TestKilledFillingLosesNothing kills searches with SIGKILL while they fill the
// text index, each when it has a certain part of its size, and once more while
// the next one goes on. The database must then pass doctor with at least as
// much in the index as before, and the next search must find what an
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
	want := v.run(search...)
	if len(want) == 0 {
		t.Fatal("nothing was found")
	}
	full := v.written()

	const attempts = max(crashKills/4, 2)
	within := 0
	for i := range attempts {
		v.remove()
		if err := os.WriteFile(v.db, imported, 0o600); err != nil {
			t.Fatal(err)
		}
		before := int64(0)
		for range 2 {
			start := v.written()
			v.killAt(v.command(search...), start+(full-start)*int64(i+1)/(attempts+1), v.written)
			v.run("doctor")
			done, all := v.searchable()
			if done < before {
				t.Fatalf("%d messages could be found before a kill, %d after it", before, done)
			}
			if done > 0 && done < all {
				within++
			}
			before = done
		}
		if got := v.run(search...); !bytes.Equal(got, want) {
			t.Fatalf("after kills:\n%s\nundisturbed:\n%s", got, want)
		}
	}
	if within < attempts/2 {
		t.Errorf("of %d kills, %d left a part of the index", 2*attempts, within)
	}
}
