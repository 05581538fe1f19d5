package store

import (
	"fmt"
	"testing"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/runs"
)

// recutting returns a write that splits, or merges again, segments of a session
// as a curator.
func recutting(b *testing.B, s *Store, session string, at, n int) *runs.CutWrite {
	b.Helper()
	st, err := s.SessionByID(b.Context(), session)
	if err != nil {
		b.Fatal(err)
	}
	w := &runs.CutWrite{Session: session, Body: st.Body, Messages: st.Messages, Curator: "ann", Action: review.ActSplit}
	for i := range st.Segments {
		w.Known = append(w.Known, st.Segments[i].Segment)
	}
	r := w.Known[at]
	w.Retire = []string{r.ID}
	for i, place := range [][2]int{{r.Start, r.Start + 2}, {r.Start + 3, r.End}} {
		w.Segments = append(w.Segments, review.SegmentWrite{HashState: []byte("x"), Segment: review.Segment{
			Start: place[0], End: place[1], Nth: 1, CutBy: review.CutCurator, Topic: "a part", Verdict: review.Pending,
			Digest: chat.Digest{Fingerprint: fmt.Sprint("part ", at, i, n), Detail: "d"},
			Tally:  review.Tally{Messages: place[1] - place[0] + 1},
		}})
	}
	return w
}

// benchmarkSplits measures a curator's split, and taking it back.
func benchmarkSplits(b *testing.B, s *Store, sessions []string, at int) {
	n := 0
	b.Run("split", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			w := recutting(b, s, sessions[n*7919%len(sessions)], at, n)
			n++
			b.StartTimer()
			if _, err := s.WriteCuts(b.Context(), w); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			if len(sessions) == 1 {
				undo(b, s, "ann")
			}
			b.StartTimer()
		}
	})
	b.Run("undo-split", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			f := s.Redo
			if i%2 == 1 {
				f = s.Undo
			}
			if i == 0 && len(sessions) > 1 {
				f = s.Undo
			}
			if _, err := f(b.Context(), "ann"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCutLong measures cutting a session of 10,000 segments, at its
// beginning, where all others move, and at its end.
func BenchmarkCutLong(b *testing.B) {
	s := openTemp(b)
	w := hub.SessionWrite{Session: review.Session{AgentID: "default", File: "/long", Tally: review.Tally{Messages: 100_000}}}
	for i := range 10_000 {
		w.Segments = append(w.Segments, review.SegmentWrite{HashState: []byte("x"), Segment: review.Segment{
			Index: i, Start: i*10 + 1, End: i*10 + 10, Nth: 1, CutBy: review.CutOffline, Digest: chat.Digest{Fingerprint: fmt.Sprint("long", i)},
			Topic: "Fix the flaky parser test", Tally: review.Tally{Messages: 10, Tokens: 3000},
			Analysis: `{"version":1,"scorer":"offline","summary":{"overall_score":0.83}}`,
		}})
	}
	put(b, s, hub.ImportWrite{Source: hub.Source{AgentID: "default", Path: "/long"}, Sessions: []hub.SessionWrite{w}})
	st, err := s.LoadSession(b.Context(), "default", "/long")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("last", func(b *testing.B) { benchmarkSplits(b, s, []string{st.ID}, 9_998) })
	b.Run("first", func(b *testing.B) { benchmarkSplits(b, s, []string{st.ID}, 0) })
	b.Run("machine", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			b.StopTimer()
			w := recutting(b, s, st.ID, 5000, n)
			w.Curator, w.Action = "", ""
			w.Retire = append(w.Retire, w.Known[5001].ID)
			w.Segments[1].End = w.Known[5001].End
			b.StartTimer()
			if _, err := s.WriteCuts(b.Context(), w); err != nil {
				b.Fatal(err)
			}
		}
	})
}
