package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExitCode: what an error means to a script.
func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		line string
	}{
		{nil, 0, ""},
		{errors.New("x"), 1, "x"},
		{wrongUsage("bad %s", "flag"), 2, "bad flag"},
		{fmt.Errorf("in: %w", wrongUsage("bad")), 2, "bad"},
		{ended(exitPartly), 3, ""},
		{fmt.Errorf("reading: %w", context.Canceled), 130, "stopped"},
	} {
		if code, line := exitCode(c.err); code != c.code || line != c.line {
			t.Errorf("%v: %d %q, want %d %q", c.err, code, line, c.code, c.line)
		}
	}
}

// TestOnlyMainExits: everything else returns its errors.
func TestOnlyMainExits(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		exits := strings.Contains(string(src), "os.Exit(") || strings.Contains(string(src), "log.Fatal")
		if !strings.HasSuffix(name, "_test.go") && exits != (name == "main.go") {
			t.Errorf("%s exits: %v", name, exits)
		}
	}
}
