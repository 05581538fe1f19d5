package beside

import (
	"path/filepath"
	"testing"
)

// Databases of one folder have a place each.
func TestPath(t *testing.T) {
	for database, want := range map[string]string{"winnow.db": "runs", "team.db": "team.runs", "team": "team.runs", "team.v2.db": "team.v2.runs"} {
		if got := Path(filepath.Join("d", database), "runs"); got != filepath.Join("d", want) {
			t.Errorf("%s: %s", database, got)
		}
	}
}
