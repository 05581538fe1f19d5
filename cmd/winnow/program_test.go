package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// program returns a command of this module as a user gets it: without the race
// detector, whatever the test is built with.
func program(pkg string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "winnow-program")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-o", bin, pkg)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return os.ReadFile(bin)
}

// Linking takes longer than most tests that need a program.
var (
	winnowProgram  = sync.OnceValues(func() ([]byte, error) { return program("winnow/cmd/winnow") })
	trajgenProgram = sync.OnceValues(func() ([]byte, error) { return program("winnow/cmd/trajgen") })
)

// build puts winnow, as a user gets it, into a folder of the test. A test that
// is built without the race detector has the program in it.
func build(t *testing.T) string {
	t.Helper()
	if racing("") {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		bin := filepath.Join(t.TempDir(), executable("winnow"))
		if os.Symlink(self, bin) == nil {
			return bin
		}
	}
	return install(t, "winnow", winnowProgram)
}

func install(t *testing.T, name string, program func() ([]byte, error)) string {
	t.Helper()
	data, err := program()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), executable(name))
	if err := os.WriteFile(bin, data, 0o700); err != nil {
		t.Fatal(err)
	}
	return bin
}

// executable is what a program of a name is called on this system.
func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}
