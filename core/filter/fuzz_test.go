package filter

import (
	"errors"
	"testing"
)

// FuzzParse checks that whatever is read is printed so that it means the same,
// and that all errors name a place and say what to write.
func FuzzParse(f *testing.F) {
	for _, c := range accepted() {
		f.Add(c.text)
	}
	for _, c := range refused() {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkParse(t, text) })
}

func checkParse(t *testing.T, text string) {
	t.Helper()
	n, err := Parse(text, testOptions())
	if err != nil {
		var e *Error
		if !errors.As(err, &e) || n != nil {
			t.Fatalf("Parse(%q) = %v, %v", text, n, err)
		}
		checkError(t, text, e)
	} else {
		checkNormal(t, n)
		checkRoundTrip(t, n)
	}
	if runes := []rune(text); len(runes) < 200 {
		for i := range len(runes) + 1 {
			checkCompletion(t, text, i)
		}
	}
}

// checkRoundTrip checks that a tree is printed as what it is read from.
func checkRoundTrip(t *testing.T, n Node) {
	t.Helper()
	printed := Print(n)
	again, err := Parse(printed, testOptions())
	if err != nil {
		t.Fatalf("%s is printed as %q: %v", dump(n), printed, err)
	}
	if !Same(again, n) || dump(again) != dump(n) {
		t.Fatalf("%s is printed as %q, which is %s", dump(n), printed, dump(again))
	}
	if twice := Print(again); twice != printed {
		t.Fatalf("%q is printed as %q", printed, twice)
	}
}

// checkNormal checks that no And stands in an And and so on.
func checkNormal(t *testing.T, n Node) {
	t.Helper()
	check := func(nodes []Node, same func(Node) bool) {
		if len(nodes) < 2 {
			t.Fatalf("%s has %d nodes", dump(n), len(nodes))
		}
		for _, of := range nodes {
			if of == nil || same(of) {
				t.Fatalf("%s stands in %s", dump(of), dump(n))
			}
			checkNormal(t, of)
		}
	}
	switch n := n.(type) {
	case And:
		check(n, func(n Node) bool { _, ok := n.(And); return ok })
	case Or:
		check(n, func(n Node) bool { _, ok := n.(Or); return ok })
	case Not:
		if _, twice := n.Of.(Not); twice || n.Of == nil {
			t.Fatalf("%s is negated", dump(n.Of))
		}
		checkNormal(t, n.Of)
	}
}

func checkCompletion(t *testing.T, text string, cursor int) Completion {
	t.Helper()
	c := Complete(text, cursor)
	if runes := []rune(text); c.From < 0 || c.From > cursor || c.To < cursor || c.To > len(runes) {
		t.Fatalf("Complete(%q, %d) replaces %d to %d", text, cursor, c.From, c.To)
	}
	for _, w := range c.Words {
		if w.Text == "" {
			t.Fatalf("Complete(%q, %d) offers nothing: %+v", text, cursor, c)
		}
	}
	if c.Fields && c.Field != "" {
		t.Fatalf("Complete(%q, %d) = %+v", text, cursor, c)
	}
	return c
}
