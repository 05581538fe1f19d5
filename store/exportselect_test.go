package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"winnow/core/chat"
	"winnow/core/export"
	"winnow/core/hub"
	"winnow/core/metric"
	"winnow/core/review"
)

// taken is a source that tells which segments an export takes.
type taken struct {
	*Snapshot
	ids map[[2]int64]string // by body and first message
	got []string
}

func (s *taken) Messages(_ context.Context, body int64, from, to int) ([]chat.Message, error) {
	s.got = append(s.got, s.ids[[2]int64{body, int64(from)}])
	list := make([]chat.Message, to-from+1)
	for i := range list {
		list[i] = chat.Message{N: from + i, Role: []chat.Role{chat.User, chat.Assistant}[i%2], Content: "text"}
	}
	return list, nil
}

// everyKind imports a segment of each kind that selections tell apart.
func everyKind(t *testing.T, s *Store) []review.Segment {
	t.Helper()
	scores := []*float64{nil, ptr(0.0), ptr(0.79999), ptr(0.8), ptr(0.9), ptr(1.0)}
	n := 0
	for _, verdict := range review.Verdicts {
		for _, was := range append([]review.Verdict{""}, review.Verdicts[:]...) {
			w := hub.SessionWrite{Session: review.Session{AgentID: "default", File: fmt.Sprintf("/s/%d", n), Tally: review.Tally{Messages: 48}}}
			for _, score := range scores {
				for _, kind := range []string{"fine", "format", "truncated", "harmless"} {
					g := review.Segment{
						Index: len(w.Segments), Start: 2*len(w.Segments) + 1, End: 2*len(w.Segments) + 2, Nth: 1, CutBy: review.CutOffline,
						Digest: chat.Digest{Fingerprint: fmt.Sprint(n), Detail: "d"}, Verdict: verdict, Stale: was != "", Was: was,
					}
					if g.Stale {
						g.Verdict = review.Pending
					}
					if score != nil {
						a := metric.Analysis{Version: metric.Version, Scorer: metric.Offline, Summary: metric.Summary{OverallScore: score, TaskType: metric.Code}}
						switch kind {
						case "format":
							a.Metrics = map[string]*metric.Value{metric.Format: {Score: 0.5, Weight: 1}}
						case "truncated":
							a.Flags = []metric.Flag{metric.Truncated}
						case "harmless":
							a.Flags = []metric.Flag{metric.NoReasoning}
						}
						g.Labeled, g.Score, g.TaskType, g.Analysis = true, score, string(metric.Code), a.Encode()
					}
					n++
					w.Segments = append(w.Segments, review.SegmentWrite{Segment: g})
				}
			}
			put(t, s, hub.ImportWrite{Source: hub.Source{AgentID: "default", Path: w.Session.File}, Sessions: []hub.SessionWrite{w}})
		}
	}
	return everySegment(t, s)
}

// Each selection takes exactly the segments that it says, and none that is
// stale unless asked for.
func TestExportTakesExactlyTheRightSegments(t *testing.T) {
	s := openTemp(t)
	all := everyKind(t, s)
	ids := map[[2]int64]string{}
	for i := range all {
		ids[[2]int64{all[i].Body, int64(all[i].Start)}] = all[i].ID
	}
	for _, as := range []string{"hf", "kto"} {
		for _, any := range []bool{false, true} {
			for _, stale := range []bool{false, true} {
				for _, least := range []*float64{nil, ptr(0.0), ptr(0.8), ptr(1.0)} {
					sel := export.Selection{AnyVerdict: any, Stale: stale, MinScore: least}
					name := fmt.Sprintf("%s any=%v stale=%v", as, any, stale)
					if least != nil {
						name += fmt.Sprint(" ≥", *least)
					}
					source := &taken{Snapshot: snapshot(t, s), ids: ids}
					if _, err := export.Run(t.Context(), source, export.Options{As: as, Check: true, Selection: sel, System: export.System{Drop: true}}, nil); err != nil {
						t.Fatal(name, err)
					}
					var want []string
					for i := range all {
						g := &all[i]
						verdict, right := g.Verdict, []review.Verdict{review.Approved}
						if g.Stale {
							verdict = g.Was
						}
						if any {
							right = append(right, review.Pending, review.Unsure)
						}
						if as == "kto" {
							right = []review.Verdict{review.Approved, review.Rejected}
						}
						if g.Stale && !stale || !slices.Contains(right, verdict) {
							continue
						}
						if least != nil {
							a, err := metric.Parse(g.Analysis)
							if _, training := a.Eligible(metric.Thresholds{SFT: *least}); err != nil || !training {
								continue
							}
						}
						want = append(want, g.ID)
					}
					if !slices.Equal(source.got, want) {
						t.Errorf("%s: takes %d segments, want %d", name, len(source.got), len(want))
					}
					if len(want) == 0 {
						t.Errorf("%s: nothing to take", name)
					}
					source.Close()
				}
			}
		}
	}
}

// What curators and imports do while an export runs is not in it, and they do
// not wait for it.
func TestAnExportIsOneState(t *testing.T) {
	s := openTemp(t)
	var ids []string
	for i := range 300 { // more than a page
		ids = append(ids, put(t, s, write(fmt.Sprintf("/s/%03d", i), talk(8, "word")))...)
	}
	judge(t, s, "ann", review.Approved, ids...)
	run := func(meanwhile func()) string {
		n, err := s.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer n.Close()
		path := filepath.Join(t.TempDir(), "out.jsonl")
		r, err := export.Run(t.Context(), n, export.Options{Path: path}, func(r export.Report) {
			if r.Candidates == 1 {
				meanwhile()
			}
		})
		if err != nil || r.Candidates != len(ids) {
			t.Fatal(r.Candidates, err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := run(func() {})
	after := run(func() {
		judge(t, s, "ann", review.Rejected, ids...)
		put(t, s, write("/s/000a", talk(8, "word")), write("/s/299a", talk(8, "word")))
	})
	if before != after || before == "" {
		t.Errorf("%d bytes before, %d with changes meanwhile", len(before), len(after))
	}
	if v := verdictOf(t, s, ids[0]); v != review.Rejected {
		t.Error(v)
	}
}
