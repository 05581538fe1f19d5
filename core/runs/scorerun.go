package runs

import (
	"context"
	"errors"

	"winnow/core/metric"
	"winnow/core/review"
)

// scoreRun is a run under way.
type scoreRun struct {
	underway
	g        *Scorer
	report   ScoreReport
	progress ScoreProgress
	moved    int             // segments of this pass that changed while they were read
	failed   map[string]bool // ids
}

// count finds out how much there is to do.
func (r *scoreRun) count(ctx context.Context, q ScoreQuery) (err error) {
	p := &r.progress
	if r.g.Limit <= 0 && r.g.Guide.Skip == nil {
		q.Limit = 1
		p.AllSegments, p.AllMessages, p.AllTokens, err = r.g.Store.CountToScore(ctx, q)
		return err
	}
	return r.each(ctx, q, func(refs []ScoreRef) error {
		for i := range refs {
			p.AllSegments++
			p.AllMessages += refs[i].Messages()
			p.AllTokens += q.Request.Tokens(refs[i].Tokens)
		}
		return nil
	})
}

func (ref *ScoreRef) Messages() int { return ref.End - ref.Start + 1 }

// left is how many segments may still be scored, -1 for any number.
func (r *scoreRun) left() int {
	if r.g.Limit <= 0 {
		return -1
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(0, r.g.Limit-r.report.Segments-len(r.report.Failed))
}

// without leaves out what failed.
func (r *scoreRun) without(refs []ScoreRef) []ScoreRef {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.failed) == 0 {
		return refs
	}
	kept := refs[:0:0]
	for i := range refs {
		if !r.failed[refs[i].ID] {
			kept = append(kept, refs[i])
		}
	}
	return kept
}

// tell reports the progress.
func (r *scoreRun) tell() {
	if r.g.Progress != nil {
		r.g.Progress(r.progress)
	}
}

// done counts a segment in the progress.
func (r *scoreRun) done(ref *ScoreRef) {
	p := &r.progress
	p.Segments++
	p.Messages += ref.Messages()
	p.Tokens += r.g.Request.Tokens(ref.Tokens)
}

// stored notes analyses that were written, or were there already.
func (r *scoreRun) stored(list []scored, writes []ScoreWrite) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &r.report
	for i := range list {
		s := &list[i]
		if s.write >= 0 && !writes[s.write].Written {
			r.moved++
			continue
		}
		if s.write >= 0 {
			t.Changed++
		}
		r.done(&s.ref)
		r.g.Guide.ended(&s.ref, nil)
		t.Segments++
		t.Messages += s.ref.Messages()
		t.Tokens += s.ref.Tokens
		if s.analysis.Scorer == metric.Judged {
			t.Judged++
		}
		if score := s.analysis.Summary.OverallScore; score != nil {
			t.Scored++
			t.Sum += *score
		}
	}
	r.tell()
}

// passed notes a segment that changed meanwhile.
func (r *scoreRun) passed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.moved++
}

// fails notes a segment that could not be scored. asked says that the judge was.
func (r *scoreRun) fails(ctx context.Context, ref ScoreRef, err error, asked bool) {
	if err = r.reason(ctx, err); err == nil {
		return
	}
	asked = asked && !errors.Is(err, ErrUnfinished)
	r.mu.Lock()
	r.report.Failed = append(r.report.Failed, ScoreFailure{ref.ID, ref.File, ref.Start, err, asked})
	r.failed[ref.ID] = true
	r.done(&ref)
	if !errors.Is(err, ErrUnfinished) {
		r.progress.Note = err.Error()
		r.g.Guide.ended(&ref, err)
	}
	probe := asked && r.strikes.fail()
	r.tell()
	r.mu.Unlock()
	if probe {
		r.tryModel(ctx, "judged", r.g.probe)
	}
}

// scored is a segment with its new analysis.
type scored struct {
	ref      ScoreRef
	analysis metric.Analysis
	found    []Found
	write    int // index of what stores it, -1: it is stored
}

// isGone reports whether a segment is not there any more, or with another
// content.
func (g *Scorer) isGone(ctx context.Context, ref *ScoreRef) (bool, error) {
	now, err := g.Store.Segment(ctx, ref.ID)
	if errors.Is(err, review.ErrNotFound) {
		return true, nil
	}
	return now.Digest != ref.Digest || now.Body != ref.Body || now.Start != ref.Start, err
}
