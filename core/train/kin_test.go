package train

import "testing"

// TestSelfTaught: a run is warned of whose samples were mostly written by its base, by
// what it goes on from, however far back, or by earlier results from the same base; not
// by others, by later runs or by nobody known.
func TestSelfTaught(t *testing.T) {
	runs := []Run{
		{ID: 1, Base: "qwen"}, {ID: 2, Base: "llama"}, {ID: 3, Base: "qwen"}, {ID: 4, Base: "ours-2"}, {ID: 5, Base: "other", Parent: 4}, {ID: 9, Base: "qwen"},
		{ID: 10, Base: "odd", Parent: 10},
	}
	names := map[string]int64{"ours-1": 1, "ours-2": 2, "ours-3": 3, "ours-4": 4, "ours-5": 5, "ours-9": 9}
	for _, c := range []struct {
		name    string
		run     Run
		samples map[string]int
		want    string
	}{
		{"nobody known", Run{ID: 6, Base: "qwen"}, map[string]int{"": 9}, ""},
		{"others", Run{ID: 6, Base: "qwen"}, map[string]int{"opus": 9, "ours-2": 3}, ""},
		{"half of them", Run{ID: 6, Base: "qwen"}, map[string]int{"ours-3": 5, "": 5}, ""},
		{"most", Run{ID: 6, Base: "qwen"}, map[string]int{"ours-3": 3, "ours-1": 3, "": 5}, "6 of 11 samples were written by models that this one comes from: it learns from itself"},
		{"its base", Run{ID: 6, Base: "qwen"}, map[string]int{"qwen": 2, "": 1}, "2 of 3 samples were written by models that this one comes from: it learns from itself"},
		{"the run it goes on from", Run{ID: 6, Base: "x", Parent: 5}, map[string]int{"ours-5": 1}, "1 of 1 samples were written by models that this one comes from: it learns from itself"},
		{"far back", Run{ID: 6, Base: "x", Parent: 5}, map[string]int{"ours-4": 1, "ours-2": 1, "": 1}, "2 of 3 samples were written by models that this one comes from: it learns from itself"},
		{"later ones", Run{ID: 6, Base: "qwen"}, map[string]int{"ours-9": 1}, ""},
		{"no base", Run{ID: 6}, map[string]int{"": 1, "ours-1": 1}, ""},
		{"a circle", Run{ID: 11, Parent: 10}, map[string]int{"ours-1": 1}, ""},
		{"no samples", Run{ID: 6, Base: "qwen"}, nil, ""},
	} {
		if got := SelfTaught(c.samples, Kin(&c.run, runs, names)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestLastLoss: the loss of training is told before others that have it in their names.
func TestLastLoss(t *testing.T) {
	for _, c := range []struct {
		name   string
		points []Point
		want   Point
	}{
		{"none", []Point{{1, "acc", 2}}, Point{}},
		{"of that name", []Point{{1, "eval_loss", 2}, {9, "eval_loss", 1}, {1, "loss", 3}, {2, "loss", 4}, {8, "train_loss", 5}}, Point{2, "loss", 4}},
		{"another one", []Point{{1, "acc", 2}, {1, "eval_loss", 2}, {9, "eval_loss", 1}, {9, "train_loss", 5}}, Point{9, "eval_loss", 1}},
	} {
		if got, found := LastLoss(c.points); got != c.want || found != (c.want != Point{}) {
			t.Errorf("%s: %v %v", c.name, got, found)
		}
	}
}
