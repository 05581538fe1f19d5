package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// directly fills a database with rows as an import and a scoring leave them, four
// segments to a session.
func directly(tb testing.TB, s *Store, segments int) {
	tb.Helper()
	var bodies uint32
	if err := s.db.Rows(tb.Context(), "SELECT coalesce(max(id), 0) FROM bodies").One(&bodies); err != nil {
		tb.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, uint64(bodies)))
	reason := strings.Repeat("27 of 30 tool results succeeded; ", 36)
	begin := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	ids := bodies * 8
	id := func() string {
		ids++ // the first eight digits of no two are the same
		return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", ids*2654435761, random.IntN(1<<16), random.IntN(1<<12), random.IntN(1<<12), random.Int64N(1<<48))
	}
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	const session = `INSERT INTO trajectory_records (id, source_agent_id, session_file, created_at, body, format, model, messages) VALUES (?, ?, ?, ?, ?, ?, ?, 32)`
	const segment = `INSERT INTO task_segments (id, agent_id, session_file, segment_index, start_line, end_line, fingerprint, topic, quality_metrics, labeled,
		created_at, updated_at, session_id, body, detail, cut_by, score, task_type, verdict, note, tags, reviewer, reviewed_at, stale,
		messages, turns, tool_calls, tool_fails, tokens, reasonings, media, flags, tools, measures, recorded)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	n := 0
	for n < segments {
		err := s.write(tb.Context(), sqlite.Machine, "fill", func(t *tx) error {
			t.PrepareFor(1000)
			for range 2000 {
				if n >= segments {
					return nil
				}
				sid, agent := id(), pick("main", "main", "main", "nightly", "default")
				file := fmt.Sprintf("/home/somebody/.claude/projects/-home-somebody-src-%s-%d/%s.jsonl", pick("web", "api", "Parser", "zürich"), random.IntN(400), sid)
				created := begin.Add(time.Duration(random.Int64N(int64(500 * 24 * time.Hour))))
				res, err := t.Exec("INSERT INTO bodies (session_id) VALUES (?)", sid)
				if err != nil {
					return err
				}
				body, err := res.LastInsertId()
				if err != nil {
					return err
				}
				if _, err := t.Exec(session, sid, agent, file, stamp.Of(created), body, pick("codex", "claude-code", "messages", "pi"), pick("claude-opus-4", "gpt-5", "GPT-5-mini", "")); err != nil {
					return err
				}
				for i := range 4 {
					n++
					var score, reviewed any
					measures := make([]byte, 2*len(metric.Names()))
					if random.IntN(20) > 0 {
						score = math.Round(math.Pow(random.Float64(), 0.6)*10000) / 10000
					}
					for m := range len(measures) / 2 {
						v := uint16(metric.Unmeasured)
						if m < 8 && random.IntN(4) > 0 {
							v = uint16(random.IntN(10001))
						}
						binary.BigEndian.PutUint16(measures[2*m:], v)
					}
					verdict, reviewer, note, tags := "pending", "", "", ""
					if random.IntN(3) == 0 {
						verdict, reviewer, reviewed = pick("approved", "approved", "rejected", "unsure"), pick("ann", "bob"), stamp.Of(created.Add(time.Hour))
						if random.IntN(10) == 0 {
							note = pick("look again", "Übel", "good example of recovery")
						}
					}
					if random.IntN(20) == 0 {
						tags = pick(`["keep"]`, `["keep","golden"]`, `["later","why:loop"]`)
					}
					calls := random.IntN(30)
					tools, flags := "", pick("", "\nno_reasoning\n", "\nno_reasoning\nloop\n", "\nunfinished\n")
					for _, tool := range []string{"terminal", "read_file", "write_file", "browser", "search"}[:random.IntN(5)] {
						tools += fmt.Sprintf("\n%s\t%d\t%d", tool, calls, random.IntN(2))
					}
					if tools != "" {
						tools += "\n"
					}
					topic := fmt.Sprintf("%s the %s %s of %s number %d", pick("Fix", "Write", "Explain", "Refactor"), pick("flaky", "slow", "new", "old"), pick("parser", "test", "compose file", "index"), pick("billing", "search", "Zürich"), random.IntN(50000))
					analysis := fmt.Sprintf(`{"version":1,"summary":{"reason":"%s"}}`, reason)
					_, err := t.Exec(segment, id(), agent, file, i, i*8+1, i*8+8, fmt.Sprintf("%016x", n), topic, analysis,
						stamp.Of(created), stamp.Of(created), sid, body, "0123456789abcdef", pick("offline", "llm"), score, pick("code", "code", "qa", "data", "chat"), verdict, note, tags, reviewer, reviewed, random.IntN(50) == 0,
						8+random.IntN(40), 1+random.IntN(5), calls, random.IntN(4), random.IntN(60000), random.IntN(2), random.IntN(30)/29, flags, tools, measures, stamp.Of(created.Add(time.Duration(i)*time.Minute)))
					if err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
}

func BenchmarkFacets(b *testing.B) {
	s := openTemp(b)
	directly(b, s, 200_000)
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			forget(s)
			if err := s.Warm(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	var before, after runtime.MemStats
	forget(s)
	runtime.GC()
	runtime.ReadMemStats(&before)
	if err := s.Warm(b.Context()); err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.Logf("%d MB", (after.HeapAlloc-before.HeapAlloc)>>20)
	benchmarkUpdates(b, s)
	for _, q := range combinations {
		n, err := filter.Parse(q.filter, filter.Options{Now: time.Now(), Zone: time.UTC})
		if err != nil {
			b.Fatal(err)
		}
		b.Run("count/"+q.filter, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				n := unasked(n, i)
				c, err := s.Count(b.Context(), n)
				if err != nil || c.Segments == 0 {
					b.Fatal(c, err)
				}
			}
		})
		b.Run("first/"+q.filter+"/"+string(q.order), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, err := s.Segments(b.Context(), review.Query{Filter: unasked(n, i), Order: q.order, Limit: 50, Seed: 3}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("next/"+q.filter+"/"+string(q.order), func(b *testing.B) {
			ask := review.Query{Filter: n, Order: q.order, Limit: 50, Seed: 3}
			for b.Loop() {
				p, err := s.Segments(b.Context(), ask)
				if err != nil || len(p.Segments) == 0 {
					b.Fatal(err)
				}
				if ask.After = p.Last; !p.More {
					ask.After = review.Cursor{}
				}
			}
		})
	}
}

// unasked returns a filter that lets the same segments through as another one, but
// of which no answer is kept.
func unasked(n filter.Node, i int) filter.Node {
	return filter.All(n, filter.Term{Field: filter.Messages, Op: filter.GreaterEqual, Num: -float64(i)})
}

// benchmarkUpdates measures what the first question after a change takes.
func benchmarkUpdates(b *testing.B, s *Store) {
	n := parsed(b, "score>=0.5 type:code")
	ids, err := s.IDs(b.Context(), review.Query{Order: review.Random, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	for _, size := range []int{1, 10_000} {
		b.Run(fmt.Sprint("update/", size), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				judge(b, s, "ann", review.Verdicts[i%3], ids[:size]...)
				b.StartTimer()
				if err := s.Warm(b.Context()); err != nil {
					b.Fatal(err)
				}
				if _, err := s.Count(b.Context(), n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

var combinations = []struct {
	filter string
	order  review.Order
}{
	{"", review.Natural},
	{"status:pending", review.BestScore},
	{"score>=0.8 type:code status:pending", review.Newest},
	{"tool:terminal -has:error agent:main", review.MostTokens},
	{"topic:zürich", review.Longest},
	{"(flag:loop or metric.no_loops<0.5) messages:10..20", review.WorstScore},
	{"file:parser model:gpt -status:rejected", review.Random},
	{"tag:golden reviewer:ann", review.Natural},
	{"after:2025-06 before:2025-09 has:think", review.Oldest},
	{"topic:billing or note:übel or file:web-3", review.MostFailures},
}
