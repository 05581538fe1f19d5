package store

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/train"
)

// wilsonEnds looks for the ends of the interval by what it means: the shares at which
// what was seen lies 1.96 deviations from what is expected.
func wilsonEnds(k, n int) (low, high float64) {
	share := float64(k) / float64(n)
	end := func(from, to float64) float64 {
		for range 100 {
			if p := (from + to) / 2; math.Abs(p-share) < 1.959963984540054*math.Sqrt(p*(1-p)/float64(n)) {
				from = p
			} else {
				to = p
			}
		}
		return from
	}
	return end(share, 0), end(share, 1)
}

// TestModelsAreCompared: sixty sessions of two models, one of them made by a run, with
// known verdicts.
func TestModelsAreCompared(t *testing.T) {
	s := openTemp(t)
	var ids [2][]string
	type sum struct{ scored, calls, failed int }
	var sums [2]sum
	var scores [2]float64
	for i := range 60 {
		w := write(fmt.Sprintf("/%02d", i), talk(8, fmt.Sprint("word", i)))
		w.Sessions[0].Session.Model = []string{"Tuned-7", "Qwen"}[i%2]
		if i == 0 {
			w.Sessions[0].Session.Model = "tuned.old" // also the run's
		}
		ids[i%2] = append(ids[i%2], put(t, s, w)...)
	}
	score(t, s)
	verdicts := [2][3]int{{18, 5, 2}, {9, 17, 0}} // approved, rejected, unsure
	for m, list := range ids {
		at := 0
		for i, v := range []review.Verdict{review.Approved, review.Rejected, review.Unsure} {
			if n := verdicts[m][i]; n > 0 {
				judge(t, s, "ann", v, list[at:at+n]...)
				at += n
			}
		}
		for _, id := range list {
			g := segment(t, s, id)
			if g.Score != nil {
				sums[m].scored++
				scores[m] += *g.Score
			}
			messages, err := s.Messages(t.Context(), g.Body, g.Start, g.End)
			if err != nil {
				t.Fatal(err)
			}
			for i := range messages {
				sums[m].calls += len(messages[i].ToolCalls)
				if messages[i].Role == chat.Tool && strings.HasPrefix(messages[i].Content, "error") {
					sums[m].failed++
				}
			}
		}
	}
	change(t, s.path, "UPDATE task_segments SET errors = errors + 2 WHERE id = ?", ids[0][0])
	sums[0].failed += 2
	r := train.Run{Base: "QWEN", Status: train.Succeeded, Exit: -1}
	if err := s.BeginRun(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tuned-7", "Tuned.Old"} {
		if err := s.NameModel(t.Context(), name, r.ID); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Models(t.Context(), nil)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	for i := range list {
		m, g := &list[i], 1
		if m.Run > 0 {
			g = 0
		}
		want := verdicts[g]
		if m.Segments != 30 || m.Approved != want[0] || m.Rejected != want[1] || m.Unsure != want[2] || m.Undecided != 30-want[0]-want[1]-want[2] {
			t.Errorf("%s: %+v", m.Name(), m.Judged)
		}
		share, low, high, ok := m.Approval()
		wantLow, wantHigh := wilsonEnds(want[0], want[0]+want[1])
		if !ok || share != float64(want[0])/float64(want[0]+want[1]) || math.Abs(low-wantLow) > 1e-9 || math.Abs(high-wantHigh) > 1e-9 {
			t.Errorf("%s: %v in %v to %v, want %v to %v", m.Name(), share, low, high, wantLow, wantHigh)
		}
		if mean, ok := m.Score(); !ok || m.Scored != sums[g].scored || math.Abs(mean-scores[g]/float64(sums[g].scored)) > 1e-4 {
			t.Errorf("%s: mean %v of %d, want %v of %d", m.Name(), mean, m.Scored, scores[g]/float64(sums[g].scored), sums[g].scored)
		}
		if m.Calls != sums[g].calls || m.Failed != sums[g].failed || m.Failed == 0 {
			t.Errorf("%s: %d of %d calls failed, want %d of %d", m.Name(), m.Failed, m.Calls, sums[g].failed, sums[g].calls)
		}
		var types train.Judged
		for i := range m.Types {
			types.Add(&m.Types[i].Judged)
		}
		if types != m.Judged || len(m.Types) == 0 {
			t.Errorf("%s: by type %+v, in all %+v", m.Name(), types, m.Judged)
		}
		names := strings.Join(m.Names, " ")
		if g == 0 && (m.Name() != "run 1" || m.Base || names != "Tuned-7 tuned.old") || g == 1 && (m.Name() != "Qwen" || !m.Base || names != "Qwen") {
			t.Errorf("%s, base %v, of %s", m.Name(), m.Base, names)
		}
	}
	if list, err = s.Models(t.Context(), parsed(t, "model:qwen status:approved")); err != nil || len(list) != 1 || list[0].Segments != 9 || list[0].Approved != 9 {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err = s.Models(t.Context(), parsed(t, "topic:nowhere")); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// What models wrote is read in the index that filters are answered from.
func TestModelsAreReadInAnIndex(t *testing.T) {
	s := openTemp(t)
	var id, parent, unused int
	var step string
	rows := s.db.Once(t.Context(), "EXPLAIN QUERY PLAN SELECT "+modelColumns+" FROM task_segments INDEXED BY task_segments_facets")
	for range rows.Into(&id, &parent, &unused, &step) {
		if !strings.Contains(step, "COVERING INDEX task_segments_facets") {
			t.Error(step)
		}
	}
	if rows.Err() != nil || step == "" {
		t.Error(rows.Err())
	}
}
