package session_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

// grove writes a random session of Claude Code: rewinds, answers of several
// lines between their results, hooks, repeated and empty lines, and sub-agents
// whose lines stand between the others.
type grove struct {
	rng   *rand.Rand
	b     bytes.Buffer
	lines []string
	n     int
	trees []*growth // the first is the session, others are sidechains
}

// growth is one tree of messages.
type growth struct {
	side  bool
	nodes []stem // the first is the root, without a message
	tip   int
}

type stem struct {
	parent  int
	entries []string // uuids, any of which may be followed
	texts   []string // what identifies each message
}

func (g *grove) id(kind string) string {
	g.n++
	return fmt.Sprintf("%s-%d", kind, g.n)
}

func (g *grove) write(t *growth, v obj) {
	v["sessionId"], v["isSidechain"] = "s1", t.side
	var b bytes.Buffer
	line(&b, v)
	g.lines = append(g.lines, b.String())
	g.b.Write(b.Bytes())
}

func (g *grove) pick(list []string) string { return list[g.rng.IntN(len(list))] }

// grow adds a message, or an answer with its results, after any node.
func (g *grove) grow(t *growth) {
	at := t.tip
	switch g.rng.IntN(10) {
	case 0, 1, 2:
		at = g.rng.IntN(len(t.nodes))
	case 3:
		at = max(0, t.tip-1)
	}
	if t.side && len(t.nodes) > 1 {
		at = max(1, at) // without a known entry before it, it would begin another
	}
	var parent any
	if entries := t.nodes[at].entries; len(entries) > 0 && (t.side || at != t.tip || g.rng.IntN(9) > 0) {
		parent = g.pick(entries)
	} else if at = t.tip; g.rng.IntN(2) == 0 {
		parent = "unknown"
	}
	if t.side && len(t.nodes) == 1 {
		parent = nil
	}
	if len(t.nodes) > 2 && g.rng.IntN(12) == 0 {
		id := g.id("empty")
		g.write(t, obj{"type": "user", "uuid": id, "parentUuid": parent, "message": obj{"role": "user", "content": " "}})
		t.nodes[at].entries = append(t.nodes[at].entries, id)
		return
	}
	s := stem{parent: at}
	if g.rng.IntN(2) == 0 && len(t.nodes) > 1 {
		g.answer(t, &s, parent)
	} else {
		id := g.id("user")
		g.write(t, obj{"type": "user", "uuid": id, "parentUuid": parent, "message": obj{"role": "user", "content": id}})
		s.entries, s.texts = []string{id}, []string{id}
	}
	t.nodes = append(t.nodes, s)
	t.tip = len(t.nodes) - 1
}

func (g *grove) answer(t *growth, s *stem, parent any) {
	turn := g.id("turn")
	s.texts = []string{""}
	type call struct{ id, line string }
	var open []call
	result := func() {
		c := open[0]
		open = open[1:]
		id := g.id("result")
		g.write(t, obj{"type": "user", "uuid": id, "parentUuid": c.line, "message": obj{"role": "user", "content": []obj{{"type": "tool_result", "tool_use_id": c.id, "content": id}}}})
		s.entries, s.texts = append(s.entries, id), append(s.texts, id)
		parent = id
	}
	for range 1 + g.rng.IntN(4) {
		id := g.id("answer")
		block := obj{"type": "text", "text": id}
		if g.rng.IntN(3) > 0 {
			c := call{g.id("call"), id}
			block = obj{"type": "tool_use", "id": c.id, "name": "Read", "input": obj{}}
			open = append(open, c)
			s.texts[0] += c.id + " "
		} else {
			s.texts[0] += id + " "
		}
		g.write(t, obj{"type": "assistant", "uuid": id, "parentUuid": parent, "message": obj{"role": "assistant", "id": turn, "content": []obj{block}}})
		s.entries, parent = append(s.entries, id), id
		if len(open) > 0 && g.rng.IntN(3) == 0 {
			result()
		}
		if g.rng.IntN(4) == 0 {
			g.hook(t, s, id)
		}
	}
	for len(open) > 0 {
		result()
	}
	names := strings.Fields(s.texts[0])
	slices.Sort(names)
	s.texts[0] = strings.Join(names, " ")
}

// hook adds an entry without a message.
func (g *grove) hook(t *growth, s *stem, parent any) {
	id := g.id("hook")
	g.write(t, obj{"type": "progress", "uuid": id, "parentUuid": parent, "data": obj{}})
	s.entries = append(s.entries, id)
}

