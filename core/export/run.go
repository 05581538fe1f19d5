package export

import (
	"context"
	"errors"
	"fmt"

	"winnow/core/review"
)

// errLimit ends the reading when enough samples are written.
var errLimit = errors.New("limit reached")

// Run writes the selected segments as samples, in the order of (session_file,
// start_line). The target appears when it is complete, or not at all: not on
// an error, not when ctx ends, and not if no sample passed its checks. What a
// check found is no error but in the report. progress, if not nil, is called
// after each candidate and must return at once.
func Run(ctx context.Context, src Source, opts Options, progress func(Report)) (Report, error) {
	e, err := Find(opts.As)
	if err != nil {
		return Report{}, err
	}
	w := &writer{emitter: e, limit: opts.Limit, progress: progress, repairs: map[string]int{}}
	w.report = Report{As: e.Name, Files: []File{}, LeftOut: []LeftOut{}, Repairs: []RepairCount{}}
	if !opts.Check {
		if w.out, err = newTarget(opts.Path, e.parts, opts.Force); err != nil {
			return w.report, fmt.Errorf("export: %w", err)
		}
		defer w.out.abort()
	}
	if err := w.run(ctx, src, &opts.Selection); err != nil {
		return w.report, fmt.Errorf("export: %w", err)
	}
	for _, c := range Checks() {
		if n := w.repairs[c.Name]; n > 0 {
			w.report.Repairs = append(w.report.Repairs, RepairCount{c.Name, c.Done, n})
		}
	}
	if w.out != nil && w.report.Written > 0 {
		if w.report.Files, err = w.out.commit(); err != nil {
			return w.report, fmt.Errorf("export: %w", err)
		}
	}
	return w.report, nil
}

// writer turns candidates into rows of the target.
type writer struct {
	emitter  *Emitter
	out      *target // nil: nothing is written
	limit    int
	progress func(Report)
	report   Report
	repairs  map[string]int
	buf      []byte
}

// run reads and writes at the same time: while one sample is written, the
// next one's messages are being fetched.
func (w *writer) run(ctx context.Context, src Source, sel *Selection) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue, done := make(chan candidate, 1), make(chan error, 1)
	go func() {
		defer close(queue)
		done <- candidates(ctx, src, sel, func(c candidate) error {
			select {
			case queue <- c:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
	}()
	var failed error
	for c := range queue {
		if failed == nil {
			failed = w.take(&c)
		}
		if failed == nil {
			failed = ctx.Err()
		}
		if failed != nil {
			cancel() // and drain the queue, so that the reader can end
		}
	}
	read := <-done
	switch {
	case errors.Is(failed, errLimit):
		return nil
	case failed != nil:
		return failed
	}
	return read
}

// take makes a sample of a candidate and writes it, or leaves it out.
func (w *writer) take(c *candidate) error {
	w.report.Candidates++
	s := New(&c.segment, c.session, c.messages)
	repairs, findings := w.emitter.Prepare(s)
	if len(findings) > 0 {
		w.leaveOut(&c.segment, findings)
	} else if err := w.write(s, repairs); err != nil {
		return err
	}
	if w.progress != nil {
		w.progress(w.report)
	}
	if w.limit > 0 && w.report.Written >= w.limit {
		return errLimit
	}
	return nil
}

func (w *writer) leaveOut(seg *review.Segment, findings []Finding) {
	w.report.LeftOut = append(w.report.LeftOut, LeftOut{
		Segment: seg.ID, SessionFile: seg.SessionFile, Finding: findings[0], More: len(findings) - 1,
	})
}

func (w *writer) write(s *Sample, repairs []Finding) error {
	lines, rows := w.emitter.encode(w.buf[:0], s)
	// One giant sample must not stay in memory for the rest of the export.
	if w.buf = lines; cap(lines) > maxKept {
		w.buf = nil
	}
	if w.out != nil {
		if err := w.out.write(w.emitter.partFor(s), lines, rows); err != nil {
			return err
		}
	}
	w.report.Written++
	w.report.Tokens += s.Tokens()
	w.report.Bytes += int64(len(lines))
	last := ""
	for _, r := range repairs { // those of one check stand together
		if r.Check != last {
			w.repairs[r.Check]++
		}
		last = r.Check
	}
	return nil
}

// maxKept is the largest buffer that is used again, in bytes: some hundred
// times a usual sample.
const maxKept = 8 << 20
