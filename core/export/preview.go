package export

import (
	"context"
	"fmt"

	"winnow/core/export/lineage"
	"winnow/core/review"
)

// Preview returns the records that one segment becomes, exactly as an export
// with these options would write them, whatever its verdict: none if it would
// be left out. The report says why, what was repaired, and which secrets are in
// the sample. What depends on other samples, as Options.Dedupe does, is not
// looked at: a placeholder's number, or a record that tells its place in the
// export, is that of an export of this segment alone.
func Preview(ctx context.Context, src Source, seg *review.Segment, opts Options) (records []byte, r Report, err error) {
	e, err := Find(opts.As)
	if err != nil {
		return nil, Report{}, err
	}
	if e.Pairs() {
		return nil, Report{As: e.Name, Candidates: 1, LeftOut: []LeftOut{{Segment: seg.ID, SessionFile: seg.SessionFile, Finding: Finding{
			Check: lineage.OutPairs, Detail: "a record has an answer of an approved and one of a rejected segment, which only an export brings together",
		}}}}, nil
	}
	opts.Dedupe, opts.Balance, opts.Splits, opts.Limit = DedupeNone, Balance{}, nil, 0
	opts.Check = true // secrets are looked for
	m := maker{emitter: e, opts: &opts}
	if m.redactor, err = newRedactor(&opts); err != nil {
		return nil, Report{}, fmt.Errorf("preview: %w", err)
	}
	if m.sealed, err = opts.readRedactions(ctx, src); err != nil {
		return nil, Report{}, fmt.Errorf("preview: %w", err)
	}
	w := newExporter(e, &opts, nil)
	w.whole = false
	jobs, err := w.jobsOf(ctx, src, &m, seg)
	if err != nil {
		return nil, Report{}, fmt.Errorf("preview: %w", err)
	}
	for _, j := range jobs {
		j.begin(&m)
		j.number(&m)
		j.finish(&m)
		work := j.result()
		if e.finish != nil && len(work.findings) == 0 {
			work.lines = e.finish(nil, work.lines, 0, nil)
			work.facts.Size = len(work.lines)
		}
		records = append(records, work.lines...)
		if err := w.take(work); err != nil {
			return nil, w.report, fmt.Errorf("preview: %w", err)
		}
	}
	w.total()
	return records, w.report, nil
}

// jobsOf returns the jobs of one segment.
func (w *exporter) jobsOf(ctx context.Context, src Source, m *maker, seg *review.Segment) (jobs []job, err error) {
	add := func(j job) error {
		jobs = append(jobs, j)
		return nil
	}
	if !w.opts.onPolicy(w.emitter) {
		r := w.opts.reader(src)
		if err := r.propose(ctx, []review.Segment{*seg}); err != nil {
			return nil, err
		}
		c, err := r.read(ctx, seg)
		if err != nil {
			return nil, err
		}
		err = c.yield(w.opts.Train, add)
		return jobs, err
	}
	if err := w.opts.Exact(w.emitter); err != nil {
		return nil, err
	}
	w.book, m.claims = newExactBook(), newClaims(nil)
	r := pathReader{src: src, sealed: m.sealed, emitter: w.emitter, yield: add}
	return jobs, r.family(ctx, []review.Segment{*seg})
}
