package rows

import (
	"fmt"
	"testing"

	"winnow/core/review"
)

// TestPagesBelowTellWhereTheWindowBegins: also where the first page was read before it
// was known.
func TestPagesBelowTellWhereTheWindowBegins(t *testing.T) {
	page := func(from, n, of int) review.Page {
		p := review.Page{More: true, Before: from, Of: of}
		for i := range n {
			p.Segments = append(p.Segments, review.Segment{ID: fmt.Sprint(from + i)})
		}
		return p
	}
	var w Window
	w.Replace([]review.Page{page(0, 20, 0)}, false, false, "")
	w.Pick(19)
	if got := w.Where(); got != "" {
		t.Errorf("%q", got)
	}
	w.Extend(page(520, 20, 1000), false)
	if got := w.Where(); got != "520/1,000" {
		t.Errorf("%q", got)
	}
}

func TestNamesAreShort(t *testing.T) {
	for full, want := range map[string]string{
		"claude-opus-4-5-20251101": "opus-4-5", "claude-3-sonnet-20240229": "3-sonnet", "gpt-4o": "gpt-4o",
		"Qwen/Qwen2.5-7B": "Qwen2.5-7B", "claude-": "claude-", "a/": "a/", "": "",
	} {
		if got := modelName(&review.Segment{Model: full}); got != want {
			t.Errorf("model %q: %q, want %q", full, got, want)
		}
	}
	for file, want := range map[string]string{
		"/a/batch_0.jsonl": "batch_0", "/a/long_name_of_samples.jsonl#L12": "long_nam…#L12", "/a/.jsonl": ".jsonl", "/a/x.txt": "x.txt",
	} {
		if got := cutSource(source(&review.Segment{SessionFile: file}), 13, "…"); got != want {
			t.Errorf("file %q: %q, want %q", file, got, want)
		}
	}
}
