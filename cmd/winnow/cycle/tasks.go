package cycle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/core/chat"
	"winnow/core/cycle"
	"winnow/core/inbox"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/core/segment"
	"winnow/tui/draw"
)

// step is a step by its name.
type step struct {
	name string
	do   func(d *Database, ctx context.Context, o *cycle.Order) (cycle.Step, error)
}

// steps are all steps, in their order.
var steps = []step{
	{"import", (*Database).uploads},
	{"segment", (*Database).segment},
	{"score", (*Database).score},
	{"judge", (*Database).judge},
	{"extract", (*Database).extract},
	{"train", (*Database).train},
}

// task is a step on a database.
type task struct {
	step
	d *Database
}

// Name implements cycle.Task.
func (t task) Name() string { return t.name }

// Do implements cycle.Task.
func (t task) Do(ctx context.Context, o *cycle.Order) (cycle.Step, error) { return t.do(t.d, ctx, o) }

// quiet is what an order leaves alone.
func quiet(o *cycle.Order) runs.Quiet {
	if !o.Quiet.Before(o.Now) {
		return runs.Quiet{}
	}
	return runs.Quiet{Since: o.Quiet, Until: o.Now}
}

// over says that what failed is no longer to be done: it is gone, or somebody did it.
func over[T any](ctx context.Context, find func(context.Context, string) (T, error), done func(T) bool) func(string) (bool, error) {
	return func(id string) (bool, error) {
		it, err := find(ctx, id)
		if errors.Is(err, review.ErrNotFound) {
			return true, nil
		}
		return err == nil && done(it), err
	}
}

func isCut(s *review.StoredSession) bool { return s.Segmented }

func isMeasured(s review.Segment) bool { return s.Labeled }

func isJudged(s review.Segment) bool {
	a, err := metric.Parse(s.Analysis)
	return err == nil && a.Scorer == metric.Judged
}

// segment cuts sessions, by rules or by the model that is configured.
func (d *Database) segment(ctx context.Context, o *cycle.Order) (s cycle.Step, err error) {
	if err := o.Over(over(ctx, d.SessionByID, isCut)); err != nil {
		return s, err
	}
	q := runs.CutQuery{Limit: 1, Quiet: quiet(o)}
	n, _, _, err := d.CountToCut(ctx, q)
	if n == 0 && err == nil {
		if n, _, _, err = d.CountToCut(ctx, runs.CutQuery{Limit: 1}); n > 0 {
			s.Note = print.Plural(n, "session waits: it was", "sessions wait: each was") + " written to less than [run] quiet ago"
		}
		return s, err
	}
	if err != nil {
		return s, err
	}
	who, err := models.NewCutter(d.Config, "auto", d.Now)
	if err != nil {
		return s, err
	}
	w := &watch{o: o, one: "session", who: &who.Asking}
	g := &runs.Segmenter{Store: d.Store, Cutter: who.Cutter, Jobs: who.Jobs, Limit: o.Limit, Quiet: q.Quiet}
	g.Guide = guide(w, func(r *runs.CutRef) string { return r.ID }, func(r *runs.CutRef) string {
		now, err := d.SessionByID(ctx, r.ID)
		if err != nil {
			return "" // it is gone, or nothing can be read
		}
		return input(segment.Prompt(), who.Model, fmt.Sprint(now.Trace, now.Body, now.Edits))
	})
	g.Progress = func(p runs.CutProgress) { w.moved(p.AllSessions) }
	err = d.asking(ctx, o, "segment", &who.Asking, func(ctx context.Context) error {
		_, err := g.Run(ctx)
		return err
	})
	return w.end(), err
}

// score measures segments, which asks no model.
func (d *Database) score(ctx context.Context, o *cycle.Order) (cycle.Step, error) {
	return d.run(ctx, o, "score", runs.ScoreQuery{}, models.Measuring(d.Config), isMeasured)
}

// judge has a model judge segments, if one is configured for that.
func (d *Database) judge(ctx context.Context, o *cycle.Order) (s cycle.Step, err error) {
	who, err := models.NewScorer(d.Config, "auto", d.Now)
	if err != nil || who.Judge == nil {
		return s, err
	}
	return d.run(ctx, o, "judge", runs.ScoreQuery{Judge: true, Quiet: quiet(o)}, who, isJudged)
}

func (d *Database) run(ctx context.Context, o *cycle.Order, name string, q runs.ScoreQuery, who *models.Scorer, done func(review.Segment) bool) (s cycle.Step, err error) {
	if err := o.Over(over(ctx, d.Store.Segment, done)); err != nil {
		return s, err
	}
	q.Limit = 1
	if n, _, _, err := d.CountToScore(ctx, q); n == 0 || err != nil {
		return s, err
	}
	w := &watch{o: o, one: "segment", who: &who.Asking}
	g := d.Scorer(who)
	g.Limit, g.Quiet = o.Limit, q.Quiet
	g.Guide = guide(w, func(r *runs.ScoreRef) string { return r.ID }, func(r *runs.ScoreRef) string {
		return ofContent(metric.Prompt(), who.Model, r.Digest)
	})
	g.Progress = func(p runs.ScoreProgress) { w.moved(p.AllSegments) }
	err = d.asking(ctx, o, name, &who.Asking, func(ctx context.Context) error {
		_, err := g.Run(ctx)
		return err
	})
	return w.end(), err
}

