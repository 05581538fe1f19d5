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

// program returns a command of this module as a user gets it: without cgo, and
// without the race detector, whatever the test is built with.
func program(pkg string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "winnow-program")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "program")
	cmd := exec.Command("go", "build", "-o", bin, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return os.ReadFile(bin)
}

// Linking takes longer than most tests that need a program.
var (
	winnowProgram  = sync.OnceValues(func() ([]byte, error) { return program("winnow/cmd/winnow") })
	trajgenProgram = sync.OnceValues(func() ([]byte, error) { return program("winnow/cmd/trajgen") })
)

// build puts winnow, as a user gets it, into a folder of the test.
func build(t *testing.T) string {
	t.Helper()
	return install(t, "winnow", winnowProgram)
}

func install(t *testing.T, name string, program func() ([]byte, error)) string {
	t.Helper()
	data, err := program()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	bin := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(bin, data, 0o700); err != nil {
		t.Fatal(err)
	}
	return bin
}
