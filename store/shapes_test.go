package store

import "testing"

// A database that is made in one go has its tables where the shapes say.
func TestShapesKnowWhereTablesBegin(t *testing.T) {
	s := openTemp(t)
	r, err := openRemains(t.Context(), s.Path(), shipped(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	if r.blind || r.version != len(shipped(t)) || len(r.file.Problems) > 0 {
		t.Errorf("version %d, %q", r.version, r.file.Problems)
	}
	for name, s := range r.shapes {
		if r.roots[name] != s.root {
			t.Errorf("%s begins at page %d, its shape says %d", name, r.roots[name], s.root)
		}
	}
	if s := r.shapes["task_segments"]; len(s.columns) < 40 || !s.columns[s.at("score")].nullable || s.columns[s.at("id")].nullable {
		t.Errorf("%+v", s)
	}
	if s := r.shapes["journal_changes"]; !s.index || s.columns[0].name != "entry" {
		t.Errorf("%+v", s)
	}
	if s := r.shapes["task_segments_facets"]; s.columns[len(s.columns)-1].name != "rowid" {
		t.Errorf("%+v", s)
	}
}
