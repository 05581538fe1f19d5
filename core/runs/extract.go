package runs

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/llm"
	"winnow/core/memory"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/core/secret"
	"winnow/core/session"
)

// ExtractStore is what a run needs that looks for memories.
type ExtractStore interface {
	Segments(ctx context.Context, q review.Query) (review.Page, error)
	Session(ctx context.Context, id string) (review.Session, error)
	Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error)
	// Unextracted returns those of some segments that an extractor is to look at, by id:
	// rules at what nobody looked at, a model also at what only rules looked at.
	Unextracted(ctx context.Context, segments []review.Segment, extractor string) ([]string, error)
	// PassExtraction says that a segment needs not be asked about, if its content was.
	PassExtraction(ctx context.Context, seg *review.Segment, extractor string) (done bool, err error)
	KnownMemories(ctx context.Context, agent, dir string) ([]memory.Memory, error)
	PutExtraction(ctx context.Context, x *memory.Extraction) (kept bool, err error)
}

// Learning looks for memories in segments: approved ones that are fresh, each content
// once. What is stored is done, so that a run that was stopped goes on where it was.
type Learning struct {
	Store   ExtractStore
	By      memory.Extractor
	Scanner *secret.Scanner // what it finds is in no memory, and is replaced before anybody sees it
	Plain   bool            // it is not replaced
	// Eligible has pending and unsure segments looked at, too, that qualify by these
	// thresholds; nil: approved ones alone.
	Eligible *metric.Thresholds
	Filter   filter.Node // of segments, nil: all
	Limit    int         // of segments, 0 none
	Jobs     int         // segments at once, 0: one per processor
	Again    bool        // also those that were asked about
	Token    string      // of the lease, "" without one

	Guide Guide[review.Segment]
	// Progress, if not nil, is called when something is done; calls don't overlap.
	Progress func(done, all int, r *LearnedReport)
}

// LearnedReport is the outcome of a run.
type LearnedReport struct {
	Segments  int                 `json:"segments"`            // that were asked about
	Kept      int                 `json:"kept"`                // new memories
	Again     int                 `json:"again"`               // that were known, and have another source now
	Dropped   map[memory.Drop]int `json:"dropped"`             // candidates that are none, by reason
	Passed    int                 `json:"passed,omitzero"`     // whose content had been asked about
	Busy      int                 `json:"busy,omitzero"`       // that changed while they were read
	TokensIn  int                 `json:"tokens_in,omitzero"`  // sent, estimated
	TokensOut int                 `json:"tokens_out,omitzero"` // answered
	Failed    []LearnFailure      `json:"failed"`
}

// LearnFailure is a segment of which nothing is known yet.
type LearnFailure struct {
	Segment string `json:"id"`
	File    string `json:"session_file"`
	Start   int    `json:"start_line"`
	Err     error  `json:"-"`
	Reason  string `json:"reason"`
}

const (
	learnPage = 256
	// toldMost is how many messages before a segment are looked at for what the session
	// was told at its beginning.
	toldMost = 12
)

// Query is the filter of the segments that a run looks at.
func (g *Learning) Query() filter.Node {
	verdicts := []string{string(review.Approved)}
	if g.Eligible != nil {
		verdicts = append(verdicts, string(review.Pending), string(review.Unsure))
	}
	is := func(f filter.Field, value string) filter.Node {
		return filter.Term{Field: f, Op: filter.Is, Value: value}
	}
	return filter.All(filter.ByStatus(verdicts...), filter.Not{Of: is(filter.Has, "stale")}, filter.Not{Of: is(filter.Cut, string(review.CutProvisional))},
		filter.Not{Of: is(filter.Tag, memory.Private)}, g.Filter)
}

// Todo lists the segments that a run would look at, in the natural order.
func (g *Learning) Todo(ctx context.Context) ([]review.Segment, error) {
	var list []review.Segment
	q := review.Query{Filter: g.Query(), Order: review.Natural, Limit: learnPage}
	for {
		p, err := g.Store.Segments(ctx, q)
		if err != nil {
			return nil, err
		}
		todo, err := g.open(ctx, p.Segments)
		if err != nil {
			return nil, err
		}
		for i := range todo {
			if g.Limit > 0 && len(list) == g.Limit {
				return list, nil
			}
			list = append(list, todo[i])
		}
		if !p.More || len(p.Segments) == 0 {
			return list, nil
		}
		q.After = review.CursorOf(review.Natural, &p.Segments[len(p.Segments)-1])
	}
}

