package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"winnow/core/chat"
	"winnow/core/memory"
	"winnow/core/metric"
	"winnow/core/review"
)

// learnStore has approved segments of one message each.
type learnStore struct {
	mu       sync.Mutex
	segments []review.Segment
	asked    map[string]bool // by content and extractor
	marked   map[string]bool // memory_extracted
	changes  string          // id of a segment that changes while it is asked about
	put      []memory.Extraction
	finds    map[string]int // new memories, by id of the segment
	parts    map[string]memory.Part
	listed   int // segments
	known    int // how many times memories were read
}

func (s *learnStore) SegmentsToLearn(_ context.Context, q LearnQuery) (list []LearnRef, err error) {
	for i := range s.segments {
		g := &s.segments[i]
		if (q.All || !s.marked[g.ID]) && g.Body > q.After.Body && len(list) < q.Limit {
			list = append(list, LearnRef{ID: g.ID, Agent: g.AgentID, Dir: "/w", Body: g.Body, Start: g.Start, Digest: g.Digest, Analysis: g.Analysis, Approved: g.Verdict == review.Approved})
		}
	}
	s.listed += len(list)
	return list, nil
}

func (s *learnStore) Segment(_ context.Context, id string) (review.Segment, error) {
	i := slices.IndexFunc(s.segments, func(g review.Segment) bool { return g.ID == id })
	if i < 0 {
		return review.Segment{}, review.ErrNotFound
	}
	return s.segments[i], nil
}

func (s *learnStore) Session(_ context.Context, id string) (review.Session, error) {
	return review.Session{ID: id, Dir: "/w"}, nil
}

func (s *learnStore) Messages(_ context.Context, body int64, from, to int) ([]chat.Message, error) {
	return []chat.Message{{N: from, Role: chat.User, Content: "Always use `make`."}}, nil
}

func (s *learnStore) PassExtraction(_ context.Context, seg *review.Segment, by string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := s.asked[memory.ContentKey(seg.Digest)+by]
	s.marked[seg.ID] = s.marked[seg.ID] || done
	return done, nil
}

func (s *learnStore) PartExtraction(_ context.Context, content, by string) (memory.Part, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.parts[content], nil
}

func (s *learnStore) KnownMemories(context.Context, string, string) ([]memory.Memory, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known++
	return nil, nil
}

func (s *learnStore) PutExtraction(_ context.Context, x *memory.Extraction) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.Segment == s.changes {
		return false, nil
	}
	x.Made = s.finds[x.Segment]
	s.put = append(s.put, *x)
	if x.Upto > 0 {
		s.parts = map[string]memory.Part{memory.ContentKey(x.Content): {Upto: x.Upto, Kept: 1}}
		return true, nil
	}
	s.marked[x.Segment], s.asked[memory.ContentKey(x.Content)+x.Extractor] = true, true
	return true, nil
}

// learnFake finds nothing, and fails on a segment.
type learnFake struct {
	fails string
	asked []string
}

func (f *learnFake) Name() string { return "fake" }

func (f *learnFake) Extract(_ context.Context, e *memory.Evidence, _ []memory.Memory) (memory.Answer, error) {
	f.asked = append(f.asked, e.Segment)
	if e.Segment == f.fails {
		return memory.Answer{}, errors.New("no usable answer")
	}
	return memory.Answer{TokensIn: 10}, nil
}

// TestLearningAsksOnce: each content is asked about once, whatever segment has it; what
// fails or changes meanwhile stays to be asked about, and what failed before is passed over
// until its time has come.
func TestLearningAsksOnce(t *testing.T) {
	s := &learnStore{asked: map[string]bool{}, marked: map[string]bool{}, changes: "s3"}
	for i := range 5 {
		s.segments = append(s.segments, review.Segment{ID: fmt.Sprint("s", i), SessionID: fmt.Sprint("c", i), Body: int64(i + 1), Start: 1, End: 1, Verdict: review.Approved, Digest: chat.Digest{Fingerprint: fmt.Sprint("f", i%4)}})
	}
	f := &learnFake{fails: "s1"}
	var ended []string
	g := &Learning{Store: s, By: f, Jobs: 1}
	g.Guide.Ended = func(seg *LearnRef, err error) { ended = append(ended, fmt.Sprint(seg.ID, " ", err)) }
	r, err := g.Run(t.Context())
	if err != nil || r.Segments != 2 || r.Passed != 1 || r.Busy != 1 || len(r.Failed) != 1 || r.TokensIn != 20 {
		t.Errorf("%+v, %v", r, err)
	}
	if want := []string{"s0", "s1", "s2", "s3"}; !slices.Equal(f.asked, want) { // s4 has what s0 has
		t.Errorf("asked about %v", f.asked)
	}
	if !slices.Contains(ended, "s1 no usable answer") || !slices.Contains(ended, "s0 <nil>") {
		t.Errorf("%q", ended)
	}
	f.asked, f.fails, s.changes = nil, "", ""
	g.Guide.Skip = func(seg *LearnRef) bool { return seg.ID == "s1" }
	if _, err := g.Run(t.Context()); err != nil || !slices.Equal(f.asked, []string{"s3"}) {
		t.Errorf("asked about %v, %v", f.asked, err)
	}
	g.Guide.Skip, f.asked = nil, nil
	g.Limit = 1
	if _, err := g.Run(t.Context()); err != nil || !slices.Equal(f.asked, []string{"s1"}) {
		t.Errorf("asked about %v, %v", f.asked, err)
	}
	f.asked = nil
	g.Limit, g.Again = 0, true
	if r, err := g.Run(t.Context()); err != nil || len(f.asked) != 5 || r.Segments != 5 {
		t.Errorf("again: %v, %v", f.asked, err)
	}
}

