package marks

import (
	"slices"
	"testing"
)

// TestRange: a range marks what it holds, and takes away only what it marked itself.
func TestRange(t *testing.T) {
	rows := []string{"a", "b", "c", "d"}
	var m Set
	m.Put("c", true)
	m.Begin("b", "list")
	for _, step := range []struct{ to, want string }{{"d", "bcd"}, {"c", "bc"}, {"a", "abc"}, {"b", "bc"}} {
		m.Extend(Between(rows, "b", step.to))
		got := ""
		for _, id := range m.List() {
			got += id
		}
		if got != step.want {
			t.Errorf("to %s: %s, want %s", step.to, got, step.want)
		}
	}
	m.Extend(nil)
	if !slices.Equal(m.List(), []string{"c"}) {
		t.Errorf("left: %q", m.List())
	}
	if m.Clear(); len(m.List()) > 0 || m.Span != nil || m.Asked != 1 {
		t.Errorf("cleared: %+v", m)
	}
	if Between(rows, "b", "x") != nil {
		t.Error("a range to a row that is not there")
	}
}
