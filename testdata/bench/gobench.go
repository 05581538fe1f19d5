package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// inside are the goals that a process can't be measured by: what happens
// between two keys. They are measured by benchmarks of the packages; of
// several results below a name, the slowest counts.
var inside = []struct {
	pkg, name, what string
	goal            time.Duration
}{
	{"tui/reader", "View24MB", "a frame of a 24 MB message", 8 * time.Millisecond},
	{"tui/reader", "Scroll", "  a page further: Update and View", 8 * time.Millisecond},
	{"tui/reader", "Bottom24MB", "  its last line", 100 * time.Millisecond},
	{"tui/reader", "Find24MB", "  find to its last kilobyte", 100 * time.Millisecond},
	{"tui", "Frames", "a key and its screens, p99: a list of 200,000, long sessions, long lines", 8 * time.Millisecond},
	{"cmd/winnow", "KeyToNext", "  from a verdict to the next segment, in a database", 16 * time.Millisecond},
	{"store", "Pages", "a page of 200,000 segments, any order and verdict", 5 * time.Millisecond},
	{"store", "Totals", "  counts and histogram", 16 * time.Millisecond},
	{"store", "Judge", "  a verdict, on the disk", 16 * time.Millisecond},
	{"store", "JudgeMany", "  a verdict on 10,000", 500 * time.Millisecond},
}

// result is a line of a benchmark.
type result struct {
	name string // without "Benchmark" and the number of processors
	took time.Duration
	line string // all that was measured
}

// benchmarks runs the benchmarks of all packages. They are found by their
// names, so that new ones are printed, too.
func (b *bench) benchmarks() error {
	packages, err := exec.Command("go", "list", "-f", `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}`, "./...").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	var failed []string
	for _, pkg := range strings.Fields(string(packages)) {
		out, err := exec.Command("go", "test", "-run", "^$", "-bench", ".", "-benchtime", "300ms", pkg).CombinedOutput()
		if err != nil {
			failed = append(failed, fmt.Sprintf("%s: %v\n%s", pkg, err, tail(out)))
			continue
		}
		b.judge(pkg, results(out))
	}
	if len(failed) > 0 {
		return fmt.Errorf("%s", strings.Join(failed, "\n"))
	}
	return nil
}

// judge keeps the results of a package and adds rows for its goals.
func (b *bench) judge(pkg string, all []result) {
	if len(all) == 0 {
		return
	}
	b.details = append(b.details, "", pkg)
	for _, r := range all {
		b.details = append(b.details, fmt.Sprintf("  %-40s %s", r.name, r.line))
	}
	for _, g := range inside {
		if !strings.HasSuffix(pkg, "/"+g.pkg) {
			continue
		}
		var slowest time.Duration
		for _, r := range all {
			if top, _, _ := strings.Cut(r.name, "/"); top == g.name {
				slowest = max(slowest, r.took)
			}
		}
		if slowest > 0 {
			b.atMost(g.what, milliseconds(g.goal), float64(slowest.Nanoseconds())/1e6, "ms")
		}
	}
}

// results reads the lines "BenchmarkName-2   1000   1234 ns/op   …".
func results(out []byte) (all []result) {
	for line := range bytes.Lines(out) {
		fields := strings.Fields(string(line))
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") || fields[3] != "ns/op" {
			continue
		}
		ns, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			continue
		}
		name := strings.TrimPrefix(fields[0], "Benchmark")
		if i := strings.LastIndexByte(name, '-'); i > 0 {
			name = name[:i]
		}
		all = append(all, result{name, time.Duration(ns), strings.Join(fields[2:], " ")})
	}
	return all
}

// tail returns the last lines of an output.
func tail(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}
