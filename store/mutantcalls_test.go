package store

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

// tallied keeps how many calls and results the messages of sessions have.
type tallied struct {
	*plain
	calls, results map[string][]int
}

func (c *tallied) Message(key string, m *chat.Message) error {
	c.calls[key], c.results[key] = append(c.calls[key], len(m.ToolCalls)), append(c.results[key], isResult(m))
	return nil
}

func isResult(m *chat.Message) int {
	if m.Role == chat.Tool {
		return 1
	}
	return 0
}

func (c *tallied) Amend(key string, back int, m *chat.Message) error {
	at := len(c.calls[key]) - 1 - back
	c.calls[key][at], c.results[key][at] = len(m.ToolCalls), isResult(m)
	return nil
}

func (c *tallied) Move(from string, after int, to string) error {
	for _, list := range []map[string][]int{c.calls, c.results} {
		list[to] = append(list[to], list[from][after:]...)
		list[from] = list[from][:after:after]
	}
	return nil
}

func sum(lists map[string][]int) (n int) {
	for _, list := range lists {
		for _, k := range list {
			n += k
		}
	}
	return n
}

// TestMutantsOfTreesKeepCallsAndResults: what the lines of Claude Code's files
// hold, counted without their tree, is in the sessions.
func TestMutantsOfTreesKeepCallsAndResults(t *testing.T) {
	samples := mutantSamples(t)["claude-code"]
	for n := range 2000 / slower {
		rng := rand.New(rand.NewPCG(7, uint64(n)))
		m := &mutator{Rand: rng}
		for _, v := range samples[n%len(samples)] {
			m.lines = append(m.lines, v.clone())
		}
		for range 1 + rng.IntN(30) {
			if v := m.pick(m.lines); rng.IntN(2) == 0 && v.object() {
				m.relink(v)
			} else {
				a, b := rng.IntN(len(m.lines)), rng.IntN(len(m.lines))
				m.lines[a], m.lines[b] = m.lines[b], m.lines[a]
			}
		}
		var src []byte
		for _, v := range m.lines {
			src = append(v.append(src), '\n')
		}
		c := &tallied{&plain{sessions: map[string]*plainSession{}}, map[string][]int{}, map[string][]int{}}
		if _, err := session.Read(t.Context(), bytes.NewReader(src), session.Options{}, session.State{}, c); err != nil {
			t.Fatal(err)
		}
		passed := map[int64]bool{}
		for _, i := range c.issues {
			passed[i.Line] = passed[i.Line] || i.Severity != session.Note
		}
		calls, results := 0, 0
		for i, v := range m.lines {
			if !passed[int64(i+1)] {
				calls += bytes.Count(v.append(nil), []byte(`"type":"tool_use"`))
				results += bytes.Count(v.append(nil), []byte(`"type":"tool_result"`))
			}
		}
		if got := fmt.Sprint(sum(c.calls), sum(c.results)); got != fmt.Sprint(calls, results) {
			t.Errorf("mutant %d: %s calls and results, the lines have %d %d", n, got, calls, results)
		}
	}
}
