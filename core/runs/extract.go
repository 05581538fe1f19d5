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
	// SegmentsToLearn returns up to q.Limit segments after q.After.
	SegmentsToLearn(ctx context.Context, q LearnQuery) ([]LearnRef, error)
	// Segment returns a segment by its id, or review.ErrNotFound.
	Segment(ctx context.Context, id string) (review.Segment, error)
	EvidenceStore
	// PassExtraction says that a segment needs not be asked about, if its content was.
	PassExtraction(ctx context.Context, seg *review.Segment, extractor string) (done bool, err error)
	// PartExtraction is what was asked about a content, of which the rest is open.
	PartExtraction(ctx context.Context, content, extractor string) (memory.Part, error)
	// KnownMemories returns the memories of an agent and folder, whatever became of them.
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
	Quiet    Quiet       // as in LearnQuery
	Limit    int         // of segments, 0 none
	Jobs     int         // segments at once, 0: one per processor
	Again    bool        // also those that were asked about
	Token    string      // of the lease, "" without one

	Guide Guide[LearnRef]
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

// toldMost is how many messages before a segment are looked at for what the session was
// told at its beginning.
const toldMost = 12

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
	todo, err := g.todo(ctx)
	if err != nil {
		return r.report, err
	}
	r.all = len(todo)
	r.tell()
	ctx, r.stop = context.WithCancelCause(ctx)
	defer r.stop(nil)
	// Segments of one agent and folder go one after the other, so that what the first
	// teaches is known when the second is asked about.
	err = share(ctx, g.Jobs, func() (func([]LearnRef), func()) {
		return func(list []LearnRef) { r.each(ctx, list) }, func() {}
	}, func(give func([]LearnRef) error) error {
		for _, list := range byFolder(todo) {
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

func (r *learning) each(ctx context.Context, list []LearnRef) {
	known := &known{store: r.g.Store}
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
		r.one(ctx, &list[i], known)
		release()
	}
}

func (r *learning) one(ctx context.Context, ref *LearnRef, known *known) {
	seg, err := r.g.Store.Segment(ctx, ref.ID)
	if errors.Is(err, review.ErrNotFound) || err == nil && (seg.Digest != ref.Digest || !r.g.fits(&seg)) {
		r.count(ref, func(n *LearnedReport) { n.Busy++ })
		return
	}
	if err != nil {
		r.stop(err)
		return
	}
	x, passed, err := r.g.extract(ctx, &seg, known)
	switch {
	case err != nil:
		r.partly(ctx, x, known)
		r.fails(ctx, ref, &seg, err)
		return
	case passed:
		r.count(ref, func(n *LearnedReport) { n.Passed++ })
		return
	}
	r.answered()
	kept, err := r.g.Store.PutExtraction(ctx, x)
	switch {
	case err != nil:
		r.stop(err)
	case !kept:
		r.count(ref, func(n *LearnedReport) { n.Busy++ })
	default:
		known.changed(x)
		r.count(ref, func(n *LearnedReport) { n.add(x) })
	}
}

// partly keeps what was found before a question failed, also when the run is stopped: it
// was paid for, and is not asked again.
func (r *learning) partly(ctx context.Context, x *memory.Extraction, known *known) {
	if x == nil {
		return
	}
	kept, err := r.g.Store.PutExtraction(context.WithoutCancel(ctx), x)
	if err != nil {
		r.stop(err)
	}
	if err != nil || !kept {
		return
	}
	known.changed(x)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.add(x)
	r.report.Segments--
}

// known are the memories of one agent and folder, read once and then again only when
// the run itself has changed them.
type known struct {
	store      ExtractStore
	read       bool
	agent, dir string
	list       []memory.Memory
}

func (k *known) of(ctx context.Context, agent, dir string) ([]memory.Memory, error) {
	if k.read && k.agent == agent && k.dir == dir {
		return k.list, nil
	}
	list, err := k.store.KnownMemories(ctx, agent, dir)
	k.read, k.agent, k.dir, k.list = err == nil, agent, dir, list
	return list, err
}

// changed has them read again if anything came of a segment.
func (k *known) changed(x *memory.Extraction) { k.read = k.read && x.Made+x.Found == 0 }

// add counts what was found in a segment.
func (n *LearnedReport) add(x *memory.Extraction) {
	n.Segments++
	n.Kept += x.Made
	n.Again += x.Found
	for drop, k := range x.Sifted.Dropped {
		n.Dropped[drop] += k
	}
	n.TokensIn += x.TokensIn
	n.TokensOut += x.TokensOut
}

func (r *learning) count(ref *LearnRef, f func(*LearnedReport)) {
	r.g.Guide.ended(ref, nil)
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
func (r *learning) fails(ctx context.Context, ref *LearnRef, seg *review.Segment, err error) {
	if llm.Unavailable(err) {
		r.stop(unusable("found", err))
		return
	}
	if err = r.reason(ctx, err); err == nil {
		return
	}
	if !errors.Is(err, ErrUnfinished) {
		r.g.Guide.ended(ref, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Failed = append(r.report.Failed, LearnFailure{seg.ID, seg.SessionFile, seg.Start, err, err.Error()})
	r.done++
	r.tell()
}

// extract asks about a segment. passed says that its content had been asked about. With an
// error comes what was found before it, nil for nothing.
func (g *Learning) extract(ctx context.Context, seg *review.Segment, of *known) (x *memory.Extraction, passed bool, err error) {
	if !g.Again {
		if passed, err = g.Store.PassExtraction(ctx, seg, g.By.Name()); err != nil || passed {
			return nil, passed, stored(err)
		}
	}
	e, err := evidenceOf(ctx, g.Store, seg, g.Scanner, g.Plain)
	if err != nil {
		return nil, false, stored(err)
	}
	var part memory.Part
	if !g.Again {
		if part, err = g.Store.PartExtraction(ctx, memory.ContentKey(e.Content), g.By.Name()); err != nil {
			return nil, false, stored(err)
		}
		e.From = part.Upto
	}
	known, err := of.of(ctx, e.Agent, e.Dir)
	if err != nil {
		return nil, false, stored(err)
	}
	a, err := g.By.Extract(ctx, e, known)
	if err != nil && a.Upto == 0 {
		return nil, false, err
	}
	a.Had = part.Kept
	return &memory.Extraction{
		Segment: seg.ID, Content: seg.Digest, Extractor: g.By.Name(), Sifted: memory.Sift(&a, e, known), Loose: seg.Verdict != review.Approved,
		Token: g.Token, TokensIn: a.TokensIn, TokensOut: a.TokensOut, Upto: a.Upto,
	}, false, err
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
