package remote

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"winnow/core/train"
)

// TestLargeFilesAreNotHeld: what is allocated to send a file does not depend on its size.
func TestLargeFilesAreNotHeld(t *testing.T) {
	const size, most = 64 << 20, 16 << 20
	w := newWorld(t, success...)
	if err := os.Truncate(filepath.Join(w.dir, "train.jsonl"), size); err != nil { // a long last row
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := w.driver().Step(context.Background(), w.run)
	runtime.ReadMemStats(&after)
	files := w.server.Tuning().Files()
	if err != nil || r.Status != train.Queued || len(files) != 1 || files[0].Size != size {
		t.Fatalf("%s, %v, %+v", r.Status, err, files)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > most {
		t.Errorf("%d MB allocated for %d MB", grown>>20, size>>20)
	}
}
