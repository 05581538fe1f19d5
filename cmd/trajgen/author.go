package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// message is one entry of a session as a recorder sees it: what the user or
// the assistant said, or all results of the calls before.
type message struct {
	role      string // system, user, assistant, or tool for results
	at        time.Time
	content   text
	reasoning text
	calls     []call
	results   []result
	model     string
}

type call struct {
	id   string
	tool *tool
	args string // JSON
}

type result struct {
	id, tool string
	failed   bool
	content  text
}

// needle ends every giant line, for tests that look for its last kilobyte.
const needle = "needle-in-the-last-kilobyte"

// What sessions have unless flags say something else.
const (
	usualText   = 100
	usualRounds = 12
)

// author makes up sessions: a request, calls and their results, failures and
// recoveries, an answer, the next request.
type author struct {
	page     *page
	rng      *rand.Rand
	format   *format
	recorder recorder
	// plain sessions hold messages only, as a test of many lines wants them.
	plain bool
	model string
	now   time.Time
	// chinese sessions are asked and answered in Chinese.
	chinese bool
	text    int   // percent of the usual size of texts
	rounds  int   // of calls and their results that answer a request, at most
	left    int   // messages still wanted
	limit   int64 // of page.offset, where the session ends whatever is left
	calls   int   // made so far, for their ids
	id      string
	giant   int // bytes the next tool result must have
}

// newAuthor returns the author of the n-th session: with the same seed it
// writes the same bytes, whatever was written before.
func newAuthor(p *page, f *format, seed uint64, n int) *author {
	p.pcg = rand.NewPCG(seed, uint64(n)+1)
	rng := rand.New(p.pcg)
	models := []string{"gpt-5.2", "claude-opus-4-5", "qwen3-coder", "glm-4.6", "deepseek-v3.2"}
	a := &author{
		page: p, rng: rng, format: f, text: usualText, rounds: usualRounds, left: math.MaxInt, limit: math.MaxInt64,
		model:   models[rng.IntN(len(models))],
		now:     time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(rng.Int64N(200*24*3600*1000)) * time.Millisecond),
		chinese: rng.IntN(10) == 0,
		id:      fmt.Sprintf("%08x%08x", rng.Uint32(), rng.Uint32()),
	}
	a.recorder = f.open(p, a)
	return a
}

// session writes one session.
func (a *author) session() {
	p := a.page
	p.clock = int(a.now.UnixMilli() % (24 * 3600 * 1000))
	a.recorder.begin()
	if wanted := a.rng.IntN(3) > 0 && a.left > 4; a.format.system == always || wanted && a.format.system == sometimes {
		a.write(&message{role: "system", content: text{kind: prose, size: a.size(2500, 0.4, 500, 8000),
			before: "You are a careful coding agent. Work in the user's repository with the tools you have.\\n\\n"}})
	}
	for !a.over() {
		a.task()
	}
	switch {
	case a.left == 1:
		a.write(&message{role: "assistant", content: a.said(300, 60, 2000), model: a.model})
	case a.rng.IntN(25) == 0 && a.left > 0 && a.left < 400:
		a.write(a.calling(1)) // the recording stopped before the answer came
	}
	a.recorder.end()
	p.spill(false)
}

// over tells whether the session has its size. A task needs two messages.
func (a *author) over() bool { return a.left < 2 || a.page.offset() >= a.limit || a.page.err != nil }

// task writes a request and all that answers it.
func (a *author) task() {
	a.write(&message{role: "user", content: a.request()})
	for rounds := a.rng.IntN(a.rounds + 1); a.giant > 0 || rounds > 0 && a.left > 3 && a.page.offset() < a.limit; rounds-- {
		a.round()
	}
	answer := &message{role: "assistant", content: a.said(700, 60, 4000), model: a.model}
	if a.rng.IntN(2) == 0 {
		answer.reasoning = a.thought()
	}
	a.write(answer)
}

// round writes calls and their results.
func (a *author) round() {
	n := 1
	if a.rng.IntN(8) == 0 {
		n = max(1, min(2+a.rng.IntN(3), a.left-2)) // in parallel
	}
	m := a.calling(n)
	a.write(m)
	answers := &message{role: "tool"}
	for _, c := range m.calls {
		answers.results = append(answers.results, a.answer(c))
	}
	a.write(answers)
}

// calling returns a message with n calls.
func (a *author) calling(n int) *message {
	m := &message{role: "assistant", model: a.model}
	for range n {
		t := weighted(a.rng)
		a.calls++
		m.calls = append(m.calls, call{fmt.Sprintf("call_%s_%d", a.id, a.calls), t, t.args(a)})
	}
	if a.rng.IntN(3) > 0 {
		m.reasoning = a.thought()
	}
	if a.rng.IntN(2) == 0 {
		m.content = a.said(220, 30, 1500)
	}
	return m
}

// answer returns what a tool gives back, now and then a failure.
func (a *author) answer(c call) result {
	t, r := c.tool, result{id: c.id, tool: c.tool.name}
	switch {
	case a.giant > 0:
		r.content = text{kind: logs, size: a.giant, after: `\n` + needle}
		a.giant = 0
	case a.rng.IntN(14) == 0:
		r.failed = true
		r.content = text{before: a.page.one(errors), kind: traces, size: a.size(500, 0.8, 100, 5000)}
		r.content.before += `\n`
	default:
		r.content = text{kind: t.answers[a.rng.IntN(len(t.answers))], size: a.size(t.median, 1.15, 200, 30000), numbered: t.numbered}
	}
	return r
}

func (a *author) request() text {
	k, rest := asks, prose
	if a.chinese {
		k, rest = chineseAsks, chineseProse
	}
	t := text{before: a.page.one(k)}
	switch a.rng.IntN(6) {
	case 0:
		t.before += `\n\n`
		t.kind, t.size = rest, a.size(500, 0.8, 100, 4000)
	case 1:
		t.before += "\\n\\n```\\n"
		t.kind, t.size, t.after = traces, a.size(900, 0.8, 200, 6000), "\\n```"
	}
	return t
}

func (a *author) said(median, low, high int) text {
	t := text{kind: prose, size: a.size(median, 0.8, low, high)}
	if a.chinese {
		t.kind = chineseProse
	}
	return t
}

func (a *author) thought() text { return text{kind: think, size: a.size(750, 0.75, 200, 4000)} }

// size draws from a log-normal distribution, cut off at both ends.
func (a *author) size(median int, sigma float64, low, high int) int {
	return a.shrunk(a.number(median, sigma, low, high))
}

// number draws a log-normal number.
func (a *author) number(median int, sigma float64, low, high int) int {
	return max(low, min(high, int(float64(median)*math.Exp(sigma*a.rng.NormFloat64()))))
}

// shrunk is a number of bytes or lines as the wanted size of texts has it.
func (a *author) shrunk(n int) int { return max(1, int(int64(n)*int64(a.text)/100)) }

// write hands a message to the format and lets time pass.
func (a *author) write(m *message) {
	m.at = a.now
	a.now = a.now.Add(time.Duration(500+a.rng.IntN(20000)) * time.Millisecond)
	n := max(1, len(m.results))
	a.left -= n
	a.page.messages += n
	a.recorder.message(m)
	a.page.spill(false)
}
