package markdown

import (
	"strings"
	"testing"
)

func TestMuchCodeIsNotColoured(t *testing.T) {
	code := strings.Repeat("func f() {}\n", MostCode/10)
	if new(Style).highlight(code, "go") != nil {
		t.Error("too much code is taken apart")
	}
	if lines := new(Style).highlight("a := 1\n\nb := 2\n", "go"); len(lines) != 4 || Cut(lines[2], 0, 99) != "b := 2" {
		t.Errorf("%q", lines)
	}
}
