package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// exportGoal is how fast samples are to be written, in MB/s of JSONL, on two
// cores.
const exportGoal = 150

// exports are the ways to export that are measured: the name of the row and the
// flags. The first has the goal.
var exports = []struct {
	name  string
	flags []string
}{
	{"hf", nil},
	{"openai", []string{"--as", "openai"}},
	{"near duplicates, split", []string{"--dedupe", "near", "--split", "train=0.9,validation=0.1"}},
	{"redacted", []string{"--redact"}},
}

// exporting measures how long it takes to write all segments of what was
// imported as samples.
func (b *bench) exporting() error {
	defer b.remove("sessions", "sessions.db")
	if _, err := b.generate("sessions", "--size", fmt.Sprint(b.size)); err != nil {
		return err
	}
	if _, _, err := b.imports("sessions.db", "sessions"); err != nil {
		return err
	}
	for i, how := range exports {
		var best usage
		var peak, written int64
		for range b.runs {
			u, n, err := b.exports(how.flags)
			if err != nil {
				return fmt.Errorf("%s: %w", how.name, err)
			}
			best, peak, written = faster(best, u), max(peak, u.peak), n
		}
		speed := perSecond(written, best.wall)
		if i == 0 {
			b.atLeast("export, "+how.name, exportGoal, speed, "MB/s")
		} else {
			b.row("export, "+how.name, "–", fmt.Sprintf("%.4g MB/s", speed), "")
		}
		b.row("  processor time", "–", fmt.Sprintf("%.2f s per GB", best.cpu.Seconds()*1e9/float64(written)), "")
		b.atMost("  peak memory", peakGoal, float64(peak)/1e6, "MB")
	}
	return nil
}

// exports writes all segments of the database as samples and returns how many
// bytes of records these are. Of what trajgen makes, hardly any is left out.
func (b *bench) exports(flags []string) (usage, int64, error) {
	defer b.remove("samples")
	if err := os.MkdirAll(b.path("samples"), 0o700); err != nil {
		return usage{}, 0, err
	}
	target := filepath.Join(b.path("samples"), "train.jsonl")
	u, out, err := b.winnow("sessions.db", append([]string{"export", "--any-verdict", "--json", "-o", target}, flags...)...)
	if err != nil {
		return u, 0, err
	}
	var r struct {
		Candidates, Written int
		Bytes               int64
	}
	if err := json.Unmarshal(bytes.TrimSpace(out), &r); err != nil {
		return u, 0, err
	}
	if r.Bytes == 0 || r.Written*10 < r.Candidates*9 {
		return u, 0, fmt.Errorf("%d of %d samples were written", r.Written, r.Candidates)
	}
	return u, r.Bytes, nil
}
