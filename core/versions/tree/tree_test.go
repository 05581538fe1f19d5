package tree

import (
	"context"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/core/versions"
)

// fake is sessions in memory, each of one segment. Of the one that is edited the
// recorded messages are laid over.
type fake struct {
	sessions map[string]*review.Session
	said     map[int64][]chat.Message // by body
	verdicts map[string]review.Verdict
	children map[string][]review.Child
	edits    []edit.Edit // over body 1, made by entry 5

	reads, histories int // calls of EachMessage and EditsAt
}

func (f *fake) Session(_ context.Context, id string) (review.Session, error) {
	return *f.sessions[id], nil
}

func (f *fake) Versions(_ context.Context, id string) ([]versions.Version, versions.Effect, error) {
	if id != "a" || len(f.edits) == 0 {
		return nil, versions.Effect{}, nil
	}
	return []versions.Version{{Step: versions.Step{Entry: 5, By: "ann", Action: review.ActEdit}}}, versions.Effect{}, nil
}

func (f *fake) Children(_ context.Context, id string) ([]review.Child, error) {
	return f.children[id], nil
}

func (f *fake) SameOpening(_ context.Context, of *review.Session, limit int) (list []review.Session, err error) {
	for _, id := range []string{"a", "b", "c", "d", "e", "branch", "agent"} {
		if s := f.sessions[id]; s != nil && s.ID != of.ID && s.Begins == of.Begins && len(list) < limit {
			list = append(list, *s)
		}
	}
	return list, nil
}

func (f *fake) SegmentsOf(_ context.Context, id string) ([]review.Segment, error) {
	s := f.sessions[id]
	return []review.Segment{{ID: id, SessionID: id, Body: s.Body, Start: 1, End: s.Messages, Verdict: f.verdicts[id], Reviewer: "ann"}}, nil
}

func (f *fake) Edits(_ context.Context, body int64, _, _ int) ([]edit.Edit, error) {
	if body != 1 {
		return nil, nil
	}
	return f.edits, nil
}

func (f *fake) EditsAt(_ context.Context, _ string, entries ...int64) (lists [][]edit.Edit, err error) {
	f.histories++
	for range entries {
		lists = append(lists, f.edits)
	}
	return lists, nil
}

