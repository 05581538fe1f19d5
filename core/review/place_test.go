package review

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The natural order of sessions: each stands after those above it.
func TestPlaceOf(t *testing.T) {
	in := []struct {
		file string
		line int64
	}{
		{"/a/x.jsonl", 1}, {"/a/x.jsonl#L2", 2}, {"/a/x.jsonl#L3", 3}, {"/a/x.jsonl#L10", 10}, {"/a/x.jsonl#L10.1", 10}, {"/a/x.jsonl#L10.2", 10},
		{"/a/x.jsonl#L10.10", 10}, {"/a/x.jsonl#L11", 0}, {"/a/x.jsonl#L12", 12}, {"/a/x.jsonl#L100", 100}, {"/a/x.jsonl.gz", 1},
		// A compact array; an array that spans lines; several arrays.
		{"/b/y.json", 1}, {"/b/y.json#[1]", 1}, {"/b/y.json#[2]", 1}, {"/b/y.json#[10]", 1}, {"/b/y.json#[0].1", 1}, {"/b/y.json#[2].1", 1},
		{"/b/z.json", 2}, {"/b/z.json#[9]", 90}, {"/b/z.json#[10]", 91}, {"/b/z.json#[100]", 92},
		// Branches and sessions by native id stand where they begin.
		{"/c/w.jsonl", 1}, {"/c/w.jsonl#b=ff", 9}, {"/c/w.jsonl#s=zz", 12}, {"/c/w.jsonl#b=aa.2", 100}, {"/c/w.jsonl#s=L1", 101},
		// A folder with a '#', and paths that begin alike.
		{"/d#L2/v.jsonl", 1}, {"/d#L2/v.jsonl#L2", 2}, {"/d/v", 7}, {"/d/v.jsonl", 1}, {"/d/v2", 1},
	}
	shuffled := slices.Clone(in)
	r := rand.New(rand.NewPCG(1, 1))
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	slices.SortFunc(shuffled, func(a, b struct {
		file string
		line int64
	}) int {
		return strings.Compare(PlaceOf(a.file, a.line), PlaceOf(b.file, b.line))
	})
	for i := range in {
		if shuffled[i] != in[i] {
			t.Errorf("%d is %v, want %v", i+1, shuffled[i], in[i])
		}
	}
}
