package store

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"winnow/core/metric"
	"winnow/core/review"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// corpus describes a database whose rows are put there without an import, as
// wide as real ones, with values spread as among real sessions.
type corpus struct {
	segments int // four to a session
	random   *rand.Rand
}

// bigCorpus makes a database of n segments and returns their ids in the order in
// which they lie.
func bigCorpus(tb testing.TB, path string, n int) (*Store, []string) {
	s := openAt(tb, path)
	c := &corpus{n, rand.New(rand.NewPCG(1, 2))}
	var ids []string
	for at := 0; at < n; at += 20_000 {
		err := s.write(tb.Context(), sqlite.Machine, "fill", func(t *tx) error {
			t.PrepareFor(1000)
			for i := at; i < min(at+20_000, n); i += 4 {
				some, err := c.session(t, i/4)
				if err != nil {
					return err
				}
				ids = append(ids, some...)
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return s, ids
}

var (
	corpusFormats  = []string{"claude-code", "claude-code", "claude-code", "codex", "openai", "sharegpt", "pi"}
	corpusModels   = []string{"claude-opus-4-5-20251101", "claude-sonnet-4-5", "gpt-5.2-codex", "Qwen3-Coder-480B", ""}
	corpusTools    = []string{"Bash", "Read", "Edit", "Grep", "Write", "terminal", "web_search", "apply_patch", "mcp__github__get_issue"}
	corpusTopics   = []string{"Fix the flaky parser test", "Docker compose for postgres", "Port the config loader to TOML", "Rotate nginx logs on web-2", "Größe der Übersicht ändern", "Настройка резервного копирования", "订单服务改了配置以后要重启才生效"}
	corpusVerdicts = []string{"approved", "rejected", "unsure"}
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// session inserts a session and its four segments.
func (c *corpus) session(t *tx, n int) (ids []string, err error) {
	r := c.random
	began := time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(r.Int64N(int64(500 * 24 * time.Hour))))
	session := fmt.Sprintf("%08x-0000-4000-8000-%012x", uint32(n)*2654435761, n)
	file := fmt.Sprintf("/home/somebody/.claude/projects/-home-somebody-src-%s/%s.jsonl", pick(r, []string{"web", "api", "infra", "notes", "Отчёты"}), session)
	const insert = `INSERT INTO trajectory_records (id, source_agent_id, session_file, segmented, created_at, body, format, native_id, title, model,
		started, ended, dir, messages, turns, tool_calls, tokens) VALUES (?, ?, ?, 1, ?, ?, ?, ?, 'Fix the flaky parser test', ?, ?, ?, '/home/somebody/src', 60, 8, 30, 40000)`
	body := n + 1
	if _, err := t.Exec("INSERT INTO bodies (id, session_id) VALUES (?, ?)", body, session); err != nil {
		return nil, err
	}
	agent := pick(r, []string{"default", "default", "default", "research"})
	_, err = t.Exec(insert, session, agent, file, stamp.Of(began), body, pick(r, corpusFormats), session, pick(r, corpusModels), stamp.Of(began), stamp.Of(began))
	if err != nil {
		return nil, err
	}
	for i := range 4 {
		id := fmt.Sprintf("%08x-0000-4000-9000-%012x", uint32(4*n+i)*2654435761, 4*n+i)
		if err := c.segment(t, id, session, agent, file, body, i, began.Add(time.Duration(i)*time.Hour)); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func (c *corpus) segment(t *tx, id, session, agent, file string, body, i int, began time.Time) error {
	r := c.random
	topic := pick(r, corpusTopics[:4])
	if r.IntN(10) == 0 {
		topic = pick(r, corpusTopics)
	}
	g := review.Segment{
		ID: id, SessionID: session, AgentID: agent, SessionFile: file, Index: i, Start: i*15 + 1, End: i*15 + 15, Topic: topic + fmt.Sprint(" ", r.IntN(500)),
		CutBy: review.CutOffline, Labeled: true, Verdict: review.Pending,
	}
	g.Fingerprint, g.Detail = fmt.Sprintf("%016x", r.Uint64()), "0123456789abcdef"
	g.Tally = review.Tally{Messages: 2 + r.IntN(60), Turns: 1 + r.IntN(6), Tokens: 100 + int(40000*r.ExpFloat64()/4), Reasonings: r.IntN(3)}
	a := c.analysis(&g, began)
	d := derivedFrom(&a)
	var reviewed any
	reviewer, note, tags := "", "", ""
	if r.IntN(3) == 0 {
		g.Verdict, reviewer, reviewed = review.Verdict(pick(r, corpusVerdicts)), pick(r, []string{"ann", "bob"}), stamp.Of(began.AddDate(0, 1, 0))
		if r.IntN(10) == 0 {
			note, tags = "look at this again", `["keep","later"]`
		}
	}
	const insert = `INSERT INTO task_segments (id, agent_id, session_file, segment_index, start_line, end_line, fingerprint, topic, quality_metrics, labeled,
		created_at, updated_at, session_id, body, detail, cut_by, score, task_type, verdict, stale, note, tags, reviewer, reviewed_at, messages, turns,
		tool_calls, tool_fails, tokens, reasonings, media, flags, tools, measures, recorded, errors, exits)
		VALUES (` + "?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)"
	now := stamp.Of(began.AddDate(0, 0, 2))
	_, err := t.Exec(insert, id, agent, file, i, g.Start, g.End, g.Fingerprint, g.Topic, a.Encode(), now, now, session, body, g.Detail, string(g.CutBy),
		*d.score, d.taskType, string(g.Verdict), r.IntN(100) == 0, note, tags, reviewer, reviewed, g.Messages, g.Turns, g.ToolCalls, g.ToolFails, g.Tokens,
		g.Reasonings, d.flags, d.tools, d.measures, stamp.Of(began), d.errors, d.exits)
	return err
}

// analysis is one of about 1.3 KB.
func (c *corpus) analysis(g *review.Segment, began time.Time) metric.Analysis {
	r := c.random
	a := metric.Analysis{Version: metric.Version, Scorer: metric.Offline, Start: g.Start, Metrics: map[string]*metric.Value{}, ToolStats: map[string]metric.ToolStat{}}
	for i, m := range metric.List() {
		if m.Judged || i == 1 && r.IntN(2) == 0 {
			continue
		}
		score := float64(r.IntN(10001)) / 10000
		if r.IntN(2) == 0 {
			score = 1
		}
		a.Metrics[m.Name] = &metric.Value{Score: score, Weight: m.Weight, Reason: strings.Repeat("27 of 30 tool results succeeded; failed: #12, #15; ", 1+r.IntN(2))}
	}
	a.Rescore()
	a.Summary.TaskType = pick(r, metric.TaskTypes())
	a.Summary.Reason = "8 metrics; the lowest is tool_success"
	for range r.IntN(4) {
		name := pick(r, corpusTools)
		fails := r.IntN(8) / 6
		count := 1 + fails + r.IntN(12)
		a.ToolStats[name] = metric.ToolStat{Count: count, Success: count - fails, Failure: fails, Errors: fails, Exits: r.IntN(8) / 6}
	}
	for _, s := range a.ToolStats {
		g.ToolCalls, g.ToolFails = g.ToolCalls+s.Count, g.ToolFails+s.Failure
	}
	for _, f := range metric.Flags() {
		if r.IntN(15) == 0 {
			a.Flags = append(a.Flags, f.Flag)
		}
	}
	return a
}