// extract looks for what was learned in approved segments, if [memory] names a model for
// that. Memories whose source is gone need no step: that is looked up whenever they are
// read.
func (d *Database) extract(ctx context.Context, o *cycle.Order) (s cycle.Step, err error) {
	who, err := models.NewExtractor(d.Config, "auto", d.Now)
	if err != nil || who.Silent() {
		return s, err
	}
	g, err := d.Learning(who)
	if err != nil {
		return s, err
	}
	g.Limit, g.Quiet = o.Limit, quiet(o)
	w := &watch{o: o, one: "segment", who: &who.Asking}
	g.Guide = guide(w, func(r *runs.LearnRef) string { return r.ID }, func(r *runs.LearnRef) string {
		return ofContent(who.Name(), "", r.Digest)
	})
	g.Progress = func(_, all int, _ *runs.LearnedReport) { w.moved(all) }
	if any, err := g.Any(ctx); err != nil || !any {
		return w.end(), err
	}
	err = d.holding(ctx, o, "extract", &who.Asking, func(ctx context.Context, token string) error {
		g.Token = token
		_, err := g.Run(ctx)
		return err
	})
	return w.end(), err
}

// asking does what a model is asked for, under a lease, and what asks none at once. There
// is nobody here to allow that sessions are sent to its host.
func (d *Database) asking(ctx context.Context, o *cycle.Order, name string, who *models.Asking, do func(context.Context) error) error {
	if who.Silent() {
		return do(ctx)
	}
	return d.holding(ctx, o, name, who, func(ctx context.Context, _ string) error { return do(ctx) })
}

// holding is asking for what names its lease in what it writes.
func (d *Database) holding(ctx context.Context, o *cycle.Order, name string, who *models.Asking, do func(ctx context.Context, token string) error) error {
	host := who.Host()
	yes, err := d.Allowed(ctx, host)
	if err != nil {
		return err
	}
	if !yes {
		return cycle.Wait(fmt.Errorf("nothing may be sent to %s yet: the screen asks, and %s allows it", host, d.Command("run --allow "+host)))
	}
	if who.Unpriced != "" && d.Number("run.max_cost_per_day") > 0 {
		return cycle.Wait(fmt.Errorf("without prices, [run] max_cost_per_day bounds nothing: set price_in and price_out under [%s], 0 if it costs nothing, or max_cost_per_day = 0", who.Unpriced))
	}
	err = o.Hold(ctx, name, do)
	var unusable runs.Unusable
	if errors.As(err, &unusable) {
		return cycle.Wait(err)
	}
	return err
}

// input tells apart what a model was asked: content, model and prompt.
func input(prompt string, parts ...string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q", prompt, parts))
	return hex.EncodeToString(sum[:16])
}

// ofContent is the input of what is asked about messages.
func ofContent(prompt, model string, d chat.Digest) string {
	return input(prompt, model, d.Fingerprint, d.Detail, d.Edited)
}

// watch counts what a step does.
type watch struct {
	o   *cycle.Order
	one string // what is counted
	who *models.Asking

	mu    sync.Mutex
	step  cycle.Step
	later map[string]bool // what failed before and is not yet tried again
	why   string          // the first one failed
}

// guide has a run pass over what failed before, and end when the budget is used.
func guide[Ref any](w *watch, id, input func(*Ref) string) runs.Guide[Ref] {
	w.later = map[string]bool{}
	return runs.Guide[Ref]{
		Skip: func(r *Ref) bool {
			if !w.o.FailedBefore(id(r)) || !w.o.Skip(id(r), input(r)) {
				return false
			}
			w.later[id(r)] = true
			return true
		},
		Enough: func() bool { return !w.who.Silent() && w.o.Enough(w.used()) },
		Ended: func(r *Ref, err error) {
			if err == nil {
				w.o.Did(id(r))
			} else {
				w.o.Failed(id(r), input(r), err)
			}
			w.ended(err)
		},
	}
}

func (w *watch) used() cycle.Usage {
	u := w.who.Usage()
	return cycle.Usage{In: u.In, Out: u.Out, Cost: u.Cost}
}

func (w *watch) ended(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		w.step.Done++
		return
	}
	if w.step.Failed++; w.why == "" {
		w.why = err.Error()
	}
}

// moved tells how far the step is, of all there was to do.
func (w *watch) moved(all int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.step.Todo = all
	w.o.Moved(w.now())
}

// now is the step with what was used so far.
func (w *watch) now() cycle.Step {
	u := w.used()
	w.step.TokensIn, w.step.TokensOut, w.step.Cost = u.In, u.Out, u.Cost
	return w.step
}

// end is the step with what is to be said of it.
func (w *watch) end() cycle.Step {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.step.Failed > 0:
		w.step.Note = draw.Plural(w.step.Failed, w.one) + ": " + w.why
	case len(w.later) > 0:
		w.step.Note = draw.Plural(len(w.later), w.one) + " failed before: tried again later"
	}
	return w.now()
}

// Database is what cycles are done with.
type Database struct {
	*desk.Desk
	// Uploads imports what lies in an inbox; the folder is "" for the usual one.
	Uploads func(ctx context.Context, inbox string) (done, failed int, err error)
	inbox   string
}

// uploads imports what was sent to "winnow serve" and not imported.
func (d *Database) uploads(ctx context.Context, o *cycle.Order) (s cycle.Step, err error) {
	err = o.Hold(ctx, "import", func(ctx context.Context, _ string) (err error) {
		s.Done, s.Failed, err = d.Uploads(ctx, d.inbox)
		return err
	})
	if errors.Is(err, inbox.ErrTaken) {
		return cycle.Step{Status: cycle.Skipped, Note: "winnow serve is at it"}, nil
	}
	if s.Todo = s.Done + s.Failed; s.Failed > 0 {
		s.Note = draw.Plural(s.Failed, "upload") + " could not be imported"
	}
	return s, err
}
