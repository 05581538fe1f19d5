package httpd

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"winnow/core/memory"
	"winnow/core/review"
)

// steps are those of cycles, whose last success is told.
var steps = []string{"import", "segment", "score", "judge", "extract"}

// usedFor is the time for which the tokens of steps are told.
const usedFor = 24 * time.Hour

// gauges writes what the database says. What cannot be read is missing, and the rest is
// not.
func (s *Server) gauges(ctx context.Context, b *bytes.Buffer) {
	s.stepGauges(ctx, b)
	if t, err := s.Store.Totals(ctx); err == nil {
		one(b, "winnow_sessions", "gauge", "Sessions in the database.", int64(t.Sessions))
		family(b, "winnow_segments", "gauge", "Segments in the database, by verdict.")
		for _, v := range review.Verdicts {
			fmt.Fprintf(b, "winnow_segments{verdict=%q} %d\n", v, t.ByVerdict[v])
		}
	}
	if n, err := s.Store.UncutSessions(ctx); err == nil {
		one(b, "winnow_sessions_uncut", "gauge", "Sessions that are to be cut.", int64(n))
	}
	if list, err := s.Store.MemoryCounts(ctx); err == nil {
		by := map[memory.Status]int{memory.Proposed: 0, memory.Approved: 0, memory.Rejected: 0, memory.Archived: 0}
		for i := range list {
			by[list[i].Status] += list[i].N
		}
		family(b, "winnow_memories", "gauge", "Memories in the database, by status.")
		for _, st := range slices.Sorted(maps.Keys(by)) {
			fmt.Fprintf(b, "winnow_memories{status=%q} %d\n", st, by[st])
		}
	}
}

// stepGauges tell when each step of a cycle last succeeded, and what they used.
func (s *Server) stepGauges(ctx context.Context, b *bytes.Buffer) {
	s.loader.mu.Lock()
	loaded := s.loader.last
	s.loader.mu.Unlock()
	family(b, "winnow_step_last_success_seconds", "gauge", "When a step last succeeded, in seconds since 1970; 0 for never.")
	for _, step := range steps {
		last, err := s.Store.StepDone(ctx, step)
		if step == "import" && loaded.After(last) {
			last = loaded // the server imports, too
		}
		seconds := int64(0)
		if !last.IsZero() {
			seconds = last.Unix()
		}
		if err == nil || seconds > 0 {
			fmt.Fprintf(b, "winnow_step_last_success_seconds{step=%q} %d\n", step, seconds)
		}
	}
	used, err := s.Store.StepTokens(ctx, s.Now().Add(-usedFor))
	if err != nil {
		return
	}
	family(b, "winnow_step_tokens", "gauge", "Tokens that steps used in the last 24 hours.")
	for _, step := range slices.Sorted(maps.Keys(used)) {
		fmt.Fprintf(b, "winnow_step_tokens{step=%q,direction=\"in\"} %d\n", step, used[step].In)
		fmt.Fprintf(b, "winnow_step_tokens{step=%q,direction=\"out\"} %d\n", step, used[step].Out)
	}
}

// family begins the lines of a metric.
func family(b *bytes.Buffer, name, kind, help string) {
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// one writes a metric of one line.
func one(b *bytes.Buffer, name, kind, help string, n int64) {
	family(b, name, kind, help)
	fmt.Fprintf(b, "%s %d\n", name, n)
}
