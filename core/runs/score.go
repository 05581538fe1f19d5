package runs

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"winnow/core/filter"
	"winnow/core/metric"
)

const (
	// scorePage is how many segments are looked up at once, filteredPage if each
	// look may search for a text: that takes up to a second, and their analyses
	// 10 MB.
	scorePage    = 512
	filteredPage = 8192
	// scorePasses is how often it is looked whether segments that changed
	// while they were read are still to be scored. One that an agent keeps
	// writing waits for the next run.
	scorePasses = 3
)

// Scorer gives segments their analyses: those that have none, or that no model
// has judged yet. What is stored is done, so that a run that was stopped goes on
// where it was. Analyses depend on nothing but messages and configuration, and
// what the judge says.
type Scorer struct {
	Store  ScoreStore
	Config metric.Config // checked
	Judge  Judge         // nil: segments are only measured, and nothing is sent anywhere
	// Request is how much is sent to Judge about a segment, for the progress.
	Request RequestSize
	// Jobs is how many segments are read at once; 0 means one per processor.
	Jobs int
	// Again scores what is scored, too. Without a Judge, what a model said
	// stays.
	Again  bool
	Limit  int         // of segments, 0 none
	Filter filter.Node // of segments, nil: all
	Quiet  Quiet       // as in ScoreQuery
	Guide  Guide[ScoreRef]
	// Progress, if not nil, is called when something is done; calls don't
	// overlap.
	Progress func(ScoreProgress)
}

// ScoreProgress is a moment of a run: what is done of what there was to be done
// when it began. Tokens are estimated: with a Judge, those that are sent to it.
type ScoreProgress struct {
	Segments, AllSegments int
	Messages, AllMessages int
	Tokens, AllTokens     int
	Note                  string // what failed last, "" if nothing did
}

// ScoreReport is the outcome of a run.
type ScoreReport struct {
	Segments int     // that were scored
	Changed  int     // of them, whose analysis is another one now
	Messages int     // that they have
	Tokens   int     // that they have, estimated
	Scored   int     // of them, to which any metric applies
	Sum      float64 // of their scores
	Judged   int     // of those that were scored, with what a model says or said
	// Busy counts segments that changed whenever they were read, because an
	// agent is writing them. They stay to be scored.
	Busy   int
	Failed []ScoreFailure // segments that stay as they were, by file and place
}

// Mean is the mean of the scores, 0 if there is none.
func (r *ScoreReport) Mean() float64 {
	if r.Scored == 0 {
		return 0
	}
	return r.Sum / float64(r.Scored)
}

// ScoreFailure is a segment that could not be scored.
type ScoreFailure struct {
	Segment string `json:"id"`
	File    string `json:"session_file"`
	Start   int    `json:"start_line"` // message number
	Err     error  `json:"reason"`
	Asked   bool   `json:"-"` // the judge was
}

// Run scores until nothing is left. A segment that fails is left alone and
// reported, unless the store fails or the judge can't judge anything at all:
// then Run stops with that error. Cancelling ctx stops it soon. The report is of
// what was done in any case.
func (g *Scorer) Run(ctx context.Context) (ScoreReport, error) {
	r := &scoreRun{g: g, failed: map[string]bool{}}
	q := ScoreQuery{Judge: g.Judge != nil, All: g.Again, Filter: g.Filter, Quiet: g.Quiet, Request: g.Request}
	if err := r.count(ctx, q); err != nil {
		return r.report, err
	}
	r.tell()
	ctx, r.stop = context.WithCancelCause(ctx)
	defer r.stop(nil)
	var err error
	for range scorePasses {
		if err = r.pass(ctx, q); err != nil || ctx.Err() != nil || r.moved == 0 || g.Judge != nil {
			break // to ask about one that is being written again costs too much
		}
		q.All = false // what changed has no analysis
	}
	r.report.Busy = r.moved
	slices.SortFunc(r.report.Failed, func(a, b ScoreFailure) int {
		if a.File == b.File {
			return a.Start - b.Start
		}
		return strings.Compare(a.File, b.File)
	})
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return r.report, unlessEnough(err)
}

// pass scores what a query lists.
func (r *scoreRun) pass(ctx context.Context, q ScoreQuery) error {
	r.moved = 0
	return share(ctx, r.g.Jobs, func() (func([]ScoreRef), func()) {
		w := scoreWorker{run: r}
		return unlessOver(&r.g.Guide, func(refs []ScoreRef) { w.score(ctx, refs) }), func() { w.flush(ctx) }
	}, func(give func([]ScoreRef) error) error {
		return r.each(ctx, q, func(refs []ScoreRef) error {
			for _, list := range neighbours(refs, r.g.Judge != nil) {
				if err := cmp.Or(r.g.Guide.enough(), give(list)); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// each calls f for the segments to be scored, some at a time, without those that
// failed in this run.
func (r *scoreRun) each(ctx context.Context, q ScoreQuery, f func([]ScoreRef) error) error {
	page := scorePage
	if q.Filter != nil {
		page = filteredPage
	}
	for left := r.left(); left != 0; {
		q.Limit = page
		if left > 0 {
			q.Limit = min(page, left)
		}
		refs, err := r.g.Store.SegmentsToScore(ctx, q)
		if err != nil || len(refs) == 0 {
			return err
		}
		q.After = refs[len(refs)-1]
		all := len(refs)
		refs = r.g.Guide.without(r.without(refs))
		if err := f(refs); err != nil {
			return err
		}
		if left > 0 {
			left -= len(refs)
		}
		if all < q.Limit {
			return nil
		}
	}
	return nil
}

const (
	// gapMost is how many messages may lie between two segments that are read
	// in one go: about a chunk, which would be read twice otherwise.
	gapMost = 64
	// groupTokens is how much is read in one go at most, 4 MB, so that a
	// session of thousands of segments is work for several goroutines.
	groupTokens = 1 << 20
)

// neighbours splits a list into runs of segments that are read in one go, or
// into single ones.
func neighbours(refs []ScoreRef, single bool) [][]ScoreRef {
	var lists [][]ScoreRef
	first, tokens := 0, 0
	for i := range refs {
		if i > first {
			before, ref := &refs[i-1], &refs[i]
			if single || tokens > groupTokens || before.Body != ref.Body || ref.Start <= before.End || ref.Start-before.End > gapMost {
				lists = append(lists, refs[first:i])
				first, tokens = i, 0
			}
		}
		tokens += refs[i].Tokens
	}
	if first < len(refs) {
		lists = append(lists, refs[first:])
	}
	return lists
}
