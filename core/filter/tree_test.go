package filter

import (
	"math"
	"slices"
	"testing"
)

func parsed(t *testing.T, text string) Node {
	t.Helper()
	n, err := Parse(text, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestWithout(t *testing.T) {
	for _, c := range []struct {
		text  string
		field Field
		want  string
	}{
		{"", Status, ""},
		{"status:pending", Status, ""},
		{"status:pending,unsure", Status, ""},
		{"-status:pending", Status, ""},
		{"-(status:pending or -status:unsure)", Status, ""},
		{"status:pending type:code", Status, "type:code"},
		{"type:code -status:approved,rejected score>=0.8", Status, "type:code score>=0.8"},
		{"status:pending or type:code", Status, "status:pending or type:code"},
		{"(status:pending or type:code) status:unsure", Status, "status:pending or type:code"},
		{"a b c", Status, "a b c"},
		{"score>0.1 score<0.9 a", Score, "a"},
	} {
		n := parsed(t, c.text)
		got := Without(n, c.field)
		if Print(got) != c.want {
			t.Errorf("Without(%q, %s) = %q, want %q", c.text, c.field, Print(got), c.want)
		}
		checkTree(t, got)
		if again := parsed(t, c.text); !Same(n, again) {
			t.Errorf("Without changed %q to %q", c.text, Print(n))
		}
	}
}

// checkTree checks that a tree is as Parse could have returned it.
func checkTree(t *testing.T, n Node) {
	t.Helper()
	if n != nil {
		checkNormal(t, n)
		checkRoundTrip(t, n)
	}
}

func TestThreshold(t *testing.T) {
	for _, c := range []struct {
		text string
		x    float64
		ok   bool
	}{
		{"", 0, false},
		{"score>=0.8", 0.8, true},
		{"score>=0", 0, true},
		{"a score>=0.8", 0.8, true},
		{"score>=0.8 score>=0.9 score>=0.7", 0.9, true},
		{"score>0.8", 0, false},
		{"-score>=0.8", 0, false},
		{"score>=0.8 or a", 0, false},
		{"score:0.5..0.8", 0, false},
		{"turns>=1", 0, false},
		{"metric.clarity>=0.8", 0, false},
	} {
		if x, ok := Threshold(parsed(t, c.text)); x != c.x || ok != c.ok {
			t.Errorf("Threshold(%q) = %v, %v, want %v, %v", c.text, x, ok, c.x, c.ok)
		}
	}
}

func TestWithThreshold(t *testing.T) {
	for _, c := range []struct {
		text string
		x    float64
		want string
	}{
		{"", 0.8, "score>=0.8"},
		{"", 0, ""},
		{"score>=0.8", 0, ""},
		{"score>=0.8", -1, ""},
		{"score>=0.8", math.NaN(), ""},
		{"score>=0.8", 7, "score>=1"},
		{"score>=0.8", 0.1 + 0.2, "score>=0.3"},
		{"score>=0.8", 0.05 * 17, "score>=0.85"},
		{"a score>=0.8 b", 0.7, "a score>=0.7 b"},
		{"a score>=0.8 b score>=0.9 c", 0.7, "a score>=0.7 b c"},
		{"a score>=0.8 b", 0, "a b"},
		{"a b", 0.7, "a b score>=0.7"},
		{"a or b", 0.7, "(a or b) score>=0.7"},
		{"a or score>=0.9", 0.7, "(a or score>=0.9) score>=0.7"},
		{"score<0.9", 0.7, "score<0.9 score>=0.7"},
	} {
		n := parsed(t, c.text)
		got := WithThreshold(n, c.x)
		if Print(got) != c.want {
			t.Errorf("WithThreshold(%q, %v) = %q, want %q", c.text, c.x, Print(got), c.want)
		}
		checkTree(t, got)
		if !Same(n, parsed(t, c.text)) {
			t.Errorf("WithThreshold changed %q to %q", c.text, Print(n))
		}
	}
}

func TestByStatus(t *testing.T) {
	for _, c := range []struct {
		verdicts []string
		want     string
	}{
		{nil, ""}, {[]string{"pending"}, "status:pending"}, {[]string{"pending", "unsure"}, "status:pending,unsure"},
	} {
		got := ByStatus(c.verdicts...)
		if !Same(got, parsed(t, c.want)) {
			t.Errorf("ByStatus(%v) = %s, want %s", c.verdicts, dump(got), c.want)
		}
	}
}

func TestAll(t *testing.T) {
	a, b, c := parsed(t, "a"), parsed(t, "b or c"), parsed(t, "d e")
	for _, c := range []struct {
		nodes []Node
		want  string
	}{
		{nil, ""},
		{[]Node{nil, nil}, ""},
		{[]Node{nil, a, nil}, "a"},
		{[]Node{a, b, c}, "a (b or c) d e"},
		{[]Node{And{a, And{Not{Not{c}}, nil}}}, "a d e"},
		{[]Node{Or{b, Or{a}}}, "b or c or a"},
		{[]Node{And{}, Or{}, Not{}}, ""},
	} {
		got := All(c.nodes...)
		if Print(got) != c.want {
			t.Errorf("All(%v) = %s, want %s", c.nodes, dump(got), c.want)
		}
		checkTree(t, got)
	}
}

// TestPrintByHand prints trees that nobody parsed.
func TestPrintByHand(t *testing.T) {
	for _, c := range []struct {
		n    Node
		want string
	}{
		{nil, ""},
		{Text{Value: "or"}, `"or"`},
		{Text{Value: "a b"}, `"a b"`},
		{Text{Value: "-a"}, `"-a"`},
		{Text{Value: "score:1"}, `"score:1"`},
		{Text{Value: "a", Prefix: true}, "a*"},
		{Text{Value: "a*"}, `"a*"`},
		{Not{Not{Text{Value: "a"}}}, "a"},
		{And{Or{Text{Value: "a"}}, nil}, "a"},
		{Term{Field: Status, Op: Is, Value: "pending"}, "status:pending"},
		{Term{Field: Tool, Op: Is, Value: "a b"}, `tool:"a b"`},
		{Term{Field: Tokens, Op: Less, Num: 1250}, "tokens<1250"},
	} {
		if got := Print(c.n); got != c.want {
			t.Errorf("Print(%#v) = %s, want %s", c.n, got, c.want)
		}
	}
}

func TestTermsAndTexts(t *testing.T) {
	n := parsed(t, `type:code (a or -"b c") -(tool:x d*) score>=0.8`)
	var fields []Field
	for term := range Terms(n) {
		fields = append(fields, term.Field)
	}
	if want := []Field{Type, Tool, Score}; !slices.Equal(fields, want) {
		t.Errorf("Terms: %v, want %v", fields, want)
	}
	for range Terms(n) {
		break // a loop may end early
	}
	if got, want := Texts(n), []Text{{Value: "a"}, {Value: "b c", Phrase: true}, {Value: "d", Prefix: true}}; !slices.Equal(got, want) {
		t.Errorf("Texts: %v, want %v", got, want)
	}
	for text, want := range map[string]bool{"": false, "type:code": false, "-(type:code or a)": true} {
		if got := HasText(parsed(t, text)); got != want {
			t.Errorf("HasText(%q) = %v", text, got)
		}
	}
}

func TestSame(t *testing.T) {
	texts := []string{"", "a", "a*", `"a"`, "b", "-a", "a b", "b a", "a or b", "-(a b)", "type:code", "type:data", "score>=0.8", "score>0.8", "score:0.1..0.8",
		"metric.clarity>=0.8", "metric.goal>=0.8", "after:2026", "after:2025", "before:2026"}
	for i, a := range texts {
		for j, b := range texts {
			if got := Same(parsed(t, a), parsed(t, b)); got != (i == j) {
				t.Errorf("Same(%q, %q) = %v", a, b, got)
			}
		}
	}
}
