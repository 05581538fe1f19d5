package tui

import (
	"flag"
	"os"
	"slices"
	"testing"

	"winnow/tui/keys"
)

// TestEveryKeyHasAHeading: a key that works in places which no heading names together
// would be in no documentation.
func TestEveryKeyHasAHeading(t *testing.T) {
	table := bindings()
	for i := range table.Rows {
		b := &table.Rows[i]
		if !slices.ContainsFunc(table.Sections, func(s keys.Section) bool { return s.In == b.In }) {
			t.Errorf("%s: no heading for where it works", b.Name)
		}
	}
}

// TestKeysAreDocumented: the page of keys is that of the bindings. With -update,
// as go generate has it, it is written.
func TestKeysAreDocumented(t *testing.T) {
	path, want := "../docs/keys.md", KeyPage()
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != want {
		t.Error("docs/keys.md is not what the bindings say: run go generate ./tui")
	}
}
