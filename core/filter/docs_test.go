package filter

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentedFilters reads what docs/filters.md shows: every field with its
// example, and expressions that are some.
func TestDocumentedFilters(t *testing.T) {
	doc, err := os.ReadFile("../../docs/filters.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(doc), "\r\n", "\n")
	for _, f := range Fields() {
		name := string(f.Field)
		if f.Field == Metric {
			name += ".NAME"
		}
		row := regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(name) + "` \\|.*\\| `([^`]+)` \\|$").FindStringSubmatch(text)
		if row == nil {
			t.Errorf("%s has no row", name)
			continue
		}
		if n := parsed(t, row[1]); Print(n) != row[1] {
			t.Errorf("%s is printed as %s", row[1], Print(n))
		}
		for term := range Terms(parsed(t, row[1])) {
			if term.Field != f.Field {
				t.Errorf("%s: %s", name, row[1])
			}
		}
		for _, v := range f.Values {
			if f.Field != Flag && f.Field != Format && f.Field != Metric && !strings.Contains(text, "`"+v+"`") {
				t.Errorf("%s:%s is not explained", name, v)
			}
		}
	}
	shown := 0
	for _, block := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		if block[1] != "" {
			continue
		}
		for line := range strings.Lines(block[2]) {
			for _, column := range regexp.MustCompile(` {4,}|\n`).Split(line, -1) {
				if strings.ContainsAny(column, ":<>=") {
					parsed(t, strings.SplitN(column, "; ", 2)[0])
					shown++
				}
			}
		}
	}
	for _, c := range regexp.MustCompile("--filter '([^'@]+)'").FindAllStringSubmatch(text, -1) {
		if _, err := Parse(c[1], testOptions()); err != nil && !strings.Contains(c[1], "scroe") {
			t.Errorf("%s: %v", c[1], err)
		}
		shown++
	}
	if shown < 25 {
		t.Errorf("%d expressions are shown", shown)
	}
	if _, err := Parse("type:code scroe>=0.8", testOptions()); err == nil || !strings.Contains(text, err.Error()) {
		t.Errorf("the error shown is not %v", err)
	}
}
