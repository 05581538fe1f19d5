package graph

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"winnow/core/chat"
)

// naive is the same rules written down as plainly as can be: lists are copied
// and compared whole, nothing is shared and nothing hashed.
type naive struct {
	convs    []*naiveConv
	sampled  map[string]bool // the text of a list
	sealed   map[string]bool
	original []message // of each place
	model    []bool
	said     [][]string
}

type naiveConv struct {
	name     string
	of       int // a place, or -1
	versions []*naiveVersion
	names    []string
	on       map[string]*naiveVersion
	current  string
}

type naiveVersion struct {
	list    []message
	places  []int
	verdict string
	kept    bool
}

func sayingText(m message) string {
	m.ToolCallID, m.Name, m.IsError = "", "", false
	m.ToolCalls = slices.Clone(m.ToolCalls)
	for i := range m.ToolCalls {
		m.ToolCalls[i].ID = ""
	}
	return text(m)
}

func (n *naive) place(m message) int {
	n.original, n.model = append(n.original, m), append(n.model, false)
	n.said = append(n.said, []string{sayingText(m)})
	return len(n.original) - 1
}

func (n *naive) conv(name string) *naiveConv {
	for _, c := range n.convs {
		if c.name == name {
			return c
		}
	}
	return nil
}

func (n *naive) open(name string, of int) {
	v := &naiveVersion{}
	n.convs = append(n.convs, &naiveConv{name: name, of: of, versions: []*naiveVersion{v},
		names: []string{"main"}, on: map[string]*naiveVersion{"main": v}, current: "main"})
}

func (c *naiveConv) others(v *naiveVersion) bool {
	for name, on := range c.on {
		if name != c.current && on == v {
			return true
		}
	}
	return false
}

func (c *naiveConv) find(list []message) *naiveVersion {
	for _, v := range c.versions {
		if text(v.list) == text(list) || len(v.list) == 0 && len(list) == 0 {
			return v
		}
	}
	return nil
}

func (c *naiveConv) leave(v *naiveVersion) {
	c.versions = slices.DeleteFunc(c.versions, func(w *naiveVersion) bool { return w == v })
}

// answered reports whether a has an assistant's message after what a and b
// begin with.
func answeredAfter(a, b []message) bool {
	p := 0
	for p < len(a) && p < len(b) && text(a[p]) == text(b[p]) {
		p++
	}
	return slices.ContainsFunc(a[p:], func(m message) bool { return m.Role == "assistant" })
}

func (c *naiveConv) become(list []message, places []int) bool {
	old := c.on[c.current]
	if text(append([]message{}, old.list...)) == text(append([]message{}, list...)) {
		return false
	}
	broke := answeredAfter(old.list, list)
	same := c.find(list)
	if broke || c.others(old) {
		old.kept = old.kept || broke
		if same == nil {
			same = &naiveVersion{list: list, places: places}
			c.versions = append(c.versions, same)
		}
	} else if same != nil {
		c.leave(old)
		same.kept = same.kept || old.kept
	} else {
		old.list, old.places, old.verdict = list, places, ""
		same = old
	}
	c.on[c.current] = same
	return broke
}

// do carries out an operation that is known to be valid.
func (n *naive) do(op operation) bool {
	if op.Op == "open" {
		of := -1
		if op.Of != "" {
			outer := n.conv(op.Of)
			of = outer.on[outer.current].places[op.At]
		}
		n.open(op.Name, of)
		return false
	}
	c := n.conv(op.In)
	v := c.on[c.current]
	list, places := slices.Clone(v.list), slices.Clone(v.places)
	switch op.Op {
	case "append":
		broke := c.become(append(list, op.Message), append(places, n.place(op.Message)))
		if op.Sampled {
			v = c.on[c.current]
			n.sampled[text(v.list)] = true
			last := v.places[len(v.places)-1]
			n.model[last] = n.model[last] || text(n.original[last]) == text(op.Message)
		}
		return broke
	case "set":
		if text(list[op.At]) == text(op.Message) {
			return false
		}
		at := places[op.At]
		if op.Why == "redact" {
			for _, s := range n.said[at] {
				n.sealed[s] = true
			}
			delete(n.sealed, sayingText(op.Message))
		}
		n.said[at] = append(n.said[at], sayingText(op.Message))
		list[op.At] = op.Message
		return c.become(list, places)
	case "insert":
		return c.become(slices.Insert(list, op.At, op.Message), slices.Insert(places, op.At, n.place(op.Message)))
	case "delete":
		return c.become(slices.Delete(list, op.At, op.At+*op.Count), slices.Delete(places, op.At, op.At+*op.Count))
	case "squash":
		return c.become(slices.Replace(list, op.At, op.At+*op.Count, op.Message),
			slices.Replace(places, op.At, op.At+*op.Count, n.place(op.Message)))
	case "fork":
		on := c.find(list[:op.At])
		if on == nil {
			on = &naiveVersion{list: list[:op.At], places: places[:op.At]}
			c.versions = append(c.versions, on)
		}
		c.names, c.current = append(c.names, op.Branch), op.Branch
		c.on[op.Branch] = on
	case "switch":
		c.current = op.Branch
	case "revert":
		next := c.versions[op.To]
		if next == v {
			return false
		}
		broke := answeredAfter(v.list, next.list)
		v.kept = v.kept || broke
		if !v.kept && !c.others(v) {
			c.leave(v)
		}
		c.on[c.current] = next
		return broke
	case "judge":
		v.verdict = op.Verdict
	}
	return false
}