// open leaves out what was asked about, and what does not qualify.
func (g *Learning) open(ctx context.Context, list []review.Segment) ([]review.Segment, error) {
	var ids []string
	if !g.Again {
		var err error
		if ids, err = g.Store.Unextracted(ctx, list, g.By.Name()); err != nil {
			return nil, err
		}
	}
	return g.Guide.without(slices.DeleteFunc(slices.Clone(list), func(s review.Segment) bool {
		return !g.Again && !slices.Contains(ids, s.ID) || !g.qualifies(&s)
	})), nil
}

// qualifies reports whether a segment is approved, or good enough.
func (g *Learning) qualifies(s *review.Segment) bool {
	if s.Verdict == review.Approved {
		return true
	}
	if g.Eligible == nil || s.Analysis == "" {
		return false
	}
	a, err := metric.Parse(s.Analysis)
	if err != nil {
		return false
	}
	memory, _ := a.Eligible(*g.Eligible)
	return memory
}

// learning is a run under way.
type learning struct {
	underway
	g        *Learning
	contents turns
	report   LearnedReport
	done     int
	all      int
}

// Run looks for memories until nothing is left. A segment that fails is left alone and
// reported, unless the store fails or the model can't be used at all: then Run stops with
// that error. The report is of what was done in any case.
func (g *Learning) Run(ctx context.Context) (LearnedReport, error) {
	r := &learning{g: g, report: LearnedReport{Dropped: map[memory.Drop]int{}, Failed: []LearnFailure{}}}
	todo, err := g.Todo(ctx)
	if err != nil {
		return r.report, err
	}
	r.all = len(todo)
	r.tell()
	groups, err := g.byFolder(ctx, todo)
	if err != nil {
		return r.report, err
	}
	ctx, r.stop = context.WithCancelCause(ctx)
	defer r.stop(nil)
	// Segments of one agent and folder go one after the other, so that what the first
	// teaches is known when the second is asked about.
	err = share(ctx, g.Jobs, func() (func([]review.Segment), func()) {
		return func(list []review.Segment) { r.each(ctx, list) }, func() {}
	}, func(give func([]review.Segment) error) error {
		for _, list := range groups {
			if err := give(list); err != nil {
				return err
			}
		}
		return nil
	})
	slices.SortFunc(r.report.Failed, func(a, b LearnFailure) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Start-b.Start)
	})
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return r.report, err
}

// byFolder splits segments into those of one agent and folder each, in their order.
func (g *Learning) byFolder(ctx context.Context, todo []review.Segment) ([][]review.Segment, error) {
	type place struct{ agent, dir string }
	dirs := map[string]string{} // by session
	at := map[place]int{}
	var groups [][]review.Segment
	for i := range todo {
		s := &todo[i]
		dir, known := dirs[s.SessionID]
		if !known {
			of, err := g.Store.Session(ctx, s.SessionID)
			if err != nil && !errors.Is(err, review.ErrNotFound) { // one that left is told when it is its turn
				return nil, err
			}
			dir = of.Dir
			dirs[s.SessionID] = dir
		}
		p := place{s.AgentID, dir}
		n, met := at[p]
		if !met {
			n = len(groups)
			at[p], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], *s)
	}
	return groups, nil
}

func (r *learning) each(ctx context.Context, list []review.Segment) {
	for i := range list {
		if ctx.Err() != nil || r.g.Guide.enough() != nil {
			return
		}
		// Another agent or folder may have the same content: what one is asked about
		// need not be asked about the other.
		release, err := r.contents.take(ctx, memory.ContentKey(list[i].Digest))
		if err != nil {
			return
		}
		r.one(ctx, &list[i])
		release()
	}
}

func (r *learning) one(ctx context.Context, seg *review.Segment) {
	x, passed, err := r.g.extract(ctx, seg)
	switch {
	case err != nil:
		r.fails(ctx, seg, err)
		return
	case passed:
		r.count(seg, func(n *LearnedReport) { n.Passed++ })
		return
	}
	r.answered()
	kept, err := r.g.Store.PutExtraction(ctx, x)
	switch {
	case err != nil:
		r.stop(err)
	case !kept:
		r.count(seg, func(n *LearnedReport) { n.Busy++ })
	default:
		r.count(seg, func(n *LearnedReport) { n.add(x) })
	}
}

