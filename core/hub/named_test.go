package hub

import (
	"context"
	"testing"
)

// TestImportNamedCostsWhatItNames checks that an import of some files does not ask for
// all sources, goes on from what is stored, and reads copies again.
func TestImportNamedCostsWhatItNames(t *testing.T) {
	b := newBench(t)
	line := `{"role":"user","content":"a question of some length"}` + "\n"
	b.write("other.jsonl", `{"role":"user","content":"another"}`+"\n")
	b.load()
	lists := b.store.lists
	path := b.write("one.jsonl", line)
	b.im.Model = "m-1"
	for n, want := range []int{1, 2} {
		r, err := b.im.ImportNamed(context.Background(), []string{path}, b.dir)
		if err != nil || r.Sources != 1 || r.NewMessages != 1 || int(r.Lines.Read) != want {
			t.Errorf("import %d: %+v, %v", n, r, err)
		}
		path = b.write("one.jsonl", line+line)
	}
	if s := b.session(path); s.Tally.Messages != 2 || s.Model != "m-1" {
		t.Errorf("%d messages of model %q", s.Tally.Messages, s.Model)
	}
	if b.store.lists != lists {
		t.Errorf("all sources were listed %d times", b.store.lists-lists)
	}
	named := b.write("named.jsonl", `{"_type":"metadata","model":"m-2"}`+"\n"+line)
	if _, err := b.im.ImportNamed(context.Background(), []string{named}, b.dir); err != nil || b.session(named).Model != "m-2" {
		t.Errorf("model %q, %v", b.session(named).Model, err)
	}
}