func (f *fake) EachRecorded(_ context.Context, body int64, from, to int, do func(*chat.Message) error) error {
	for i := range f.said[body] {
		if m := f.said[body][i]; m.N >= from && m.N <= to {
			if err := do(&m); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *fake) EachMessage(ctx context.Context, body int64, from, to int, do func(*chat.Message) error) error {
	f.reads++
	over, _ := f.Edits(ctx, body, 0, 0)
	o := edit.NewOverlay(over)
	return f.EachRecorded(ctx, body, 1, 1<<20, func(m *chat.Message) error {
		for now := range o.At(m) {
			if max(now.N, 1) >= from && now.N <= to {
				if err := do(now); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// add adds a session that says words: u is a user's, a an assistant's.
func (f *fake) add(id string, verdict review.Verdict, words string) {
	body := int64(len(f.sessions) + 1)
	s := &review.Session{ID: id, Body: body, Begins: 1}
	for i, w := range strings.Fields(words) {
		m := chat.Message{N: i + 1, Role: chat.User, Content: w}
		if w[0] == 'a' {
			m.Role = chat.Assistant
		}
		f.said[body] = append(f.said[body], m)
	}
	s.Messages = len(f.said[body])
	f.sessions[id], f.verdicts[id] = s, verdict
}

func newFake() *fake {
	f := &fake{sessions: map[string]*review.Session{}, said: map[int64][]chat.Message{}, verdicts: map[string]review.Verdict{}, children: map[string][]review.Child{}}
	f.add("a", review.Approved, "u1 a1 u2 a2 u3 a3")
	f.add("b", review.Rejected, "u1 a1 u2 a9")    // forks at an answer: a pair
	f.add("c", review.Approved, "u1 a1 u2 a8 u4") // at an answer, both approved
	f.add("d", review.Rejected, "u1 a1 u9 a9")    // at a prompt
	f.add("e", review.Rejected, "u1 a1 u2 u7")    // one asked on where the other answered
	f.add("branch", review.Rejected, "a7 u5")
	f.sessions["branch"].Origin = session.Origin{Kind: session.Branch, At: 3}
	f.sessions["branch"].Parent = "a"
	f.add("agent", review.Pending, "u1 a1")
	f.sessions["agent"].Parent = "a"
	f.children["a"] = []review.Child{
		{ID: "branch", Kind: session.Branch, At: 3, Tally: review.Tally{Messages: 2}},
		{ID: "agent", Kind: session.Subagent, At: 4, Tally: review.Tally{Messages: 2}},
	}
	return f
}

func told(t *testing.T, f *fake, id string) string {
	t.Helper()
	tree, err := Of(t.Context(), f, id)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for i := range tree.Beside {
		b := &tree.Beside[i]
		out.WriteString(strings.TrimRight(b.Words()+": "+b.Follows(), " ") + "\n")
	}
	return out.String()
}

// TestBeside: what stands beside a session, where it parts, and what makes a pair.
func TestBeside(t *testing.T) {
	f := newFake()
	const agent = "sub-agent agent at 4  2 messages, pending:\n"
	want := "branch branch at 3  given up, 2 messages, rejected by ann: forks at an answer: 1 pair\n" + agent +
		"same beginning b up to 3  4 messages, rejected by ann: forks at an answer: 1 pair\n" +
		"same beginning c up to 3  5 messages, approved by ann: forks at an answer\n" +
		"same beginning d up to 2  4 messages, rejected by ann:\n" +
		"same beginning e up to 3  4 messages, rejected by ann:\n"
	if got := told(t, f, "a"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	// An edit before the fork: the branch and the others follow another text.
	f.edits = []edit.Edit{{Place: edit.Place{Body: 1, N: 1}, Op: edit.Set, Why: edit.Fix, Entry: 5, Message: chat.Message{Role: chat.User, Content: "other"}}}
	want = "branch branch at 3  given up, 2 messages, rejected by ann:\n" + agent
	if got := told(t, f, "a"); got != want {
		t.Errorf("edited:\n%s\nwant\n%s", got, want)
	}
	// What stands before a branch is not its own: nothing begins as it does.
	if got := told(t, f, "branch"); got != "" {
		t.Errorf("of a branch: %s", got)
	}
}

// TestNodes: nodes of all versions are those of core/graph, parents first.
// TestReads: the history is read once for all versions, and messages that are stored
// together are not unpacked again for each few of them.
func TestReads(t *testing.T) {
	f := newFake()
	long := &review.Session{}
	long.ID, long.Body, long.Messages = "long", 9, 5_000
	for n := range long.Messages {
		f.said[9] = append(f.said[9], chat.Message{N: n + 1, Role: chat.User})
	}
	f.sessions["long"] = long
	a, b := &reading{ctx: t.Context(), src: f, session: long, next: 1}, &reading{ctx: t.Context(), src: f, session: long, next: 1}
	var beside Beside
	if _, err := part(a, b, &beside); err != nil || beside.At != 5_000 || f.reads > 20 {
		t.Errorf("equal up to %d, %d reads, %v", beside.At, f.reads, err)
	}
	many := &Tree{Session: *f.sessions["a"]}
	for entry := range int64(100) {
		many.Versions = append(many.Versions, versions.Version{Step: versions.Step{Entry: entry + 1}})
	}
	if _, err := Nodes(t.Context(), f, many); err != nil || f.histories != 1 {
		t.Errorf("%d histories, %v", f.histories, err)
	}
}

func TestNodes(t *testing.T) {
	f := newFake()
	f.edits = []edit.Edit{
		{Place: edit.Place{Body: 1, N: 2, Part: 1}, Op: edit.Add, Why: edit.Fix, Entry: 5, Message: chat.Message{Role: chat.User, Content: "u2"}},
		{Place: edit.Place{Body: 1, N: 3}, Op: edit.Drop, Why: edit.Fix, Entry: 5},
		{Place: edit.Place{Body: 1, N: 6}, Op: edit.Set, Why: edit.Fix, Entry: 5, Message: chat.Message{Role: chat.Assistant, Content: "mine"}},
	}
	tree, err := Of(t.Context(), f, "a")
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := Nodes(t.Context(), f, &tree)
	if err != nil {
		t.Fatal(err)
	}
	var g graph.Graph
	c, _ := g.Open("a")
	for _, m := range f.said[1] {
		if err := c.Append(m, m.Role == chat.Assistant); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Set(5, f.edits[2].Message, graph.Fix); err != nil {
		t.Fatal(err)
	}
	met := map[graph.NodeID]*Node{{}: {}}
	var line []string
	for i := range nodes {
		n := &nodes[i]
		if met[n.Parent] == nil || met[n.ID] != nil {
			t.Errorf("node %d: no parent before it, or twice: %+v", i, n)
		}
		met[n.ID] = n
		line = append(line, strings.TrimSpace(n.Session+" "+string(n.Role)[:1]+n.By))
	}
	// What is typed in as it was recorded is the recorded node.
	want := "a u,a a,a u,a a,a u,a a,a aann,branch a,branch u" // those of the sub-agent are the session's
	if got := strings.Join(line, ","); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for v := range 2 {
		at := graph.NodeID{}
		for i, m := range c.Version(v) {
			at = at.Next(&m)
			n := met[at]
			if n == nil {
				t.Fatalf("version %d: no node of message %d", v, i)
			}
			if recorded := v == 0 || i < 5; n.Sampled != (recorded && m.Role == chat.Assistant) {
				t.Errorf("version %d, message %d: %+v", v, i, n)
			}
		}
	}
}

// TestWords: what entries did, in words.
func TestWords(t *testing.T) {
	change := func(n, part int, op edit.Op) review.Edited {
		c := review.Edited{Place: edit.Place{N: n, Part: part}}
		if op != "" {
			c.After = &edit.Edit{Op: op, Why: edit.Fix}
		}
		return c
	}
	for _, c := range []struct {
		changes []review.Edited
		want    string
	}{
		{[]review.Edited{change(9, 0, edit.Set)}, "ann, fix: message 9 changed"},
		{[]review.Edited{change(2, 0, edit.Drop), change(3, 0, edit.Drop), change(7, 0, edit.Set), change(7, 1, edit.Add)}, "ann, fix: message 7 changed, messages 2-3 dropped, 1 message added after 7"},
		{[]review.Edited{change(1, 0, ""), change(4, 2, "")}, "ann: message 4 taken out, message 1 brought back"},
		{[]review.Edited{change(1, 0, edit.Set), change(3, 0, edit.Set), change(5, 0, edit.Set), change(7, 0, edit.Set), change(9, 0, edit.Set), change(11, 0, edit.Set)}, "ann, fix: messages 1, 3, 5, 7 and 2 more changed"},
		{nil, "ann: nothing"},
	} {
		v := &versions.Version{Step: versions.Step{By: "ann", Action: review.ActEdit, Changes: c.changes}}
		if got := Words(v); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