// slowFake is asked by several at once, and says how many were asked of one place.
type slowFake struct {
	learnFake
	mu   sync.Mutex
	of   map[string]int // how many are being asked, by agent and folder
	most int
}

func (f *slowFake) Extract(ctx context.Context, e *memory.Evidence, known []memory.Memory) (memory.Answer, error) {
	f.mu.Lock()
	f.asked = append(f.asked, e.Segment)
	f.of[e.Agent+e.Dir]++
	f.most = max(f.most, f.of[e.Agent+e.Dir])
	f.mu.Unlock()
	time.Sleep(time.Second) // of the test's clock: all begin that can
	f.mu.Lock()
	f.of[e.Agent+e.Dir]--
	f.mu.Unlock()
	return memory.Answer{}, nil
}

// TestLearningGoesByFolder: however many are asked at once, segments of one agent and
// folder are asked about one after the other, and a content that two of them have, or two
// agents, is asked about once.
func TestLearningGoesByFolder(t *testing.T) {
	s := &learnStore{asked: map[string]bool{}, marked: map[string]bool{}}
	for i, what := range []struct{ agent, content string }{{"a", "one"}, {"a", "one"}, {"b", "two"}, {"a", "three"}, {"c", "two"}, {"c", "four"}, {"c", "one"}} {
		s.segments = append(s.segments, review.Segment{ID: fmt.Sprint("s", i), SessionID: fmt.Sprint("c", i), Body: int64(i + 1), AgentID: what.agent, Start: 1, End: 1, Verdict: review.Approved, Digest: chat.Digest{Fingerprint: what.content}})
	}
	f := &slowFake{of: map[string]int{}}
	synctest.Test(t, func(t *testing.T) {
		g := &Learning{Store: s, By: f, Jobs: 8}
		r, err := g.Run(t.Context())
		if err != nil || r.Segments != 4 || r.Passed != 3 || len(f.asked) != 4 || f.most != 1 {
			t.Errorf("%+v, %v; asked about %v, %d of one folder at once", r, err, f.asked, f.most)
		}
	})
}

// approved has segments of contents that no other has, all of one agent and folder.
func approved(n int) *learnStore {
	s := &learnStore{asked: map[string]bool{}, marked: map[string]bool{}}
	for i := range n {
		s.segments = append(s.segments, review.Segment{ID: fmt.Sprint("s", i), Body: int64(i + 1), Start: 1, End: 1, Verdict: review.Approved, Digest: chat.Digest{Fingerprint: fmt.Sprint("f", i)}})
	}
	return s
}

// TestKnownMemoriesAreReadOnce: what is known is read again only after something came of
// a segment, and what counts as found is what was kept.
func TestKnownMemoriesAreReadOnce(t *testing.T) {
	s := approved(10)
	s.finds = map[string]int{"s3": 2}
	g := &Learning{Store: s, By: &learnFake{}, Jobs: 1}
	r, err := g.Run(t.Context())
	if err != nil || r.Segments != 10 || r.Kept != 2 || s.known != 2 {
		t.Errorf("%+v, %v; read %d times", r, err, s.known)
	}
}

// TestAnyReadsLittle: whether there is something to look at is known from a few segments,
// also where the first ones are passed over.
func TestAnyReadsLittle(t *testing.T) {
	s := approved(1000)
	g := &Learning{Store: s, By: &learnFake{}, Jobs: 1}
	g.Guide.Skip = func(r *LearnRef) bool { return r.Body < 30 }
	if any, err := g.Any(t.Context()); err != nil || !any || s.listed > 50 {
		t.Errorf("%v, %v, of %d segments", any, err, s.listed)
	}
	g.Guide.Skip = func(*LearnRef) bool { return true }
	if any, err := g.Any(t.Context()); err != nil || any {
		t.Errorf("%v, %v", any, err)
	}
}

