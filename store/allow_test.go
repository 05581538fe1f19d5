package store

import (
	"path/filepath"
	"testing"
)

// TestSendingIsAllowedHostByHost: what was allowed for one server says nothing
// of another, and is still there the next day.
func TestSendingIsAllowedHostByHost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "winnow.db")
	for day, want := range []bool{false, true} {
		s, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for host, want := range map[string]bool{"localhost:8080": want, "localhost": false, "": false} {
			if got, err := s.Allowed(t.Context(), host); err != nil || got != want {
				t.Errorf("day %d, %q: %v, %v", day, host, got, err)
			}
		}
		for range 2 {
			if err := s.Allow(t.Context(), "localhost:8080"); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
