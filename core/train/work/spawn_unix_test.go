//go:build unix

package work

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// What is spawned has a session of its own: a terminal that is closed hangs up on that of
// whoever began it.
func TestWhatIsSpawnedHasNoTerminal(t *testing.T) {
	t.Setenv("WINNOW_TEST_TRAINER", "1")
	note := filepath.Join(t.TempDir(), "child")
	ended, err := Spawn(filepath.Join(t.TempDir(), "log.txt"), os.Args[0], "child="+note, "fail=done")
	if err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil {
		t.Error("its end is not told as it was")
	}
	number, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	child, _ := strconv.Atoi(string(number)) // of its session
	theirs, err := unix.Getsid(child)
	if ours, _ := unix.Getsid(0); err != nil || theirs == ours {
		t.Errorf("session %d of %d, %v", theirs, ours, err)
	}
	_ = syscall.Kill(child, syscall.SIGKILL)
}
