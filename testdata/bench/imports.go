package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

func perSecond(bytes int64, took time.Duration) float64 { return float64(bytes) / 1e6 / took.Seconds() }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

const peakGoal = 160 // MB, for any import without giant lines

// formats are those whose import is measured. The first is the one that the
// yardsticks are taken with.
var formats = []string{"openai", "anthropic", "sharegpt", "claude-code"}

// importing measures the import of many sessions of ordinary size, in each
// format. A format that can't be read does not keep the others from being
// measured.
func (b *bench) importing() error {
	var failed []error
	for i, format := range formats {
		if err := b.importingFormat(format, i == 0); err != nil {
			b.row("import, "+format, "", "failed", "")
			failed = append(failed, fmt.Errorf("%s: %w", format, err))
		}
	}
	return errors.Join(failed...)
}

func (b *bench) importingFormat(format string, yardsticks bool) error {
	defer b.remove("sessions", "sessions.db", "python.db")
	messages, err := b.generate("sessions", "--format", format, "--size", fmt.Sprint(b.size))
	if err != nil {
		return err
	}
	var best usage
	var peak int64
	for i := range b.runs {
		b.remove("sessions.db")
		u, r, err := b.imports("sessions.db", "sessions")
		if err != nil {
			return err
		}
		if err := r.holds(messages); err != nil {
			return err
		}
		peak = max(peak, u.peak)
		if i == 0 || u.wall < best.wall {
			best = u
		}
	}
	n, hashed, err := b.hash("sessions")
	if err != nil {
		return err
	}
	speed := perSecond(n, best.wall)
	b.atLeast("import, "+format, 200, speed, "MB/s")
	b.row("  processor time", "–", fmt.Sprintf("%.2f s per GB", best.cpu.Seconds()*1e9/float64(n)), "")
	b.row("  SHA-256 of the same bytes", "–", fmt.Sprintf("%.4g MB/s", perSecond(n, hashed)), fmt.Sprintf("import is %.2f of it", speed/perSecond(n, hashed)))
	b.atMost("  peak memory", peakGoal, float64(peak)/1e6, "MB")
	b.atMost("  database / source", 45, 100*float64(b.sizeOf("sessions.db"))/float64(n), "%")
	if !yardsticks {
		return nil
	}
	if err := b.firstPage("sessions.db"); err != nil {
		return err
	}
	return b.python(speed)
}

// python runs the yardstick, where there is a Python.
func (b *bench) python(speed float64) error {
	python, err := exec.LookPath("python3")
	if errors.Is(err, exec.ErrNotFound) {
		b.row("  Python importer", "≥ 5 ×", "no python3 here", "")
		return nil
	}
	if err != nil {
		return err
	}
	_, out, err := measure(exec.Command(python, filepath.Join("testdata", "bench", "import.py"), b.path("sessions"), b.path("python.db")))
	if err != nil {
		return err
	}
	var r struct {
		Bytes   int64
		Seconds float64
	}
	if err := json.Unmarshal(bytes.TrimSpace(out), &r); err != nil {
		return err
	}
	theirs := float64(r.Bytes) / 1e6 / r.Seconds
	b.row("  Python importer", "–", fmt.Sprintf("%.4g MB/s", theirs), "")
	b.atLeast("  import / Python importer", 5, speed/theirs, "×")
	return nil
}

// firstPage measures a short command on a database: process start, opening, one
// page.
func (b *bench) firstPage(db string) error {
	best := time.Hour
	for range 10 {
		u, _, err := b.winnow(db, "list", "--limit", "50", "--json")
		if err != nil {
			return err
		}
		best = min(best, u.wall)
	}
	b.atMost("start to first page (warm)", 40, milliseconds(best), "ms")
	return nil
}

// giantFile measures one session as large as all of the others, and what it
// costs when that grows by a line.
func (b *bench) giantFile() error {
	defer b.remove("giant.jsonl", "giant.db")
	messages, err := b.generate("giant.jsonl", "--giant-file", fmt.Sprint(b.size))
	if err != nil {
		return err
	}
	u, r, err := b.imports("giant.db", "giant.jsonl")
	if err != nil {
		return err
	}
	if err := r.holds(messages); err != nil {
		return err
	}
	b.atLeast("import of one giant session", 200, perSecond(b.size, u.wall), "MB/s")
	b.atMost("  peak memory", peakGoal, float64(u.peak)/1e6, "MB")
	best := time.Hour
	for range 5 {
		if err := appendLine(b.path("giant.jsonl")); err != nil {
			return err
		}
		u, r, err := b.imports("giant.db", "giant.jsonl")
		if err != nil {
			return err
		}
		if r.Updated != 1 || r.Messages != 1 {
			return fmt.Errorf("one message was appended to one file; %d sessions were updated by %d messages", r.Updated, r.Messages)
		}
		best = min(best, u.wall)
	}
	b.atMost("  after 1 KB was appended (whole process)", 50, milliseconds(best), "ms")
	return nil
}

func appendLine(path string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "{\"role\": \"user\", \"content\": \"%s\"}\n", bytes.Repeat([]byte("more "), 195))
	return errors.Join(err, f.Close())
}

// giantLine measures the memory that one very long line takes.
func (b *bench) giantLine() error {
	defer b.remove("line.jsonl", "line.db")
	messages, err := b.generate("line.jsonl", "--giant-line", fmt.Sprint(b.line))
	if err != nil {
		return err
	}
	u, r, err := b.imports("line.db", "line.jsonl")
	if err != nil {
		return err
	}
	if err := r.holds(messages); err != nil {
		return err
	}
	mb := float64(b.line) / 1e6
	b.atMost(fmt.Sprintf("peak memory with a line of %.0f MB", mb), peakGoal+4*mb, float64(u.peak)/1e6, "MB")
	return nil
}

// unchanged measures the import of files that are all known.
func (b *bench) unchanged() error {
	defer b.remove("small", "small.db")
	for i := range b.small {
		dir := b.path(filepath.Join("small", fmt.Sprintf("%03d", i/500)))
		if i%500 == 0 {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		}
		text := fmt.Sprintf("{\"role\":\"user\",\"content\":\"question %d\"}\n{\"role\":\"assistant\",\"content\":\"answer %d\"}\n", i, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.jsonl", i)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	first, r, err := b.imports("small.db", "small")
	if err != nil {
		return err
	}
	if r.New != b.small {
		return fmt.Errorf("%d files gave %d sessions", b.small, r.New)
	}
	b.row(fmt.Sprintf("import of %d small files", b.small), "–", fmt.Sprintf("%.2f s", first.wall.Seconds()), "")
	best := time.Hour
	for range 3 {
		u, r, err := b.imports("small.db", "small")
		if err != nil {
			return err
		}
		if r.New+r.Updated > 0 {
			return fmt.Errorf("unchanged files gave %d new and %d updated sessions", r.New, r.Updated)
		}
		best = min(best, u.wall)
	}
	b.atMost("  again, unchanged", 1000, milliseconds(best), "ms")
	return nil
}