// add counts what was found in a segment.
func (n *LearnedReport) add(x *memory.Extraction) {
	n.Segments++
	n.Kept += len(x.Sifted.Kept)
	n.Again += len(x.Sifted.Again)
	for drop, k := range x.Sifted.Dropped {
		n.Dropped[drop] += k
	}
	n.TokensIn += x.TokensIn
	n.TokensOut += x.TokensOut
}

func (r *learning) count(seg *review.Segment, f func(*LearnedReport)) {
	r.g.Guide.ended(seg, nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	f(&r.report)
	r.done++
	r.tell()
}

func (r *learning) tell() {
	if r.g.Progress != nil {
		r.g.Progress(r.done, r.all, &r.report)
	}
}

// fails notes a segment of which nothing is known. Where the model itself can't be used,
// the run ends: that is no fault of the segment.
func (r *learning) fails(ctx context.Context, seg *review.Segment, err error) {
	if llm.Unavailable(err) {
		r.stop(unusable("found", err))
		return
	}
	if err = r.reason(ctx, err); err == nil {
		return
	}
	if !errors.Is(err, ErrUnfinished) {
		r.g.Guide.ended(seg, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Failed = append(r.report.Failed, LearnFailure{seg.ID, seg.SessionFile, seg.Start, err, err.Error()})
	r.done++
	r.tell()
}

// extract asks about a segment. passed says that its content had been asked about.
func (g *Learning) extract(ctx context.Context, seg *review.Segment) (x *memory.Extraction, passed bool, err error) {
	if !g.Again {
		if passed, err = g.Store.PassExtraction(ctx, seg, g.By.Name()); err != nil || passed {
			return nil, passed, stored(err)
		}
	}
	e, err := evidenceOf(ctx, g.Store, seg, g.Scanner, g.Plain)
	if err != nil {
		return nil, false, stored(err)
	}
	known, err := g.Store.KnownMemories(ctx, e.Agent, e.Dir)
	if err != nil {
		return nil, false, stored(err)
	}
	a, err := g.By.Extract(ctx, e, known)
	if err != nil {
		return nil, false, err
	}
	return &memory.Extraction{
		Segment: seg.ID, Content: seg.Digest, Extractor: g.By.Name(), Sifted: memory.Sift(&a, e, known), Loose: seg.Verdict != review.Approved,
		Token: g.Token, TokensIn: a.TokensIn, TokensOut: a.TokensOut,
	}, false, nil
}

// stored is an error of the store, which ends a run.
func stored(err error) error {
	if err == nil {
		return nil
	}
	return &review.StoreError{Err: err}
}

// EvidenceStore is what the evidence of a segment is made of.
type EvidenceStore interface {
	Session(ctx context.Context, id string) (review.Session, error)
	Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error)
}

// EvidenceOf returns a segment as memories are made of it.
func EvidenceOf(ctx context.Context, lib EvidenceStore, seg *review.Segment, scanner *secret.Scanner) (*memory.Evidence, error) {
	return evidenceOf(ctx, lib, seg, scanner, false)
}

func evidenceOf(ctx context.Context, lib EvidenceStore, seg *review.Segment, scanner *secret.Scanner, plain bool) (*memory.Evidence, error) {
	of, err := lib.Session(ctx, seg.SessionID)
	if err != nil {
		return nil, err
	}
	about := memory.About{
		Segment: seg.ID, Content: seg.Digest, File: seg.SessionFile, Start: seg.Start, End: seg.End, Agent: seg.AgentID, Dir: of.Dir,
		TaskType: seg.TaskType, Topic: seg.Topic, Plain: plain, Delegated: of.Origin.Kind == session.Subagent,
	}
	if seg.Analysis != "" {
		if a, err := metric.Parse(seg.Analysis); err == nil {
			about.Analysis = &a
		}
	}
	if seg.Start > 1 {
		before, err := lib.Messages(ctx, seg.Body, 1, min(seg.Start-1, toldMost))
		if err != nil {
			return nil, err
		}
		about.Told = memory.NewEvidence(memory.About{}, before, nil).Instructions
	}
	messages, err := lib.Messages(ctx, seg.Body, seg.Start, seg.End)
	if err != nil {
		return nil, err
	}
	return memory.NewEvidence(about, messages, scanner), nil
}
