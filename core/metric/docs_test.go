package metric

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// docs/scoring.md names every metric with its weight and meaning, and every
// flag and type of task.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile("../../docs/scoring.md")
	if err != nil {
		t.Fatal(err)
	}
	docs := string(data)
	for _, m := range List() {
		if m.Judged {
			continue
		}
		if row := fmt.Sprintf("| `%s` | %v | %s |", m.Name, m.Weight, m.Help); !strings.Contains(docs, row) {
			t.Errorf("docs/scoring.md lacks %s", row)
		}
		if !strings.Contains(docs, "\n### "+m.Name+"\n") {
			t.Errorf("docs/scoring.md has no section on %s", m.Name)
		}
	}
	for _, f := range Flags() {
		if !strings.Contains(docs, "`"+string(f.Flag)+"`") {
			t.Errorf("docs/scoring.md lacks the flag %s", f.Flag)
		}
	}
	for _, kind := range TaskTypes() {
		if !strings.Contains(docs, "`"+string(kind)+"`") {
			t.Errorf("docs/scoring.md lacks the type %s", kind)
		}
	}
}

// The worked example of docs/scoring.md.
func TestDocsExample(t *testing.T) {
	got := Overall(&Value{0.9, 2, ""}, &Value{1, 3, ""}, &Value{1, 2, ""}, &Value{0, 1, ""}, &Value{1, 1, ""})
	if *got != 0.8 {
		t.Errorf("%v", *got)
	}
}