// newGrove makes a file of that many steps.
func newGrove(seed uint64, steps int) *grove {
	g := &grove{rng: rand.New(rand.NewPCG(seed, 5))}
	session := &growth{nodes: make([]stem, 1)}
	g.trees = []*growth{session}
	if g.rng.IntN(2) == 0 {
		g.hook(session, &session.nodes[0], nil)
	}
	g.grow(session)
	for range steps {
		switch r := g.rng.IntN(20); {
		case r == 0 && len(g.trees) < 5:
			t := &growth{side: true, nodes: make([]stem, 1)}
			g.trees = append(g.trees, t)
			g.grow(t)
		case r == 1:
			g.b.WriteString(g.pick(g.lines))
		case r == 2:
			t := g.trees[g.rng.IntN(len(g.trees))]
			parents := t.nodes[t.tip].entries
			if !t.side {
				parents = append(slices.Clip(parents), "unknown")
			}
			g.hook(t, &t.nodes[t.tip], g.pick(parents))
		default:
			g.grow(g.trees[g.rng.IntN(len(g.trees))])
		}
	}
	return g
}

func (t *growth) path() (texts []string) {
	for at := t.tip; at > 0; at = t.nodes[at].parent {
		texts = append(append([]string(nil), t.nodes[at].texts...), texts...)
	}
	return texts
}

// identity is what identifies a message of a grove.
func identity(m *chat.Message) string {
	names := strings.Fields(m.Content)
	for _, c := range m.ToolCalls {
		names = append(names, c.ID)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// TestRandomTrees: every message is in exactly one session; a session is the
// path to its newest entry; a branch holds a path that follows the message it
// names; and growing files give what whole ones give.
func TestRandomTrees(t *testing.T) {
	for seed := range uint64(400 / slower) {
		g := newGrove(seed, 5+int(seed)%90)
		checkGrove(t, g, seed)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func checkGrove(t *testing.T, g *grove, seed uint64) {
	src := g.b.Bytes()
	rec, res := readAll(t, src, "")
	checkTotals(t, src, rec, res)
	sessions := map[string][]string{}
	held := map[string]int{}
	for _, key := range append([]string{""}, rec.keys...) {
		_, msgs := rec.session(key)
		for i := range *msgs {
			text := identity(&(*msgs)[i])
			sessions[key] = append(sessions[key], text)
			held[text]++
		}
	}
	total := 0
	for _, tree := range g.trees {
		key := ""
		if tree.side {
			key = "b=" + tree.nodes[1].entries[0]
			meta, _ := rec.session(key)
			if o := meta.Origin; o.Kind != session.Subagent || o.At < 1 || o.At > len(sessions[o.Key]) {
				t.Errorf("sidechain %q comes from %+v", key, o)
			}
		}
		if got, want := sessions[key], tree.path(); !slices.Equal(got, want) {
			t.Errorf("session %q holds\n%q\nwant\n%q", key, got, want)
		}
		for i, s := range tree.nodes {
			total += len(s.texts)
			for _, text := range s.texts {
				if held[text] != 1 {
					t.Errorf("message %q of node %d stands %d times", text, i, held[text])
				}
			}
		}
	}
	all := 0
	for key, texts := range sessions {
		all += len(texts)
		if meta, _ := rec.session(key); meta.Origin.Kind == session.Branch && len(texts) > 0 {
			checkBranch(t, g, sessions, key, meta.Origin)
		}
	}
	if all != total {
		t.Errorf("%d messages, want %d", all, total)
	}
	rng := rand.New(rand.NewPCG(seed, 9))
	samePieces(t, src, randomEnds(rng, len(src)))
}

// checkBranch: the messages of a branch are nodes that follow each other, the
// first of them the one that ends at the message the branch left.
func checkBranch(t *testing.T, g *grove, sessions map[string][]string, key string, from session.Origin) {
	for _, tree := range g.trees {
		for i, s := range tree.nodes {
			if i == 0 || "b="+s.entries[0] != key {
				continue
			}
			var left []string
			if parent := tree.nodes[s.parent]; len(parent.texts) > 0 {
				left = parent.texts[len(parent.texts)-1:]
			}
			if shared := sessions[from.Key]; from.At > len(shared) || !slices.Equal(left, shared[max(0, from.At-1):from.At]) {
				t.Errorf("branch %q leaves %+v, not behind %q", key, from, left)
			}
			texts := sessions[key]
			for at := i; ; {
				n := len(tree.nodes[at].texts)
				if n > len(texts) || !slices.Equal(texts[:n], tree.nodes[at].texts) {
					t.Errorf("branch %q holds %q", key, sessions[key])
					return
				}
				if texts = texts[n:]; len(texts) == 0 {
					return
				}
				next := slices.IndexFunc(tree.nodes, func(s stem) bool { return len(s.texts) > 0 && s.texts[0] == texts[0] })
				if next < 0 || tree.nodes[next].parent != at {
					t.Errorf("branch %q: %q does not follow node %d", key, texts[0], at)
					return
				}
				at = next
			}
		}
	}
	t.Errorf("branch %q is named after no node", key)
}
