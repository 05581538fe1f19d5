//go:build unix

package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/inbox"
	"winnow/core/lease"
)

// held is a database in which somebody imports.
type held struct {
	Store
	until time.Time
}

func (h held) Leases(context.Context) ([]lease.Lease, error) {
	return []lease.Lease{{Name: "cycle:1", Holder: "x", Until: h.until}, {Name: "import", Holder: "winnow run, pid 12", Until: h.until}}, nil
}

// TestOpenWaitsForARun has a run let go of the inbox after a while: until then it says
// once who is waited for, and the service manager hears that it goes on.
func TestOpenWaitsForARun(t *testing.T) {
	now := time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "notify"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Close()
	warned, pauses := "", 0
	var run *inbox.Box
	c := &command{Program: Program{
		Now: func() time.Time { return now }, Short: func(path string) string { return path },
		Warn: func(format string, args ...any) { warned += fmt.Sprintf(format, args...) + "\n" },
		Get:  func(string) string { return manager.LocalAddr().String() },
	}, pause: func(context.Context, time.Duration) error {
		if pauses++; pauses == 2*extendEvery {
			run.Close()
		}
		return nil
	}}
	box := filepath.Join(dir, "inbox")
	if run, err = inbox.Open(box); err != nil {
		t.Fatal(err)
	}
	mine, err := c.open(t.Context(), held{until: now.Add(time.Second)}, box)
	if err != nil || pauses != 2*extendEvery || warned != "winnow run, pid 12 imports from "+box+": listens when that is done\n" {
		t.Fatalf("%v after %d pauses: %s", err, pauses, warned)
	}
	for range 2 {
		text := make([]byte, 100)
		if n, err := manager.Read(text); err != nil || !strings.HasPrefix(string(text[:n]), "EXTEND_TIMEOUT_USEC=60000000") {
			t.Errorf("%s, %v", text, err)
		}
	}
	if _, err := c.open(t.Context(), held{until: now}, box); !errors.Is(err, inbox.ErrTaken) {
		t.Errorf("nobody imports any more: %v", err)
	}
	c.pause = func(context.Context, time.Duration) error { return context.Canceled }
	if _, err := c.open(t.Context(), held{until: now.Add(time.Second)}, box); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
	mine.Close()
}
