// Package compress is the command of that name: it shortens files of trajectories,
// and proposes compressions of segments for a person to accept.
package compress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/compress"
	"winnow/core/compress/compat"
	"winnow/core/compress/entries"
)

// Files is a job over a file of trajectories, or over those in a folder: as many
// rows come out as go in, in their order.
type Files struct {
	In, Out string
	Config  compat.Config
	Flaws   compat.Flaws
	// By shortens by winnow's rules; nil: as the published program does, by Ask.
	By      compress.Strategy
	Counter entries.Counter
	// Model sums up; nil: none does.
	Model *Drafted
	// Metrics writes what the published program does of them.
	Metrics bool
	Force   bool
	// Percent is how much of each file is taken, at random by Seed; 0: all.
	Percent float64
	Seed    int64
	AtOnce  int
	Timeout time.Duration // of a row, 0: 300 seconds
	Now     func() time.Time
	// Shown is told how far the job is, Told of each row that stays over the target
	// or cannot be read.
	Shown func(bytes, all int64, rows int)
	Told  func(Kept)

	wait func(context.Context, time.Duration) error // between attempts, for tests
	sent atomic.Int64                               // tokens that a model would be sent
	asks atomic.Int64                               // rows for which one would be asked
	size int64                                      // of what was read
	all  int64                                      // of what is to be read
}

// Kept is a row that stays as it is though it should not.
type Kept struct {
	File    string         `json:"file"`
	Line    int            `json:"line"`
	Outcome compat.Outcome `json:"outcome"`
	Reason  string         `json:"reason"`
}

// FilesReport is what a job came to.
type FilesReport struct {
	Files       []string               `json:"files"`            // that were written
	Metrics     string                 `json:"metrics,omitzero"` // the file of the aggregate
	Rows        int                    `json:"rows"`             // that were read, and but for Lost written
	Compressed  int                    `json:"compressed"`
	Over        int                    `json:"over"` // of the compressed ones, over the target still
	UnderTarget int                    `json:"under_target"`
	Kept        int                    `json:"kept"` // as they were, though over the target or not readable
	Lost        int                    `json:"lost"` // as the published program loses them, where asked for
	Reasons     map[compat.Outcome]int `json:"reasons"`
	Before      int                    `json:"tokens_before"`
	After       int                    `json:"tokens_after"`
	Counter     string                 `json:"counter"`
	Asks        int                    `json:"asks"`        // rows for which a model would be asked, of a dry run
	Send        int                    `json:"tokens_send"` // tokens that it would be sent
	sum         compat.Aggregate
}

// garbage stands for garbage while rows or segments are shortened, of which few are
// in memory at a time.
const garbage = 400

// pair is a file and what is made of it.
type pair struct{ in, out string }

// Run does the job. With dry, it reads everything, asks nobody and writes nothing.
func (f *Files) Run(ctx context.Context, dry bool) (r FilesReport, err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	r = FilesReport{Reasons: map[compat.Outcome]int{}, Counter: f.Counter.Name(), Files: []string{}}
	pairs, metrics, err := f.pairs(dry)
	if err != nil {
		return r, err
	}
	f.sent.Store(0)
	f.asks.Store(0)
	f.size, f.all = 0, 0
	for _, p := range pairs {
		if err := readable(ctx, p.in); err != nil {
			return r, fmt.Errorf("%s: %w", p.in, err)
		}
		if info, err := os.Stat(p.in); err == nil {
			f.all += info.Size()
		}
	}
	r.sum.Started = f.Now()
	for _, p := range pairs {
		if dry {
			err = f.copy(ctx, io.Discard, p.in, f.looking(), &r)
		} else {
			err = f.file(ctx, p, &r)
		}
		if err != nil {
			return r, err
		}
	}
	r.Asks, r.Send = int(f.asks.Load()), int(f.sent.Load())
	r.sum.Ended = f.Now()
	if dry || metrics == "" {
		return r, nil
	}
	r.Metrics = metrics
	return r, f.aggregate(metrics, &r.sum)
}

// pairs finds the files, and says what they become and where the aggregate goes.
// What would not be replaced is told before anything is done.
func (f *Files) pairs(dry bool) (list []pair, metrics string, err error) {
	info, err := os.Stat(f.In)
	if err != nil {
		return nil, "", err
	}
	if !info.IsDir() {
		list, metrics = f.onePair()
	} else if list, metrics, err = f.folder(dry); err != nil {
		return nil, "", err
	}
	if !f.Metrics || !f.Config.MetricsEnabled {
		metrics = ""
	}
	for _, p := range list {
		if a, err := os.Stat(p.out); err == nil && !dry {
			if b, err := os.Stat(p.in); err == nil && os.SameFile(a, b) {
				return nil, "", fmt.Errorf("%s would be replaced by what is made of it: name another output with -o", p.in)
			}
			if err := mayWrite(p.out, p.out, f.Force); err != nil {
				return nil, "", err
			}
		}
	}
	if metrics != "" && !dry {
		err = mayWrite(metrics, metrics, f.Force)
	}
	return list, metrics, err
}

