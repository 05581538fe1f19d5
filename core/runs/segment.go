package runs

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/core/segment"
)

// cutPage is how many sessions are looked up at once.
const cutPage = 256

// Segmenter cuts the sessions of a store that are to be cut. Each is stored when
// it is done, or some together if no model was asked, so that a run that was
// stopped goes on where it was.
type Segmenter struct {
	Store  CutStore
	Cutter segment.Cutter // safe for use by Jobs goroutines
	// Jobs is how many sessions are cut at once; 0 means one per processor.
	Jobs int
	// Again cuts everything anew that no curator cut: sessions that are done,
	// and segments that were judged.
	Again  bool
	Limit  int         // of sessions, 0 none
	Filter filter.Node // as in CutQuery
	Quiet  Quiet       // as in CutQuery
	Guide  Guide[CutRef]
	// Progress, if not nil, is called when something is done; calls don't
	// overlap.
	Progress func(CutProgress)
}

// CutProgress is a moment of a run: what is done of what there was to be done
// when it began. Tokens are estimated.
type CutProgress struct {
	Sessions, AllSessions int
	Messages, AllMessages int
	Tokens, AllTokens     int
	Note                  string // what failed last, "" if nothing did
}

// CutReport is the outcome of a run.
type CutReport struct {
	Sessions int // that were cut
	Changed  int // of them, whose segments are others now
	Segments int // that they have now
	Messages int // that they have
	// GoOn counts judged segments that go on in messages that were added: what
	// took their place is stale.
	GoOn int
	// Busy counts sessions that changed whenever they were cut, because an
	// agent is writing them. They stay to be cut.
	Busy   int
	Failed []CutFailure // sessions that stay to be cut, by file
}

// CutFailure is a session that could not be cut.
type CutFailure struct {
	Session string `json:"session_id"`
	File    string `json:"session_file"`
	Err     error  `json:"reason"`
}

// Run cuts until nothing is left. A session that fails is left alone and
// reported, unless the store fails or the cutter can't cut anything at all: then
// Run stops with that error. Cancelling ctx stops it soon. The report is of what
// was done in any case.
func (g *Segmenter) Run(ctx context.Context) (CutReport, error) {
	r := &cutRun{g: g}
	if err := r.count(ctx); err != nil {
		return r.report, err
	}
	r.tell()
	ctx, r.stop = context.WithCancelCause(ctx)
	defer r.stop(nil)
	err := share(ctx, g.Jobs, func() (func(CutRef), func()) {
		var waiting cutBatch
		return unlessOver(&g.Guide, func(ref CutRef) { r.session(ctx, ref, &waiting) }), func() { r.flush(ctx, &waiting) }
	}, func(give func(CutRef) error) error {
		return g.each(ctx, func(refs []CutRef) error {
			for _, ref := range refs {
				if err := cmp.Or(g.Guide.enough(), give(ref)); err != nil {
					return err
				}
			}
			return nil
		})
	})
	slices.SortFunc(r.report.Failed, func(a, b CutFailure) int { return strings.Compare(a.File, b.File) })
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return r.report, unlessEnough(err)
}

// query asks for what is to be cut.
func (g *Segmenter) query() CutQuery { return CutQuery{All: g.Again, Filter: g.Filter, Quiet: g.Quiet} }

// each calls f for the sessions to be cut, some at a time.
func (g *Segmenter) each(ctx context.Context, f func([]CutRef) error) error {
	q := g.query()
	for left := g.Limit; ; {
		q.Limit = cutPage
		if g.Limit > 0 {
			q.Limit = min(cutPage, left)
		}
		refs, err := g.Store.SessionsToCut(ctx, q)
		if err != nil || len(refs) == 0 {
			return err
		}
		q.After = refs[len(refs)-1]
		all := len(refs)
		refs = g.Guide.without(refs)
		if err := f(refs); err != nil {
			return err
		}
		if left -= len(refs); left == 0 || all < q.Limit {
			return nil
		}
	}
}

