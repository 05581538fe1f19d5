package hub

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"winnow/core/metric"
	"winnow/core/review"
	"winnow/core/runs"
)

// The memStore as a ScoreStore.

func (s *memStore) SegmentsToScore(_ context.Context, q runs.ScoreQuery) ([]runs.ScoreRef, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	refs := s.toScore(q)
	if q.Limit < 1 {
		s.t.Fatalf("%d segments were asked for", q.Limit)
	}
	return refs[:min(q.Limit, len(refs))], nil
}

func (s *memStore) CountToScore(_ context.Context, q runs.ScoreQuery) (segments, messages, tokens int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.toScore(q) {
		segments, messages, tokens = segments+1, messages+r.Messages(), tokens+q.Request.Tokens(r.Tokens)
	}
	return segments, messages, tokens, nil
}

func (s *memStore) toScore(q runs.ScoreQuery) []runs.ScoreRef {
	var refs []runs.ScoreRef
	for _, m := range s.sessions {
		for i := range m.Segments {
			g := &m.Segments[i].Segment
			ref := runs.ScoreRef{ID: g.ID, File: m.File, Body: m.Body, Start: g.Start, End: g.End, Digest: g.Digest, Tokens: g.Tokens, Analysis: g.Analysis}
			judged := strings.Contains(g.Analysis, `"scorer":"llm"`)
			if (q.All || !g.Labeled || q.Judge && !judged) && (q.After.ID == "" || byPlace(ref, q.After) > 0) {
				refs = append(refs, ref)
			}
		}
	}
	slices.SortFunc(refs, byPlace)
	return refs
}

func byPlace(a, b runs.ScoreRef) int { return cmp.Or(cmp.Compare(a.Body, b.Body), a.Start-b.Start) }

func (s *memStore) segment(id string) *review.Segment {
	for _, m := range s.sessions {
		for i := range m.Segments {
			if g := &m.Segments[i].Segment; g.ID == id {
				g.Body = m.Body
				return g
			}
		}
	}
	return nil
}

func (s *memStore) Segment(_ context.Context, id string) (review.Segment, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.segment(id); g != nil {
		return *g, nil
	}
	return review.Segment{}, review.ErrNotFound
}

func (s *memStore) WriteScores(_ context.Context, list []runs.ScoreWrite) error {
	s.mu.Lock()
	s.scoreWrites++
	before, n := s.beforeScores, s.scoreWrites
	s.mu.Unlock()
	if before != nil {
		before(n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failScoresAt > 0 && n >= s.failScoresAt {
		return errFull
	}
	for i := range list {
		w := &list[i]
		g := s.segment(w.ID)
		if g == nil || g.Digest != w.Digest || w.Analysis.Scorer != metric.Judged && g.Analysis != w.Over {
			continue
		}
		w.Written = true
		g.Labeled, g.Analysis = true, w.Analysis.Encode()
		g.Score, g.TaskType = w.Analysis.Summary.OverallScore, string(w.Analysis.Summary.TaskType)
	}
	return nil
}
