package runs

import (
	"context"
	"errors"
	"slices"

	"winnow/core/chat"
	"winnow/core/metric"
	"winnow/core/outcome"
	"winnow/core/review"
)

// What is stored in one transaction at most, so that a curator waits for
// hundredths of a second, and what is read before it is stored (4 MB).
const (
	batchScores = 128
	batchTokens = 1 << 20
)

// scoreWorker is one goroutine's part of a run.
type scoreWorker struct {
	run    *scoreRun
	list   []scored // waits to be stored
	tokens int
}

// score scores segments that lie after each other in one body.
func (w *scoreWorker) score(ctx context.Context, refs []ScoreRef) {
	if w.run.g.Judge != nil {
		for i := range refs {
			w.judge(ctx, &refs[i])
		}
		return
	}
	t, n := w.text(refs), 0
	err := w.run.g.measure(ctx, t, refs, func(ref *ScoreRef, a metric.Analysis, found []Found) {
		n++
		w.add(ctx, ref, a, found)
	})
	switch {
	case err == nil:
	case len(refs) > 1 && ctx.Err() == nil:
		// Something is wrong with the next one, or with what lies between them.
		for ; n < len(refs); n++ {
			w.score(ctx, refs[n:n+1])
		}
	default:
		w.blame(ctx, t, &refs[0], err, false)
	}
}

func (w *scoreWorker) text(refs []ScoreRef) *text {
	first, last := &refs[0], &refs[len(refs)-1]
	edited := slices.ContainsFunc(refs, func(r ScoreRef) bool { return r.Edited != "" })
	return &text{stored: w.run.g.Store.EachMessage, file: first.File, body: first.Body, last: last.End, large: true, edited: edited}
}

// measure reads segments of a body in one go and calls done for each as soon as
// it is read. Of an edited one any messages may be dropped, and others added after
// the last or in front of the first.
func (g *Scorer) measure(ctx context.Context, t *text, refs []ScoreRef, done func(*ScoreRef, metric.Analysis, []Found)) error {
	var meter *metric.Meter
	var found []Found
	begin := func() {
		start := refs[0].Start
		meter, found = metric.NewMeter(g.Config, start), nil
		recorded := refs[0].Edited == "" // outcomes are kept with what was recorded
		meter.Found = func(m *chat.Message, f outcome.Finding) {
			if recorded {
				found = append(found, Found{m.N - start, f})
			}
		}
	}
	end := func() {
		done(&refs[0], meter.Analysis(), found)
		if refs = refs[1:]; len(refs) > 0 {
			begin()
		}
	}
	begin()
	err := t.each(ctx, refs[0].Start, refs[len(refs)-1].End, func(m *chat.Message) error {
		n := max(m.N, 1) // what is in front of the first message belongs to it
		for n > refs[0].End {
			end()
		}
		if n < refs[0].Start {
			return nil // between two of them
		}
		meter.Add(m)
		if n == refs[0].End && !t.edited {
			end()
		}
		return ctx.Err()
	})
	for err == nil && len(refs) > 0 {
		end()
	}
	return err
}

// add keeps a measured analysis to be stored.
func (w *scoreWorker) add(ctx context.Context, ref *ScoreRef, a metric.Analysis, found []Found) {
	if ref.Analysis != "" {
		// What a model said of the same messages is not measured anew.
		if old, err := metric.Parse(ref.Analysis); err == nil && old.Scorer == metric.Judged {
			a.TakeJudged(&old, w.run.g.Config)
		}
	}
	w.list = append(w.list, scored{ref: *ref, analysis: a, found: found})
	w.tokens += ref.Tokens
	if len(w.list) >= batchScores || w.tokens >= batchTokens {
		w.flush(ctx)
	}
}

// flush stores what waits. A run that is cancelled still stores what it read.
func (w *scoreWorker) flush(ctx context.Context) {
	list := w.list
	if len(list) == 0 {
		return
	}
	defer func() {
		clear(w.list) // lets go of the texts
		w.list, w.tokens = w.list[:0], 0
	}()
	var writes []ScoreWrite
	for i := range list {
		s := &list[i]
		if s.write = -1; s.ref.Analysis == "" || s.ref.Analysis != s.analysis.Encode() {
			s.write = len(writes)
			writes = append(writes, ScoreWrite{ID: s.ref.ID, Digest: s.ref.Digest, Analysis: &s.analysis, Over: s.ref.Analysis, Found: s.found})
		}
	}
	if len(writes) > 0 {
		if err := w.run.g.Store.WriteScores(context.WithoutCancel(ctx), writes); err != nil {
			w.run.stop(err)
			return
		}
	}
	w.run.stored(list, writes)
}

// judge has one segment judged.
func (w *scoreWorker) judge(ctx context.Context, ref *ScoreRef) {
	refs := []ScoreRef{*ref}
	t := w.text(refs)
	t.expect(ref.Start, ref.End, ref.Tokens)
	in := metric.Input{Start: ref.Start, End: ref.End, Each: t.forCutter(ref.Start, ref.End).Each}
	var found []Found
	err := w.run.g.measure(ctx, t, refs, func(_ *ScoreRef, a metric.Analysis, list []Found) { in.Measured, found = a, list })
	if err != nil {
		w.blame(ctx, t, ref, err, false)
		return
	}
	a, err := w.run.g.Judge.Judge(ctx, in)
	if err == nil {
		err = sound(&a)
	}
	if err != nil {
		w.blame(ctx, t, ref, err, true)
		return
	}
	w.run.answered()
	w.list = append(w.list, scored{ref: *ref, analysis: a, found: found})
	w.flush(ctx) // an answer costs too much to be lost
}

// sound checks what a judge made: it can be read again, and says who judged.
func sound(a *metric.Analysis) error {
	if a.Scorer != metric.Judged {
		return errors.New("the judge said nothing")
	}
	_, err := metric.Parse(a.Encode())
	return err
}

// blame tells failures of the store from those of the judge, and both from
// segments that changed while they were read.
func (w *scoreWorker) blame(ctx context.Context, t *text, ref *ScoreRef, err error, asked bool) {
	failed := t.failed
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case errors.Is(err, ErrMissing):
		gone, lookErr := w.run.g.isGone(ctx, ref)
		if lookErr != nil {
			err = &review.StoreError{Err: lookErr}
		} else if gone {
			w.run.passed()
			return
		}
		asked = false
	case failed == nil:
	case errors.Is(failed, review.ErrNotFound): // its messages were given up
		w.run.passed()
		return
	case errors.Is(failed, chat.ErrCorruptChunk):
		err, asked = failed, false
	default:
		err = &review.StoreError{Err: failed}
	}
	w.run.fails(ctx, *ref, err, asked)
}

// probe has a conversation judged that any model can judge.
func (g *Scorer) probe(ctx context.Context) error {
	talk := []chat.Message{
		{N: 1, Role: chat.User, Content: "What is the capital of France?"},
		{N: 2, Role: chat.Assistant, Content: "The capital of France is Paris."},
	}
	in := metric.Input{Start: 1, End: len(talk), Measured: metric.Measure(g.Config, 1, talk), Each: reader(talk...)}
	a, err := g.Judge.Judge(ctx, in)
	if err == nil {
		err = sound(&a)
	}
	return err
}
