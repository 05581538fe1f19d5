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
				Segments: []hub.SegmentWrite{{HashState: data[:216], Segment: review.Segment{
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

// big makes a database of n segments in sessions of four, all alike but for
// what lists sort by.
func big(tb testing.TB, n int) (*Store, []string) {
	s := openAt(tb, filepath.Join(tb.TempDir(), "big.db"))
	random := rand.New(rand.NewPCG(1, 2))
	var ids []string
	for at := 0; at < n; {
		var writes []hub.ImportWrite
		for range 100 {
			file := fmt.Sprintf("/home/somebody/.sessions/2026/05/%08x-%d.jsonl", random.Uint32(), at)
			w := hub.SessionWrite{Session: review.Session{AgentID: "default", File: file, Tally: review.Tally{Messages: 40}}}
			for i := range 4 {
				score := float64(random.IntN(10001)) / 10000
				w.Segments = append(w.Segments, hub.SegmentWrite{Segment: review.Segment{
					Index: i, Start: i*10 + 1, End: i*10 + 10, Nth: 1, CutBy: review.CutOffline, Labeled: true, Score: &score,
					Digest: chat.Digest{Fingerprint: fmt.Sprint(at, i)}, Topic: "Fix the flaky parser test",
					Verdict: review.Verdicts[min(3, random.IntN(20))], Reviewer: "ann",
					Stale: random.IntN(100) == 0, Analysis: `{"version":1,"scorer":"offline","summary":{"overall_score":0.83}}`,
					Tally: review.Tally{Messages: 10, Tokens: random.IntN(20000)},
				}})
			}
			at += 4
			writes = append(writes, hub.ImportWrite{Source: hub.Source{AgentID: "default", Path: file}, Sessions: []hub.SessionWrite{w}})
		}
		ids = append(ids, put(tb, s, writes...)...)
	}
	return s, ids
}

// BenchmarkBig measures what a curator waits for, at 200,000 segments.
func BenchmarkBig(b *testing.B) {
	s, ids := big(b, 200_000)
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
	some := make([]string, 10_000)
	for i := range some {
		some[i] = ids[i*20]
	}
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

func benchmarkPages(b *testing.B, s *Store) {
	for _, o := range review.Orders {
		for name, q := range map[string]review.Query{
			"all":      {},
			"pending":  {Filter: review.HasVerdict(review.Pending)},
			"approved": {Filter: review.HasVerdict(review.Approved)},
			"stale":    {Filter: review.Has("stale")},
		} {
			q.Order, q.Limit = o, 50
			b.Run(string(o)+"/"+name, func(b *testing.B) {
				for b.Loop() {
					p, err := s.Segments(b.Context(), q)
					if err != nil || len(p.Segments) == 0 {
						b.Fatal(err, len(p.Segments))
					}
					if q.After = p.Last; !p.More {
						q.After = review.Cursor{}
					}
				}
			})
		}
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
