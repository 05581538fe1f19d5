package export

import (
	"context"
	"errors"
	"fmt"
	"io"

	"winnow/core/export/shortened"
)

// errLimit ends the reading when enough samples are written.
var errLimit = errors.New("limit reached")

// errAgain says that an export has to begin anew: rows are left out that claimed what
// others would train.
var errAgain = errors.New("begin anew")

// Run writes the selected segments as samples, in the order of (session_file,
// start_line). The target appears when it is complete, or not at all: not on
// an error, not when ctx ends, and not if no sample passed its checks. What a
// check found is no error but in the report: the samples written and those
// left out are together the candidates.
//
// Options.Limit ends the reading when enough samples are written. Where all
// must be known before one can be, as for Options.Dedupe, Balance and Splits,
// all are read, and it decides with these what stays. An export on policy begins anew
// where samples that are left out claimed answers that others would train.
//
// progress, if not nil, is called after each candidate and must return at
// once. Where all samples must be known first, it counts those that may be
// written, then begins anew with those that are. Its report has no groups and
// no repairs yet.
func Run(ctx context.Context, src Source, opts Options, progress func(Report)) (Report, error) {
	e, err := Find(opts.As)
	if err != nil {
		return Report{}, err
	}
	barred := map[int]Finding{}
	for pass := 1; ; pass++ {
		w := newExporter(e, &opts, progress)
		err := w.run(ctx, src, barred, pass == mostPasses)
		switch {
		case err == errAgain:
		case err != nil:
			return w.report, fmt.Errorf("export: %w", err)
		default:
			return w.report, nil
		}
	}
}

// run does all of an export, without what barred rows claim. If it bars more it returns
// errAgain, but for the last time.
func (w *exporter) run(ctx context.Context, src Source, barred map[int]Finding, last bool) (err error) {
	m := maker{emitter: w.emitter, opts: w.opts, whole: w.whole, claims: newClaims(barred)}
	if m.sealed, err = w.opts.readRedactions(ctx, src); err != nil {
		return err
	}
	read, err := w.jobs(ctx, src, &m)
	if err != nil {
		return err
	}
	if m.redactor, err = newRedactor(w.opts); err != nil {
		return err
	}
	if !w.opts.Check {
		if w.out, err = newOutput(w.opts, w.emitter); err != nil {
			return err
		}
		defer w.out.abort()
	}
	if w.whole {
		if w.spool, err = newSpool(w.opts); err != nil {
			return err
		}
		defer w.spool.remove()
	}
	p := pipeline{
		read:    read,
		first:   func(w *work) { w.begin(&m) },
		between: func(w *work) { w.number(&m) },
		second:  func(w *work) { w.finish(&m) },
		take:    func(done *work) error { return w.take(done.result()) },
		repeats: w.emitter.repeats,
	}
	if err := p.run(ctx); err != nil && !errors.Is(err, errLimit) {
		return err
	}
	var decided []verdictOfRow
	if w.whole {
		decided = w.decide()
	}
	m.claims.lost = w.claims.lost
	if !last && m.claims.bar() {
		return errAgain
	}
	if w.whole {
		if err := w.writeKept(ctx, decided); err != nil {
			return err
		}
	}
	w.total()
	if w.out == nil || w.report.Written == 0 {
		return nil
	}
	if w.opts.Redact != nil {
		err := w.out.verify(func(lines io.Reader) error { return m.redactor.verify(ctx, lines) })
		if err != nil {
			return err
		}
	}
	w.report.Files, err = w.out.commit(w.opts, &w.report)
	return err
}

// jobs returns what reads the jobs of an export: samples, or pairs, whose segments
// must all be known before.
func (w *exporter) jobs(ctx context.Context, src Source, m *maker) (read func(ctx context.Context, yield func(job) error) error, err error) {
	if w.opts.onPolicy(w.emitter) {
		if err := w.opts.Exact(w.emitter); err != nil {
			return nil, err
		}
		w.book = newExactBook()
		return func(ctx context.Context, yield func(job) error) error {
			return (&pathReader{src: src, sealed: m.sealed, emitter: w.emitter, yield: yield}).paths(ctx, w.opts)
		}, nil
	}
	if len(w.opts.Gaps) > 0 {
		return nil, errors.New("gaps of what a model saw are looked for in an export on policy only")
	}
	if !w.emitter.Pairs() {
		return func(ctx context.Context, yield func(job) error) error {
			return candidates(ctx, src, w.emitter, w.opts, func(c candidate) error {
				if err := c.yield(w.opts.Train, yield); err != nil || !w.emitter.labels || len(c.edits) == 0 {
					return err
				}
				return eachRewriting(ctx, src, &c, w.opts.Train, yield)
			})
		}, nil
	}
	if err := w.opts.pairable(w.emitter); err != nil {
		return nil, err
	}
	finder, err := newPairFinder(ctx, src, w.emitter, w.opts)
	if err != nil {
		return nil, err
	}
	w.book, w.report.Candidates = newPairBook(finder), len(finder.segments)
	w.report.Pairs = &PairCounts{}
	return func(ctx context.Context, yield func(job) error) error {
		return finder.each(ctx, func(p *pairing) error { return yield(p) })
	}, nil
}

// pairable refuses options that mean nothing for pairs.
func (o *Options) pairable(e *Emitter) error {
	switch {
	case o.Train != TrainAll:
		return fmt.Errorf("%s writes pairs, of which both answers are trained: leave out which messages are trained (%s)", e.Name, o.Train)
	case o.Compressed == shortened.Proposed:
		return fmt.Errorf("%s writes pairs, of which both answers were given to what stands there: no compression is applied", e.Name)
	case o.MaxTokens > 0 && o.TooLong == CutLong:
		return fmt.Errorf("%s writes pairs, which end with what is compared: what is too long can only be left out, not cut", e.Name)
	}
	return nil
}
