package facets

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/metric"
)

// BenchmarkFilter measures which of 200,000 segments a term lets through.
func BenchmarkFilter(b *testing.B) {
	random := rand.New(rand.NewPCG(5, 6))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	f := newColumns()
	const sessions = 20_000
	for n := range sessions {
		f.sessions.put(&Session{Rowid: int64(n + 1), Body: int64(n), ID: randomID(random).String(), File: fmt.Sprint("/home/ann/projects/web-", n%7, "/", n, ".jsonl"), Format: pick("codex", "pi"), Model: pick("gpt-5", "opus"), Copied: n%9 == 0})
	}
	start := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	for n := range 200_000 {
		r := Row{
			Rowid: int64(n + 1), ID: randomID(random), Body: int64(n % sessions), Recorded: start + random.Int64N(2e13), Reviewed: Never,
			Score: float64(random.IntN(10001)) / 10000, Marks: Marks(random.IntN(16)), Turns: int32(random.IntN(5)), Messages: int32(random.IntN(40)),
			ToolCalls: int32(random.IntN(9)), ToolFails: int32(random.IntN(3)), Tokens: random.Int64N(60000), Agent: pick("main", "other"),
			Verdict: pick("pending", "approved", "rejected"), Type: pick("code", "qa", "data"), Cut: pick("llm", "offline"), Note: pick("", "", "later"),
			Tools: pick("", "\nBash\n", "\nBash\nterminal\n"), Topic: fmt.Sprint("Fix the ", pick("flaky parser", "slow index"), " of ", pick("billing", "Zürich"), " number ", n),
		}
		for range metric.Names() {
			r.Metrics = append(r.Metrics, uint16(random.IntN(metric.ScoreUnit+1)))
		}
		f.put(&r)
	}
	for _, text := range []string{
		"status:pending", "score>=0.8", "score!=0.5", "tokens<10k", "messages:10..20", "metric.no_loops<0.5", "metric.no_loops!=1", "after:2025-06", "tool:terminal",
		"note:late", "topic:zürich", "file:web-3", "model:gpt", "format:pi", "has:think", "has:error", "has:copies", "id:3f2a",
	} {
		n, err := filter.Parse(text, filter.Options{Now: time.Now(), Zone: time.UTC})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				if _, err := f.filter(n, f.live, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
