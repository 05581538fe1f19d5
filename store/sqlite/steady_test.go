package sqlite

import "testing"

// TestSteady checks that each limit that is bound has a sign, and nothing else is
// touched.
func TestSteady(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1 LIMIT ?":                         "SELECT 1 LIMIT +?",
		"SELECT (SELECT 2 LIMIT ?3) LIMIT ?":       "SELECT (SELECT 2 LIMIT +?3) LIMIT +?",
		"SELECT 1 LIMIT 10":                        "SELECT 1 LIMIT 10",
		"SELECT 1 WHERE a > ? ORDER BY b LIMIT +?": "SELECT 1 WHERE a > ? ORDER BY b LIMIT +?",
	} {
		if got := steady(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
