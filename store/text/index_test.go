package text

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/store/sqlite"
)

func TestPassageIDs(t *testing.T) {
	last := int64(-1)
	for _, p := range []passage{
		{1, 1, 1, 0}, {1, 1, 64, 0}, {1, 1, 1, 1}, {1, 1, 1, passageParts}, {1, 2, 2, 0}, {1, maxIndexed, maxIndexed, 1},
		{2, 1, 3, 0}, {maxBody, maxIndexed, maxIndexed + 63, 0}, {maxBody, maxIndexed, maxIndexed, passageParts},
	} {
		id := p.id()
		if id <= last {
			t.Errorf("%+v has id %d, the one before %d", p, id, last)
		}
		if got := passageOf(id); got != p {
			t.Errorf("%+v comes back as %+v", p, got)
		}
		if id < passagesFrom(p.body, p.first) || id > lastPassage(p.body) || id >= passagesFrom(p.body, p.first+1) && p.first < maxIndexed {
			t.Errorf("%+v is not in its range", p)
		}
		last = id
	}
	if checkBody(maxBody) != nil || checkBody(maxBody+1) == nil {
		t.Error("bodies without a place are taken, or others not")
	}
}

// empty returns a database without a row.
func empty(t *testing.T) *sqlite.Pool {
	t.Helper()
	s, err := sqlite.Memory()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	steps, err := filepath.Glob("../migrations/*.sql") // in their order
	if err != nil || len(steps) == 0 {
		t.Fatal(err)
	}
	for _, step := range steps {
		text, err := os.ReadFile(step)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.DB.Exec(string(text)); err != nil {
			t.Fatal(step, err)
		}
	}
	return s
}

// A search looks at the messages that the index names, and at no other.
func TestSearchesUseIndexes(t *testing.T) {
	s := empty(t)
	for name, text := range map[string]string{
		"match": matchSQL, "stale": staleSQL, "segments": segmentsOfSQL, "unindexed": unindexedSQL, "before": beforeSQL, "remove": removeSQL,
		"outdated": outdatedSQL,
	} {
		args := []any{"1", "1", "1"}[:strings.Count(text, "?")]
		var id, parent, unused int
		plan, err := sqlite.List(s.Once(t.Context(), "EXPLAIN QUERY PLAN "+text, args...), func(step *string) []any {
			return []any{&id, &parent, &unused, step}
		})
		if err != nil || len(plan) == 0 {
			t.Fatal(name, err)
		}
		for _, step := range plan {
			virtual := strings.Contains(step, "VIRTUAL TABLE INDEX") && !strings.HasSuffix(step, "VIRTUAL TABLE INDEX 0:")
			if strings.HasPrefix(step, "SCAN") && !virtual && !strings.Contains(step, "USING") || strings.Contains(step, "TEMP B-TREE") && name != "segments" || strings.Contains(step, "AUTOMATIC") {
				t.Errorf("%s: %s", name, strings.Join(plan, "; "))
			}
		}
	}
}