func (n *naive) outcome(broke []bool) outcome {
	out := outcome{Broke: broke, Samples: n.samples(), Pairs: n.pairs()}
	for _, c := range n.convs {
		s := shape{Versions: [][]message{}, Branches: map[string]int{}, Sampled: []bool{}}
		for i, v := range c.versions {
			s.Versions = append(s.Versions, append([]message{}, v.list...))
			for name, on := range c.on {
				if on == v {
					s.Branches[name] = i
				}
			}
		}
		head := c.on[c.current]
		s.Head = slices.Index(c.versions, head)
		for i := range head.list {
			s.Sampled = append(s.Sampled, n.sampled[text(head.list[:i+1])])
		}
		if c.name == "main" {
			out.shape = s
		} else {
			if out.Others == nil {
				out.Others = map[string]shape{}
			}
			out.Others[c.name] = s
		}
		for _, outer := range n.convs {
			if at := slices.Index(outer.on[outer.current].places, c.of); at >= 0 {
				out.Nested = append(out.Nested, nested{outer.name, at, c.name})
			}
		}
	}
	sortPairs(out.Pairs)
	return out
}

func (n *naive) samples() []sample {
	var cuts [][]message
	for _, c := range n.convs {
		for _, v := range c.versions {
			cut := 0
			for i := range v.list {
				if n.sealed[sayingText(v.list[i])] {
					break
				}
				if n.sampled[text(v.list[:i+1])] {
					cut = i + 1
				}
			}
			cuts = append(cuts, v.list[:cut])
		}
	}
	found := []sample{}
	trained := map[string]bool{}
	for i, cut := range cuts {
		drop := len(cut) == 0
		for j, other := range cuts {
			begins := len(cut) > 0 && len(other) >= len(cut) && text(other[:len(cut)]) == text(cut)
			drop = drop || begins && (len(other) > len(cut) || j < i)
		}
		if drop {
			continue
		}
		s := sample{Messages: append([]message{}, cut...)}
		for k := range cut {
			node := text(cut[:k+1])
			s.Train = append(s.Train, n.sampled[node] && !trained[node])
			trained[node] = trained[node] || s.Train[k]
		}
		found = append(found, s)
	}
	return found
}

func (n *naive) pairs() []pair {
	found := []pair{}
	seen := map[string]bool{}
	add := func(prompt []message, chosen, rejected message, why string) {
		user := false
		for _, m := range prompt {
			if n.sealed[sayingText(m)] {
				return
			}
			user = user || m.Role == "user"
		}
		key := text([]any{prompt, chosen, rejected})
		if !user || seen[key] || n.sealed[sayingText(chosen)] || n.sealed[sayingText(rejected)] {
			return
		}
		seen[key] = true
		found = append(found, pair{append([]message{}, prompt...), chosen, rejected, why})
	}
	var all []*naiveVersion
	for _, c := range n.convs {
		all = append(all, c.versions...)
		for _, name := range c.names {
			v := c.on[name]
			for i, m := range v.list {
				was := n.original[v.places[i]]
				if v.verdict != "rejected" && text(m) != text(was) && m.Role == "assistant" && was.Role == "assistant" && n.model[v.places[i]] {
					add(v.list[:i], m, was, "edit")
				}
			}
		}
	}
	for _, a := range all {
		for _, r := range all {
			if a.verdict != "approved" || r.verdict != "rejected" {
				continue
			}
			p := 0
			for p < len(a.list) && p < len(r.list) && text(a.list[p]) == text(r.list[p]) {
				p++
			}
			if p == len(a.list) || p == len(r.list) || a.list[p].Role != "assistant" || r.list[p].Role != "assistant" {
				continue
			}
			if at := r.places[p]; n.model[at] && text(n.original[at]) == text(r.list[p]) {
				add(r.list[:p], a.list[p], r.list[p], "verdict")
			}
		}
	}
	return found
}

// standing tells verdicts, and what is kept, which samples and pairs show late.
func (n *naive) standing() string {
	var all []any
	for _, c := range n.convs {
		for _, v := range c.versions {
			all = append(all, v.verdict, v.kept)
		}
	}
	return text(all)
}

