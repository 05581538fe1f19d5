package main

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json"

	"winnow/core/review"
)

// analysis is what eligibility needs of a segment's analysis.
type analysis struct {
	Metrics map[string]*struct {
		Score *float64 `json:"score"`
	} `json:"metrics"`
	Flags []string `json:"flags"`
}

// blocking are the flags that keep a segment out of training data.
var blocking = []string{"truncated", "malformed_tool_call", "no_assistant"}

// eligible reports whether a segment qualifies as a memory and as training
// data, by the thresholds for either. A format metric that does not apply
// counts as 1; an analysis that cannot be read qualifies for nothing.
func eligible(g *review.Segment, memoryFrom, sftFrom float64) (memory, sft bool) {
	var a analysis
	if g.Score == nil || json.Unmarshal([]byte(g.Analysis), &a) != nil {
		return false, false
	}
	memory = *g.Score >= memoryFrom && !slices.Contains(a.Flags, "no_assistant")
	sft = *g.Score >= sftFrom && !slices.ContainsFunc(a.Flags, func(f string) bool { return slices.Contains(blocking, f) })
	if f := a.Metrics["format"]; f != nil && f.Score != nil && *f.Score < 1 {
		sft = false
	}
	return memory, sft
}

// countEligible counts the eligible segments; it reads all of them.
func (g *segmentStats) countEligible(ctx context.Context, s *database) error {
	memoryFrom, sftFrom := s.number("memory_score_threshold"), s.number("sft_score_threshold")
	return eachSegment(ctx, s, review.Query{Order: review.BestScore}, 0, func(seg *review.Segment) error {
		memory, sft := eligible(seg, memoryFrom, sftFrom)
		if memory {
			g.MemoryEligible++
		}
		if sft {
			g.SFTEligible++
		}
		return nil
	})
}