// cutRun is a run under way.
type cutRun struct {
	underway
	g        *Segmenter
	report   CutReport
	progress CutProgress
}

// count finds out how much there is to do.
func (r *cutRun) count(ctx context.Context) (err error) {
	p := &r.progress
	if r.g.Limit <= 0 && r.g.Guide.Skip == nil {
		q := r.g.query()
		q.Limit = 1
		p.AllSessions, p.AllMessages, p.AllTokens, err = r.g.Store.CountToCut(ctx, q)
		return err
	}
	return r.g.each(ctx, func(refs []CutRef) error {
		for i := range refs {
			p.AllSessions++
			p.AllMessages += refs[i].Messages
			p.AllTokens += refs[i].Tokens
		}
		return nil
	})
}

// tell reports the progress.
func (r *cutRun) tell() {
	if r.g.Progress != nil {
		r.g.Progress(r.progress)
	}
}

// session cuts one session, and notes what came of it if nothing of it waits to
// be stored.
func (r *cutRun) session(ctx context.Context, ref CutRef, waiting *cutBatch) {
	c := &cutting{g: r.g}
	if r.g.Cutter.By() != review.CutOffline {
		done, err := c.one(ctx, ref.ID)
		r.outcome(ctx, ref, done, err)
		return
	}
	w, done, err := c.try(ctx, ref.ID)
	if err == nil && done.asked {
		r.answered()
	}
	switch {
	case errors.Is(err, review.ErrConflict):
		done, err = c.one(ctx, ref.ID)
	case err == nil && w != nil:
		if !waiting.fits(w) {
			r.flush(ctx, waiting)
		}
		waiting.add(ref, c, w, done)
		if waiting.full() {
			r.flush(ctx, waiting)
		}
		return
	}
	r.outcome(ctx, ref, done, err)
}

// outcome notes what came of a session, and stops the run if nothing can be
// stored or cut.
func (r *cutRun) outcome(ctx context.Context, ref CutRef, done cutDone, err error) {
	if err != nil {
		if err = r.reason(ctx, err); err == nil {
			return
		}
	}
	if r.note(ref, done, err) {
		r.tryModel(ctx, "cut", r.g.probe)
	}
}

// note notes what came of a session. It reports whether so many have failed
// that it is to be found out why.
func (r *cutRun) note(ref CutRef, done cutDone, err error) (probe bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if errors.Is(err, ErrUnfinished) {
		r.report.Failed = append(r.report.Failed, CutFailure{ref.ID, ref.File, err})
		return false
	}
	p := &r.progress
	p.Sessions++
	p.Messages += ref.Messages
	p.Tokens += ref.Tokens
	switch {
	case errors.Is(err, errBusy):
		r.report.Busy++
	case err != nil:
		r.report.Failed = append(r.report.Failed, CutFailure{ref.ID, ref.File, err})
		p.Note = err.Error()
		r.g.Guide.ended(&ref, err)
		probe = r.strikes.fail()
	default:
		r.add(done)
		r.g.Guide.ended(&ref, nil)
	}
	r.tell()
	return probe
}

func (r *cutRun) add(done cutDone) {
	r.report.Sessions += done.sessions
	r.report.Changed += done.changed
	r.report.Segments += done.segments
	r.report.Messages += done.messages
	r.report.GoOn += done.goOn
	if done.asked {
		r.strikes.clear()
	}
}

// probe asks the cutter to cut a conversation that any can cut.
func (g *Segmenter) probe(ctx context.Context) error {
	cuts, err := g.Cutter.Cut(ctx, segment.Text{From: 1, To: 4, Each: reader(
		chat.Message{N: 1, Role: chat.User, Content: "What is the capital of France?"},
		chat.Message{N: 2, Role: chat.Assistant, Content: "Paris."},
		chat.Message{N: 3, Role: chat.User, Content: "Now something else. Sort these numbers: 3, 1, 2."},
		chat.Message{N: 4, Role: chat.Assistant, Content: "1, 2, 3."},
	)})
	if err != nil {
		return err
	}
	return segment.CheckCuts(cuts, 1, 4)
}