func standing(g *Graph) string {
	var all []any
	for _, c := range g.conversations {
		for _, v := range c.versions {
			all = append(all, v.verdict, v.kept)
		}
	}
	return text(all)
}

// operation draws an operation that makes sense in the graph as it is. Few
// texts, so that equal lists come about often.
func (n *naive) operation(r *rand.Rand) operation {
	c := n.convs[r.IntN(len(n.convs))]
	v := c.on[c.current]
	op := operation{In: c.name, Message: someMessage(r)}
	size := len(v.list)
	pick := r.IntN(14)
	if size == 0 {
		pick = 0
	}
	switch pick {
	default:
		op.Op = "append"
		op.Sampled = op.Message.Role == "assistant" && r.IntN(4) > 0
	case 5, 6, 7:
		op.Op, op.At = "set", r.IntN(size)
		if r.IntN(8) == 0 {
			op.Why = "redact"
		}
		if r.IntN(3) == 0 { // as it was at first
			op.Message = n.original[v.places[op.At]]
		}
	case 8:
		op.Op, op.At = "insert", r.IntN(size+1)
	case 9:
		op.At = r.IntN(size)
		count := 1 + r.IntN(size-op.At)
		op.Op, op.Count = "delete", &count
		if r.IntN(2) == 0 {
			op.Op = "squash"
		}
	case 10:
		op.Op, op.At, op.Branch = "fork", r.IntN(size+1), string(rune('a'+len(c.names)))
	case 11:
		op.Op, op.Branch = "switch", c.names[r.IntN(len(c.names))]
	case 12:
		op.Op, op.To = "revert", r.IntN(len(c.versions))
	case 13:
		op.Op, op.Verdict = "judge", []string{"approved", "rejected", "pending"}[r.IntN(3)]
		if op.Verdict == "pending" {
			op.Verdict = ""
		}
		if len(n.convs) < 3 && r.IntN(4) == 0 {
			op = operation{Op: "open", Name: string(rune('m' + len(n.convs)))}
			if r.IntN(2) == 0 {
				op.Of, op.At = c.name, r.IntN(size)
			}
		}
	}
	return op
}

func someMessage(r *rand.Rand) message {
	m := message{Role: []string{"user", "assistant", "assistant", "tool"}[r.IntN(4)], Content: []string{"x", "y"}[r.IntN(2)]}
	switch r.IntN(6) {
	case 0:
		m.ToolCalls = []call{{ID: "1", Name: "run", Arguments: `{"x":1}`}}
	case 1:
		m.ToolCalls = []call{{ID: "2", Name: "run", Arguments: `{"x": 1}`}}
	case 2:
		m.Reasoning = "hm"
	}
	return m
}

// TestRandomOperations compares random histories with the naive model.
func TestRandomOperations(t *testing.T) {
	histories := 400
	if testing.Short() {
		histories = 40
	}
	if whole {
		histories = 4000
	}
	for seed := range histories {
		r := rand.New(rand.NewPCG(uint64(seed), 18))
		n := &naive{sampled: map[string]bool{}, sealed: map[string]bool{}}
		n.open("main", -1)
		g, _ := newGraph(t)
		for i := range 27 {
			op := n.operation(r)
			want := n.do(op)
			got, err := do(g, op)
			if err != nil || got != want {
				t.Fatalf("seed %d, operation %d %s: broke %v, %v; want %v", seed, i, text(op), got, err, want)
			}
			if a, b := outcomeOf(g, nil), n.outcome(nil); !reflect.DeepEqual(a, b) {
				t.Fatalf("seed %d, operation %d %s:\ngot  %s\nwant %s", seed, i, text(op), text(a), text(b))
			}
			if a, b := standing(g), n.standing(); a != b {
				t.Fatalf("seed %d, operation %d %s:\ngot  %s\nwant %s", seed, i, text(op), a, b)
			}
		}
	}
}

// TestCallersKeepTheirMessages changes what was given and what was returned.
func TestCallersKeepTheirMessages(t *testing.T) {
	_, c := newGraph(t)
	m := chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{Name: "run", Arguments: "1"}}}
	if err := c.Append(m, true); err != nil {
		t.Fatal(err)
	}
	m.ToolCalls[0].Arguments = "2"
	got := c.At(0)
	got.ToolCalls[0].Arguments = "3"
	if have := c.At(0).ToolCalls[0].Arguments; have != "1" {
		t.Errorf("the arguments in the graph are %s now", have)
	}
}

// BenchmarkAppend builds a conversation of 100,000 messages.
func BenchmarkAppend(b *testing.B) {
	for b.Loop() {
		_, c := newGraph(b)
		for range 100_000 {
			if err := c.Append(chat.Message{Role: chat.Assistant, Content: "done"}, true); err != nil {
				b.Fatal(err)
			}
		}
	}
}
