package graph

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
)

// message is a message as cases write it.
type message struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	Reasoning  string `json:"reasoning,omitempty"`
	ToolCalls  []call `json:"tool_calls,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
	Name       string `json:"name,omitempty"`
	IsError    bool   `json:"is_error,omitempty"`
}

type call struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func (m message) chat() chat.Message {
	out := chat.Message{Role: chat.Role(m.Role), Content: m.Content, Reasoning: m.Reasoning,
		ToolCallID: m.ToolCallID, Name: m.Name, IsError: m.IsError}
	for _, c := range m.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, chat.ToolCall(c))
	}
	return out
}

func written(m chat.Message) message {
	out := message{Role: string(m.Role), Content: m.Content, Reasoning: m.Reasoning,
		ToolCallID: m.ToolCallID, Name: m.Name, IsError: m.IsError}
	for _, c := range m.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, call(c))
	}
	return out
}

func writtenAll(list []chat.Message) []message {
	out := []message{}
	for _, m := range list {
		out = append(out, written(m))
	}
	return out
}

// operation is one step of a case; positions that are absent are 0.
type operation struct {
	Op      string  `json:"op"`
	In      string  `json:"in"`
	Message message `json:"message"`
	Sampled bool    `json:"sampled"`
	At      int     `json:"at"`
	Count   *int    `json:"count"`
	Why     string  `json:"why"`
	Branch  string  `json:"branch"`
	To      int     `json:"to"`
	Verdict string  `json:"verdict"`
	Name    string  `json:"name"`
	Of      string  `json:"of"`
	Fails   bool    `json:"fails"`
}

// do carries out an operation and reports whether it broke a prefix.
func do(g *Graph, op operation) (broke bool, err error) {
	if op.Op == "open" {
		if op.Of == "" {
			_, err = g.Open(op.Name)
			return false, err
		}
		outer := g.Conversation(op.Of)
		if outer == nil {
			return false, fmt.Errorf("no conversation %q", op.Of)
		}
		_, err = g.OpenIn(op.Name, outer, op.At)
		return false, err
	}
	if op.In == "" {
		op.In = "main"
	}
	c := g.Conversation(op.In)
	if c == nil {
		return false, fmt.Errorf("no conversation %q", op.In)
	}
	count := 1
	if op.Count != nil {
		count = *op.Count
	}
	switch op.Op {
	case "append":
		err = c.Append(op.Message.chat(), op.Sampled)
	case "set":
		why, known := map[string]Why{"": Fix, "fix": Fix, "redact": Redact}[op.Why]
		if !known {
			why = -1
		}
		err = c.Set(op.At, op.Message.chat(), why)
	case "insert":
		err = c.Insert(op.At, op.Message.chat())
	case "delete":
		err = c.Delete(op.At, count)
	case "squash":
		err = c.Squash(op.At, count, op.Message.chat())
	case "fork":
		err = c.Fork(op.At, op.Branch)
	case "switch":
		err = c.Switch(op.Branch)
	case "revert":
		err = c.Revert(op.To)
	case "judge":
		v := Verdict(op.Verdict)
		if v == "pending" {
			v = Pending
		}
		err = c.Judge(v)
	default:
		err = fmt.Errorf("no operation %q", op.Op)
	}
	return err == nil && c.Broke(), err
}

// shape is what comes out of a conversation.
type shape struct {
	Versions [][]message    `json:"versions"`
	Head     int            `json:"head"`
	Branches map[string]int `json:"branches"`
	Sampled  []bool         `json:"sampled"`
}

type sample struct {
	Messages []message `json:"messages"`
	Train    []bool    `json:"train"`
}

type pair struct {
	Prompt   []message `json:"prompt"`
	Chosen   message   `json:"chosen"`
	Rejected message   `json:"rejected"`
	Why      string    `json:"why"`
}

type nested struct {
	Of   string `json:"of"`
	At   int    `json:"at"`
	Name string `json:"name"`
}

// outcome is all that a case expects.
type outcome struct {
	Broke []bool `json:"broke_prefix"`
	shape
	Samples []sample         `json:"on_policy_samples"`
	Pairs   []pair           `json:"preference_pairs"`
	Others  map[string]shape `json:"others"`
	Nested  []nested         `json:"nested"`
}

func shapeOf(c *Conversation) shape {
	n, head := c.Versions()
	s := shape{Versions: [][]message{}, Head: head, Branches: c.Branches(), Sampled: []bool{}}
	for i := range n {
		s.Versions = append(s.Versions, writtenAll(c.Version(i)))
	}
	for i := range c.Len() {
		s.Sampled = append(s.Sampled, c.Sampled(i))
	}
	return s
}

func outcomeOf(g *Graph, broke []bool) outcome {
	out := outcome{Broke: broke, Samples: []sample{}, Pairs: []pair{}}
	for _, c := range g.conversations {
		if c.name == "main" {
			out.shape = shapeOf(c)
			continue
		}
		if out.Others == nil {
			out.Others = map[string]shape{}
		}
		out.Others[c.name] = shapeOf(c)
	}
	for s := range g.Samples() {
		out.Samples = append(out.Samples, sample{writtenAll(s.Messages), s.Train})
	}
	for p := range g.Pairs() {
		out.Pairs = append(out.Pairs, pair{writtenAll(p.Prompt), written(p.Chosen), written(p.Rejected), string(p.Why)})
	}
	for _, n := range g.Nested() {
		out.Nested = append(out.Nested, nested{n.Of, n.At, n.Name})
	}
	sortPairs(out.Pairs)
	return out
}

func sortPairs(list []pair) {
	slices.SortFunc(list, func(a, b pair) int { return strings.Compare(text(a), text(b)) })
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func newGraph(t testing.TB) (*Graph, *Conversation) {
	t.Helper()
	g := &Graph{}
	c, err := g.Open("main")
	if err != nil {
		t.Fatal(err)
	}
	return g, c
}

// TestVectors runs the cases of graph.jsonl, in the folder that WINNOW_VECTORS
// names, else beside the project if they are there.
func TestVectors(t *testing.T) {
	dir := os.Getenv("WINNOW_VECTORS")
	if dir == "" {
		dir = "../../../shared/vectors"
	}
	data, err := os.ReadFile(filepath.Join(dir, "graph.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(data)) {
		var c struct {
			Name     string      `json:"name"`
			Ops      []operation `json:"ops"`
			Expected outcome     `json:"expected"`
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		t.Run(c.Name, func(t *testing.T) { check(t, c.Ops, c.Expected) })
	}
}

// check carries out operations and compares what comes of them.
func check(t *testing.T, ops []operation, want outcome) {
	t.Helper()
	g, _ := newGraph(t)
	broke := []bool{}
	for i, op := range ops {
		before := text(outcomeOf(g, nil))
		b, err := do(g, op)
		if (err != nil) != op.Fails {
			t.Fatalf("operation %d %s: %v", i, text(op), err)
		}
		if err != nil && text(outcomeOf(g, nil)) != before {
			t.Fatalf("operation %d was refused and changed something", i)
		}
		broke = append(broke, b)
	}
	sortPairs(want.Pairs)
	if got := outcomeOf(g, broke); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %s\nwant %s", text(got), text(want))
	}
}