// TestWhatIsNoLongerApproved: a segment that left, changed, was judged otherwise or became
// private while the run was at others is not asked about.
func TestWhatIsNoLongerApproved(t *testing.T) {
	for name, change := range map[string]func(*learnStore){
		"left":     func(s *learnStore) { s.segments = s.segments[:1] },
		"changed":  func(s *learnStore) { s.segments[1].Detail = "other" },
		"rejected": func(s *learnStore) { s.segments[1].Verdict = review.Rejected },
		"stale":    func(s *learnStore) { s.segments[1].Stale = true },
		"private":  func(s *learnStore) { s.segments[1].Tags = []string{"private"} },
	} {
		s := approved(2)
		f := &learnFake{}
		g := &Learning{Store: s, By: f, Jobs: 1}
		g.Guide.Ended = func(r *LearnRef, _ error) {
			if r.ID == "s0" {
				change(s)
			}
		}
		if r, err := g.Run(t.Context()); err != nil || r.Busy != 1 || !slices.Equal(f.asked, []string{"s0"}) {
			t.Errorf("%s: %+v, %v, asked about %v", name, r, err, f.asked)
		}
	}
}

// partFake fails after two messages, the first time.
type partFake struct {
	learnFake
	from []int
}

func (f *partFake) Extract(_ context.Context, e *memory.Evidence, _ []memory.Memory) (memory.Answer, error) {
	f.from = append(f.from, e.From)
	if e.From == 0 {
		return memory.Answer{Upto: 2, TokensIn: 10}, errors.New("no usable answer")
	}
	return memory.Answer{TokensIn: 5}, nil
}

// TestWhatWasPaidForIsKept: where a question about the rest of a segment fails, what was
// found before is kept, and the next run asks about the rest alone; --again asks about
// all.
func TestWhatWasPaidForIsKept(t *testing.T) {
	s, f := approved(1), &partFake{}
	g := &Learning{Store: s, By: f, Jobs: 1}
	r, err := g.Run(t.Context())
	if err != nil || len(r.Failed) != 1 || r.Segments != 0 || r.TokensIn != 10 || len(s.put) != 1 || s.put[0].Upto != 2 || s.marked["s0"] {
		t.Errorf("%+v, %v; put %+v", r, err, s.put)
	}
	r, err = g.Run(t.Context())
	if err != nil || len(r.Failed) != 0 || r.Segments != 1 || r.TokensIn != 5 || !s.marked["s0"] {
		t.Errorf("%+v, %v", r, err)
	}
	g.Again = true
	if _, err := g.Run(t.Context()); err != nil || !slices.Equal(f.from, []int{0, 2, 0}) {
		t.Errorf("asked from %v, %v", f.from, err)
	}
}

// TestWhoMayTeach: what is approved, and where it is asked for also what is pending or
// unsure and scores well enough; nothing that is rejected, stale, private or cut for the
// time being.
func TestWhoMayTeach(t *testing.T) {
	score := func(x float64, flags ...metric.Flag) string {
		a := metric.Analysis{Version: metric.Version, Scorer: metric.Offline, Summary: metric.Summary{OverallScore: &x}, Flags: flags}
		return a.Encode()
	}
	for _, c := range []struct {
		name           string
		of             review.Segment
		alone, further bool // without and with eligible ones
	}{
		{"approved", review.Segment{Verdict: review.Approved}, true, true},
		{"stale", review.Segment{Verdict: review.Approved, Stale: true, Analysis: score(0.9)}, false, false},
		{"private", review.Segment{Verdict: review.Approved, Tags: []string{memory.Private}, Analysis: score(0.9)}, false, false},
		{"cut for the time being", review.Segment{Verdict: review.Approved, CutBy: review.CutProvisional, Analysis: score(0.9)}, false, false},
		{"rejected", review.Segment{Verdict: review.Rejected, Analysis: score(0.9)}, false, false},
		{"pending", review.Segment{Verdict: review.Pending, Analysis: score(0.75)}, false, true},
		{"unsure", review.Segment{Verdict: review.Unsure, Analysis: score(0.75)}, false, true},
		{"below the threshold", review.Segment{Verdict: review.Pending, Analysis: score(0.74)}, false, false},
		{"without an answer", review.Segment{Verdict: review.Pending, Analysis: score(0.9, metric.NoAssistant)}, false, false},
		{"without a score", review.Segment{Verdict: review.Pending}, false, false},
	} {
		g := &Learning{}
		if got := g.fits(&c.of); got != c.alone {
			t.Errorf("%s: %v", c.name, got)
		}
		g.Eligible = &metric.Thresholds{Memory: 0.75}
		if got := g.fits(&c.of); got != c.further {
			t.Errorf("%s, eligible: %v", c.name, got)
		}
	}
}
