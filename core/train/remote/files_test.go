package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"winnow/core/train"
)

// TestAllFilesOfASplitAreSent: a server gets the files of a split as one, and all rows
// count.
func TestAllFilesOfASplitAreSent(t *testing.T) {
	w := newWorld(t, success...)
	var list files
	all := ""
	for i, text := range []string{strings.Repeat("{\"tools\":[]}\n", 6), "", strings.Repeat("{\"messages\":[]}\n", 5)} {
		list, all = append(list, filepath.Join(w.dir, string(rune('a'+i))+".jsonl")), all+text
		if err := os.WriteFile(list[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := w.steps(20, func(d *Driver) { d.Train, d.Validation = list, list[1:] })
	sent := w.server.Tuning().Files()
	if r.Status != train.Succeeded || len(sent) != 2 || sent[0].Rows != 11 || sent[1].Rows != 5 {
		t.Fatalf("%s: %s, %+v", r.Status, r.Error, sent)
	}
	if sum := sha256.Sum256([]byte(all)); sent[0].SHA256 != hex.EncodeToString(sum[:]) {
		t.Error("not what the files hold")
	}
	in, err := list.open()
	if err == nil {
		err = iotest.TestReader(in, []byte(all))
	}
	if err != nil {
		t.Error(err)
	}
	in, _ = list.open()
	if _, err := io.CopyN(io.Discard, in, 3); err != nil || in.Close() != nil {
		t.Error(err)
	}
	if err := os.Remove(list[2]); err != nil {
		t.Fatal(err)
	}
	in, _ = list.open()
	if _, err := io.Copy(io.Discard, in); err == nil {
		t.Error("a file that is gone was read")
	}
	d := w.driver()
	d.Train = list
	if r, err := d.Step(context.Background(), w.begin()); err != nil || r.Status != train.Failed {
		t.Errorf("%s, %v", r.Status, err)
	}
}
