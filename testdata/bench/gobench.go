package main

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
)

// goBenchmarks runs the benchmarks of the packages, which measure what a
// process can't: frames, pages, verdicts. They are found by their names, so
// that new ones are printed, too.
func goBenchmarks(w io.Writer) error {
	packages, err := exec.Command("go", "list", "-f", `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}`, "./...").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	var failed []string
	for _, pkg := range strings.Fields(string(packages)) {
		if strings.Contains(pkg, "/cmd/") {
			continue // the programs were measured above, as processes
		}
		out, err := exec.Command("go", "test", "-run", "^$", "-bench", ".", "-benchtime", "300ms", pkg).CombinedOutput()
		if err != nil {
			failed = append(failed, fmt.Sprintf("%s: %v\n%s", pkg, err, tail(out)))
			continue
		}
		if lines := results(out); len(lines) > 0 {
			fmt.Fprintf(w, "\n%s\n%s\n", pkg, strings.Join(lines, "\n"))
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("benchmarks failed: %s", strings.Join(failed, "\n"))
	}
	return nil
}

var spaces = regexp.MustCompile(`[ \t]+`)

// results returns the lines of benchmark results, in columns.
func results(out []byte) (lines []string) {
	for line := range bytes.Lines(out) {
		name, rest, found := strings.Cut(string(line), "\t")
		if !found || !strings.HasPrefix(name, "Benchmark") {
			continue
		}
		_, measured, _ := strings.Cut(strings.TrimSpace(rest), "\t") // drop the number of runs
		lines = append(lines, fmt.Sprintf("  %-44s %s", strings.TrimPrefix(strings.TrimSpace(name), "Benchmark"), spaces.ReplaceAllString(strings.TrimSpace(measured), " ")))
	}
	return lines
}

// tail returns the last lines of an output.
func tail(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}
