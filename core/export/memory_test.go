package export

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
	"winnow/core/proposal"
	"winnow/core/review"
)

// endless is a Source of as many sessions as are asked for, made when they are.
type endless struct {
	n    int
	text string
}

const endlessSize = 4 << 10 // bytes of text in a session

func (l endless) Segments(_ context.Context, q review.Query) (p review.Page, err error) {
	from := 0
	if place, ok := q.After.Key.(review.Place); ok {
		from = place.Start
	}
	for i := from; i < min(from+q.Limit, l.n); i++ {
		p.Segments = append(p.Segments, review.Segment{
			ID: fmt.Sprintf("%08d-0000-4000-8000-000000000000", i), SessionID: fmt.Sprint("session-", i), AgentID: "default",
			SessionFile: fmt.Sprintf("/home/ann/sessions/%08d.jsonl", i), Body: int64(i), Start: 1, End: 2, Verdict: review.Approved, TaskType: "code",
			Digest: chat.Digest{Fingerprint: fmt.Sprintf("%016x", i)},
		})
	}
	p.Last = review.Cursor{ID: "x", Key: review.Place{Start: from + len(p.Segments)}}
	p.More = from+len(p.Segments) < l.n
	return p, nil
}

func (l endless) Session(_ context.Context, id string) (review.Session, error) {
	return review.Session{ID: id, Format: "openai", Model: "m"}, nil
}

func (l endless) Messages(_ context.Context, body int64, _, _ int) ([]chat.Message, error) {
	own := fmt.Sprint(body, " ", l.text)
	return []chat.Message{{N: 1, Role: chat.User, Content: own[:100]}, {N: 2, Role: chat.Assistant, Content: own[100:]}}, nil
}

// heap returns the bytes in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// What an export keeps of a sample does not depend on its size, and is nothing
// where none has to wait for others.
func TestMemoryOfManySamples(t *testing.T) {
	n := 10_000 / slower
	l := endless{n, strings.Repeat("some words of an answer ", endlessSize/24)}
	for name, c := range map[string]struct {
		opts Options
		most int64 // bytes for each sample
	}{
		"written at once":  {Options{}, 100},
		"decided with all": {Options{Dedupe: DedupeExact, Splits: []Split{{Name: "train", Share: 0.5}, {Name: "validation", Share: 0.5}}}, 1 << 10},
		"left out":         {Options{MaxTokens: 1}, 1 << 10},
	} {
		c.opts.Path = filepath.Join(t.TempDir(), "out.jsonl")
		var early, late int64
		if _, err := Run(t.Context(), l, c.opts, func(r Report) {
			switch {
			case r.Candidates == n/10:
				early = heap()
			case r.Candidates == n && late == 0:
				late = heap()
			}
		}); err != nil {
			t.Fatal(err)
		}
		each := (late - early) / int64(n-n/10)
		t.Logf("%s: %d bytes for each sample", name, each)
		if each > c.most {
			t.Errorf("%s: %d bytes for each sample, want at most %d", name, each, c.most)
		}
	}
}

func (l endless) RecordedMessages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	return l.Messages(ctx, body, from, to)
}

func (endless) Edits(context.Context, int64, int, int) ([]edit.Edit, error) { return nil, nil }

func (endless) Contexts(context.Context, int64, int, int) ([]review.Context, error) { return nil, nil }

func (endless) EditedBy(context.Context, int64, int, int) ([]review.EditedBy, error) { return nil, nil }

func (endless) Proposals(context.Context, []string) ([]proposal.Proposal, error) { return nil, nil }

func (endless) Sealed(context.Context) (map[graph.Saying]bool, error) { return nil, nil }
func (endless) TakenOut(context.Context) (replaced, dropped []string, err error) {
	return nil, nil, nil
}
