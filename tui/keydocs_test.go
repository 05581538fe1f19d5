package tui

import (
	"flag"
	"os"
	"strings"
	"testing"
)

// TestKeysAreDocumented: the README's table and the page of keys are those of
// the bindings. With -update, as go generate has it, they are written.
func TestKeysAreDocumented(t *testing.T) {
	const begin, end = "<!-- keys -->\n", "<!-- /keys -->"
	update := flag.Lookup("update").Value.String() == "true"
	for path, want := range map[string]string{"../README.md": KeyTable(), "../docs/keys.md": KeyPage()} {
		b, err := os.ReadFile(path)
		if err != nil && !update {
			t.Fatal(err)
		}
		text := string(b)
		if path == "../README.md" {
			before, rest, begun := strings.Cut(text, begin)
			_, after, ended := strings.Cut(rest, end)
			if !begun || !ended {
				t.Fatal("the README has no place for keys")
			}
			want = before + begin + want + end + after
		}
		if update && text != want {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if text != want {
			t.Errorf("%s is not what the bindings say: run go generate ./tui", strings.TrimPrefix(path, "../"))
		}
	}
}
