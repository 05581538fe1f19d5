package store

import (
	"fmt"
	"testing"
)

// TestEqualSessionsKeepTheirRows when their source is read anew: in the order in
// which they stand there, the tenth after the ninth.
func TestEqualSessionsKeepTheirRows(t *testing.T) {
	f := newFolder(t)
	const same = `{"id":"s1","messages":[{"role":"user","content":"And now?"},{"role":"assistant","content":"The same."}]}`
	lines := make([]string, 12)
	for i := range lines {
		lines[i] = same
	}
	f.save("a.jsonl", lines...)
	f.load()
	was := f.sessions()
	f.save("a.jsonl", append([]string{""}, lines...)...)
	f.load()
	is := f.sessions()
	for i := 1; i < len(lines); i++ {
		from, to := fmt.Sprintf("a.jsonl#L%d", i+1), fmt.Sprintf("a.jsonl#L%d", i+2)
		if is[to].ID == "" || is[to].ID != was[from].ID {
			t.Errorf("%s is %s, not %s", to, is[to].ID, was[from].ID)
		}
	}
	if is["a.jsonl"].ID != was["a.jsonl"].ID {
		t.Error("the first is another one")
	}
	clean(t, f.s)
}
