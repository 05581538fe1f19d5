// Bench prints how fast winnow is on this machine: every goal with its
// measured value, and ratios to yardsticks taken in the same run.
//
//	go run ./testdata/bench            100 MB of sessions
//	BENCH=L go run ./testdata/bench    1 GB
//	BENCH=X go run ./testdata/bench    filters, orders and searches in 50,000 sessions
//	go run ./testdata/bench import     only the steps whose names begin so
//
// Inputs are made by trajgen and lie in a temporary folder (TMPDIR), which
// takes about four times their size. They are in the page cache when they are
// read, so disks do not show. The database of BENCH=X (2 GB, and 2 more while it is made) stays in the folder
// winnow-bench below it, or in that of BENCH_CACHE, for the next run; BENCH_SESSIONS=5000 makes
// a smaller one.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is one run of all measurements.
type bench struct {
	table
	dir   string // temporary
	size  int64  // bytes of the sessions that are imported
	runs  int    // of each import; the fastest counts
	line  int64  // bytes of the giant line
	small int    // unchanged files
	// Of the large database, which is measured instead if it has sessions.
	sessions int
	cache    string // where it stays
	lib      library
	// details are the results of the packages' benchmarks, printed after
	// the table.
	details []string
}

func newBench(name string) (*bench, error) {
	switch name {
	case "", "S":
		return &bench{size: 100e6, runs: 3, line: 24e6, small: 20000}, nil
	case "L":
		return &bench{size: 1e9, runs: 1, line: 100e6, small: 20000}, nil
	case "X":
		return &bench{sessions: librarySessions}, nil
	}
	return nil, fmt.Errorf("BENCH=%s: want S (100 MB), L (1 GB) or X (50,000 sessions)", name)
}

func run(only []string) (err error) {
	b, err := newBench(os.Getenv("BENCH"))
	if err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "winnow-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := b.build(); err != nil {
		return err
	}
	if err := b.place(os.Getenv("BENCH_CACHE"), os.Getenv("BENCH_SESSIONS")); err != nil {
		return err
	}
	steps, of := b.stepsOfImports(), fmt.Sprintf("%.0f MB of sessions", float64(b.size)/1e6)
	if b.sessions > 0 {
		steps, of = b.stepsOfLibrary(), fmt.Sprintf("%d sessions", b.sessions)
		if err := b.makeLibrary(); err != nil {
			return fmt.Errorf("the large database: %w", err)
		}
	}
	fmt.Printf("%s/%s, %d cores, %s, %s\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), of)
	var failed []error
	for _, s := range steps {
		if len(only) > 0 && !slices.ContainsFunc(only, func(start string) bool { return strings.HasPrefix(s.name, start) }) {
			continue
		}
		fmt.Fprintf(os.Stderr, "measuring: %s\n", s.name)
		if err := s.run(); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
		}
	}
	fmt.Printf("%s%s\n", b.String(), strings.Join(b.details, "\n"))
	return errors.Join(failed...)
}

// step is a group of measurements.
type step struct {
	name string
	run  func() error
}

func (b *bench) stepsOfImports() []step {
	return []step{
		{"import", b.importing},
		{"beside an import", b.besideImport},
		{"serve", b.serving},
		{"segment", b.segmenting},
		{"export", b.exporting},
		{"giant file", b.giantFile},
		{"giant line", b.giantLine},
		{"unchanged files", b.unchanged},
		{"benchmarks of the packages", b.benchmarks},
	}
}

// stepsOfLibrary ends with what takes memory of this process: see peakMemory.
func (b *bench) stepsOfLibrary() []step {
	return []step{
		{"library", b.libraryRows},
		{"start", b.processStart},
		{"filters", b.filters},
		{"searches", b.searches},
		{"verdicts", b.verdicts},
		{"serve", b.servedPages},
	}
}

// place says where the large database is and how many sessions it has, "" as
// usual.
func (b *bench) place(cache, sessions string) (err error) {
	if cache == "" {
		cache = filepath.Join(os.TempDir(), "winnow-bench")
	}
	if b.cache, err = filepath.Abs(cache); err != nil {
		return err
	}
	if b.sessions == 0 || sessions == "" {
		return nil
	}
	if b.sessions, err = strconv.Atoi(sessions); err != nil || b.sessions < 1 {
		return fmt.Errorf("BENCH_SESSIONS=%s: want a number of sessions", sessions)
	}
	return nil
}

// build makes the two programs.
func (b *bench) build() error {
	for _, name := range []string{"winnow", "trajgen"} {
		out, err := exec.Command("go", "build", "-o", b.program(name), "./cmd/"+name).CombinedOutput()
		if err != nil {
			return fmt.Errorf("build %s (run me from the top folder of the project): %w\n%s", name, err, out)
		}
	}
	return nil
}

func (b *bench) program(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return b.path(name)
}

// path is where a file lies: in the temporary folder, unless its whole path is
// given.
func (b *bench) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(b.dir, name)
}

// generate runs trajgen with a target in the temporary folder and returns how
// many messages it wrote.
func (b *bench) generate(target string, args ...string) (messages int64, err error) {
	out, err := exec.Command(b.program("trajgen"), append([]string{"-o", b.path(target)}, args...)...).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("trajgen %s: %w: %s", strings.Join(args, " "), err, out)
	}
	var sessions, size int64
	if _, err := fmt.Sscanf(string(out), "trajgen: %d sessions, %d messages, %d bytes", &sessions, &messages, &size); err != nil {
		return 0, fmt.Errorf("trajgen %s printed %q: %w", strings.Join(args, " "), out, err)
	}
	return messages, nil
}

// remove makes room for the next measurement.
func (b *bench) remove(names ...string) {
	for _, name := range names {
		os.RemoveAll(b.path(name))
		for _, suffix := range []string{"-wal", "-shm"} {
			os.Remove(b.path(name) + suffix)
		}
	}
}