// onePair is that of a file: beside it, if no other place is named.
func (f *Files) onePair() ([]pair, string) {
	stem := strings.TrimSuffix(filepath.Base(f.In), filepath.Ext(f.In)) + f.Config.OutputSuffix + ".jsonl"
	out := f.Out
	if out == "" {
		out = filepath.Join(filepath.Dir(f.In), stem)
	} else if info, err := os.Stat(out); err == nil && info.IsDir() || os.IsPathSeparator(out[len(out)-1]) {
		out = filepath.Join(out, stem)
	}
	return []pair{{f.In, out}}, strings.TrimSuffix(out, filepath.Ext(out)) + "_metrics.json"
}

// folder are the pairs of a folder: its *.jsonl by their names.
func (f *Files) folder(dry bool) (list []pair, metrics string, err error) {
	found, err := os.ReadDir(f.In)
	if err != nil {
		return nil, "", err
	}
	out := f.Out
	if out == "" {
		out = filepath.Clean(f.In) + f.Config.OutputSuffix
	}
	for _, entry := range found {
		name := entry.Name()
		if filepath.Ext(name) != ".jsonl" || strings.HasPrefix(name, ".") {
			continue
		}
		if info, err := os.Stat(filepath.Join(f.In, name)); err == nil && info.Mode().IsRegular() {
			list = append(list, pair{filepath.Join(f.In, name), filepath.Join(out, name)})
		}
	}
	slices.SortFunc(list, func(a, b pair) int { return strings.Compare(a.in, b.in) })
	if len(list) == 0 {
		return nil, "", fmt.Errorf("%s: no *.jsonl is directly in this folder", f.In)
	}
	if !dry {
		err = os.MkdirAll(out, 0o777)
	}
	return list, filepath.Join(out, f.Config.MetricsFile), err
}

// file makes one file of another.
func (f *Files) file(ctx context.Context, p pair, r *FilesReport) (err error) {
	t, err := newTarget(p.out, f.Force)
	if err != nil {
		return err
	}
	defer t.abort()
	if f.Model != nil {
		drafts, err := openDrafts(t.at)
		if err != nil {
			return err
		}
		f.Model.Drafts = drafts
		defer func() { drafts.close(t.f == nil) }()
	}
	if err := f.copy(ctx, t, p.in, f.working(), r); err != nil {
		return err
	}
	if err := t.commit(); err != nil {
		return err
	}
	r.Files = append(r.Files, p.out)
	return nil
}

// copy gives the rows of a file to do and writes what they become.
func (f *Files) copy(ctx context.Context, w io.Writer, name string, do func(context.Context, []byte) compat.Result, r *FilesReport) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	next, err := f.rows(ctx, in, name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	before := f.size
	err = compat.Copy(ctx, w, next, f.AtOnce, do, func(row *compat.Row, done *compat.Result) {
		f.size = before + row.At + int64(len(row.Line))
		f.take(r, name, row, done)
	})
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return err
}

// take counts what became of a row.
func (f *Files) take(r *FilesReport, name string, row *compat.Row, done *compat.Result) {
	broken := errors.Is(done.Err, compat.ErrNoJSON)
	if !broken || done.Outcome != compat.Dropped {
		r.sum.Add(done)
	}
	r.Rows++
	r.Before += done.Metrics.OriginalTokens
	r.After += done.Metrics.CompressedTokens
	outcome := done.Outcome
	if errors.Is(done.Err, compat.ErrNoEntry) {
		outcome = compat.Failed // also where the published program takes it for a short one
	}
	kept := Kept{File: name, Line: row.Number, Outcome: outcome, Reason: reason(done)}
	switch outcome {
	case compat.UnderTarget:
		r.UnderTarget++
	case compat.Compressed, compat.Fallback:
		r.Compressed++
		if done.Metrics.StillOverLimit {
			r.Over++
		}
		switch {
		case outcome == compat.Fallback:
			r.Reasons[outcome]++
			f.Told(kept)
		case done.Err != nil: // it is over the target, and why is known
			f.Told(kept)
		}
	case compat.Dropped:
		r.Lost++
		r.Reasons[outcome]++
		f.Told(kept)
	default:
		r.Kept++
		r.Reasons[outcome]++
		f.Told(kept)
	}
	f.Shown(f.size, f.all, r.Rows)
}

// reason says why a row stays as it is.
func reason(done *compat.Result) string {
	switch {
	case done.Outcome == compat.Nothing:
		return "all of it has to stay, and it is over the target"
	case done.Outcome == compat.NoSavings:
		return "what may go costs no more than what would stand for it, and it is over the target"
	case done.Err != nil:
		return done.Err.Error()
	}
	return string(done.Outcome)
}

// aggregate writes the file of the sums.
func (f *Files) aggregate(path string, sum *compat.Aggregate) error {
	text := jsontext.Value(sum.AppendJSON(nil))
	if err := text.Indent(jsontext.WithIndent("  ")); err != nil {
		return err
	}
	t, err := newTarget(path, true) // whether it may was asked at the beginning
	if err != nil {
		return err
	}
	defer t.abort()
	if _, err := t.Write(append(text, '\n')); err != nil {
		return err
	}
	return t.commit()
}
