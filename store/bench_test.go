package store

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/session"
)

// batch is what an import of about 10 MB of source writes in one transaction:
// 90 sessions of 39 messages and 45 KB of compressed text.
func batch(n int) []hub.ImportWrite {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	writes := make([]hub.ImportWrite, 90)
	for i := range writes {
		file := fmt.Sprintf("/home/somebody/.sessions/2026/05/%08d-%04d.jsonl", n, i)
		data := make([]byte, 45<<10)
		for j := range data {
			data[j] = byte(random.Uint32())
		}
		c := hub.Chunk{First: 1, Last: 39, Raw: 111 << 10, Data: data}
		for m := range 39 {
			c.Heads = append(c.Heads, review.Head{
				N: m + 1, Role: chat.Tool, ContentLen: 2800 + m, ReasoningLen: 300, Tokens: 700, Tool: "terminal",
				Timestamp: "2026-05-03T10:00:00.123Z", SourceLine: int64(m + 1), SourceOffset: int64(m * 2900),
			})
		}
		tally := review.Tally{Messages: 39, Turns: 4, ToolCalls: 15, Tokens: 27000}
		writes[i] = hub.ImportWrite{
			Source: hub.Source{AgentID: "default", Path: file, Sessions: 1, Proof: hub.Proof{Head: file}, State: session.State{Decoder: []byte("{}")}},
			Sessions: []hub.SessionWrite{{
				Session: review.Session{AgentID: "default", File: file, Tally: tally},
				Chunks:  []hub.Chunk{c},
				Segments: []review.SegmentWrite{{HashState: data[:216], Segment: review.Segment{
					Start: 1, End: 39, Nth: 1, Digest: chat.Digest{Fingerprint: fmt.Sprintf("%08x%08x", n, i), Detail: "0123456789abcdef"},
					CutBy: review.CutProvisional, Topic: "Fix the flaky parser test", Tally: tally,
				}}},
			}},
		}
	}
	return writes
}

// BenchmarkWriteImport measures writing alone; its rate is in bytes of source.
func BenchmarkWriteImport(b *testing.B) {
	s := openTemp(b)
	const sourceBytes = 90 * 39 * 2900
	b.SetBytes(sourceBytes)
	n := 0
	for b.Loop() {
		b.StopTimer()
		writes := batch(n)
		n++
		b.StartTimer()
		if _, err := s.WriteImport(b.Context(), writes); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBig measures what a curator waits for, at 200,000 segments.
func BenchmarkBig(b *testing.B) {
	s, ids := bigCorpus(b, filepath.Join(b.TempDir(), "big.db"), 200_000)
	b.Run("page", func(b *testing.B) { benchmarkPages(b, s) })
	b.Run("totals", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Totals(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("judge", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			judge(b, s, "ann", review.Verdicts[i%3], ids[i*7919%len(ids)])
		}
	})
	var sessions []string
	for i := 0; i < len(ids); i += 40 {
		sessions = append(sessions, segment(b, s, ids[i]).SessionID)
	}
	benchmarkSplits(b, s, sessions, 1)
	// As a filter lets them through: spread over all, in the order of another list.
	some, err := s.IDs(b.Context(), review.Query{Filter: parsed(b, "tokens<10k"), Order: review.BestScore})
	if err != nil {
		b.Fatal(err)
	}
	some = some[:min(len(some), 10_000)]
	b.Run("judge-10000", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			judge(b, s, "ann", review.Verdicts[i%3], some...)
		}
	})
	b.Run("undo-10000", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			f := s.Undo
			if i%2 == 1 {
				f = s.Redo
			}
			if _, err := f(b.Context(), "ann"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// benchmarkPages measures the first page of listed filters and orders without
// the columns in memory.
func benchmarkPages(b *testing.B, s *Store) {
	for _, l := range listed {
		q := review.Query{Filter: parsed(b, l.filter), Order: l.order, Limit: 50}
		b.Run(l.filter+" by "+string(l.order), func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Segments(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "winnow.db")
	put(b, openAt(b, path), batch(1)...)
	for b.Loop() {
		s, err := Open(b.Context(), path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Segments(b.Context(), reviewAll(50)); err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
