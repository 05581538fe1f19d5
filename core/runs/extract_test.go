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
}

func (s *learnStore) Segments(_ context.Context, q review.Query) (review.Page, error) {
	return review.Page{Segments: slices.Clone(s.segments)}, nil
}

func (s *learnStore) Session(_ context.Context, id string) (review.Session, error) {
	return review.Session{ID: id, Dir: "/w"}, nil
}

func (s *learnStore) Messages(_ context.Context, body int64, from, to int) ([]chat.Message, error) {
	return []chat.Message{{N: from, Role: chat.User, Content: "Always use `make`."}}, nil
}

func (s *learnStore) Unextracted(_ context.Context, segments []review.Segment, _ string) (open []string, err error) {
	for i := range segments {
		if id := segments[i].ID; !s.marked[id] {
			open = append(open, id)
		}
	}
	return open, nil
}

func (s *learnStore) PassExtraction(_ context.Context, seg *review.Segment, by string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := s.asked[memory.ContentKey(seg.Digest)+by]
	s.marked[seg.ID] = s.marked[seg.ID] || done
	return done, nil
}

func (s *learnStore) KnownMemories(context.Context, string, string) ([]memory.Memory, error) {
	return nil, nil
}

func (s *learnStore) PutExtraction(_ context.Context, x *memory.Extraction) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.Segment == s.changes {
		return false, nil
	}
	s.put = append(s.put, *x)
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
		s.segments = append(s.segments, review.Segment{ID: fmt.Sprint("s", i), SessionID: fmt.Sprint("c", i), Start: 1, End: 1, Verdict: review.Approved, Digest: chat.Digest{Fingerprint: fmt.Sprint("f", i%4)}})
	}
	f := &learnFake{fails: "s1"}
	var ended []string
	g := &Learning{Store: s, By: f, Jobs: 1}
	g.Guide.Ended = func(seg *review.Segment, err error) { ended = append(ended, fmt.Sprint(seg.ID, " ", err)) }
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
	g.Guide.Skip = func(seg *review.Segment) bool { return seg.ID == "s1" }
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
		s.segments = append(s.segments, review.Segment{ID: fmt.Sprint("s", i), SessionID: fmt.Sprint("c", i), AgentID: what.agent, Start: 1, End: 1, Verdict: review.Approved, Digest: chat.Digest{Fingerprint: what.content}})
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
