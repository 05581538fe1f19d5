package export

import (
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/core/session"
)

// treesOf exports a library as graph and reads the trees back.
func treesOf(t *testing.T, l *library, opts Options) (trees []*Tree, text string) {
	t.Helper()
	opts.Path, opts.As = filepath.Join(t.TempDir(), "out.jsonl"), "graph"
	r := run(t, l, opts)
	for _, f := range r.Files {
		text = read(t, f.Path)
		if n, err := messageGraph.Validate(strings.NewReader(text)); err != nil || n != f.Rows {
			t.Errorf("%d of %d rows: %v", n, f.Rows, err)
		}
		for line := range strings.Lines(text) {
			tree, err := messageGraph.ReadTree([]byte(strings.TrimSuffix(line, "\n")))
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, tree)
		}
	}
	return trees, text
}

// shape tells the nodes of a tree in short: parent, text, + for sampled, * for trained,
// and who wrote it.
func (t *Tree) shape() string {
	var list []string
	for i := range t.Nodes {
		n := &t.Nodes[i]
		w := "-"
		if n.Parent >= 0 {
			w = string(rune('0' + n.Parent))
		}
		w += n.Content
		if n.Sampled {
			w += "+"
		}
		if n.Train {
			w += "*"
		}
		if n.By != "" {
			w += "(" + n.By + ")"
		}
		list = append(list, w)
	}
	return strings.Join(list, " ")
}

// A tree holds a session with its branches, each message once, and beside a rewritten
// answer what the model wrote.
func TestTrees(t *testing.T) {
	branch := func(_ *review.Segment, s *review.Session) {
		s.Parent, s.Origin = "session-0", session.Origin{Kind: session.Branch, At: 3}
	}
	l := &library{}
	l.add(nil, sys("s"), user("u"), says("a"), user("v"), says("b"), user("w"), says("c"))
	l.add(nil, sys("s"), user("u"), says("a"), user("x"), says("d"))
	l.add(branch, user("y"), says("e"))
	l.edit(0, edit.Fix, 5, 0, says("better"))
	trees, text := treesOf(t, l, Options{})
	if len(trees) != 2 {
		t.Fatal(text)
	}
	for i, want := range []string{
		"-s 0u 1a+* 2v 3better(ann) 3b+ 4w 6c 2y 8e+*", "-s 0u 1a+ 2x 3d+*",
	} {
		if got := trees[i].shape(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	for _, want := range []string{`{"parent":null,"message":{"role":"system","content":"s"},"sampled":false,"train":false,"by":null}`, `"by":"ann"`, `"tools":""`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		found := 0
		done, err := LintFile(t.Context(), strings.NewReader(line+"\n"), Linting{}, func(f LintFinding) { found++; t.Error(f) })
		if err != nil || done.As != "graph" || done.Clean != 1 || found > 0 {
			t.Errorf("%+v, %v", done, err)
		}
	}
}

// What a redaction took out, or says what one did elsewhere, stands beside nothing.
func TestTreesHoldNothingRedacted(t *testing.T) {
	l := &library{}
	l.add(nil, sys("s"), user("u"), says("a"), user("v"), says("secret"))
	l.edit(0, edit.Redact, 5, 0, says("[gone]"))
	trees, text := treesOf(t, l, Options{})
	if len(trees) != 1 || trees[0].shape() != "-s 0u 1a+* 2v 3[gone](ann)" || strings.Contains(text, "secret") {
		t.Errorf("%s", text)
	}
}

// Records that are no trees are refused.
func TestTreesAreReadStrictly(t *testing.T) {
	good := `{"id":"x","tools":"","nodes":[{"parent":null,"message":{"role":"user","content":"u"},"sampled":false,"train":false,"by":null},` +
		`{"parent":0,"message":{"role":"assistant","content":"a"},"sampled":true,"train":true,"by":null}],"provenance":"{}"}`
	if _, err := messageGraph.ReadTree([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"parent":0`, `"parent":1`}, {`"parent":0`, `"parent":-1`}, {`"role":"assistant"`, `"role":"user"`}, {`"provenance":"{}"`, `"provenance":"x"`},
		{`"id":"x"`, `"id": "x"`}, {`"role":"user"`, `"role":"?"`}, {`"by":null`, `"by":""`},
	} {
		if _, err := messageGraph.ReadTree([]byte(strings.Replace(good, change[0], change[1], 1))); err == nil {
			t.Errorf("%s is taken", change[1])
		}
	}
	_ = chat.User
}
