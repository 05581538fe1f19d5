package sqlite

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestADanglingLink checks that a database which a symbolic link leads to is made as
// one that its path names: for its owner only.
func TestADanglingLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes mean nothing")
	}
	dir := t.TempDir()
	link, target := filepath.Join(dir, "link.db"), filepath.Join(dir, "target.db")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	db := at(t, link, false)
	add(t, db, 4, "four")
	for _, end := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(target + end)
		if err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", target+end, info, err)
		}
	}
}
