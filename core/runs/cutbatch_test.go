package runs

import (
	"testing"

	"winnow/core/review"
)

// Many segments are written in a transaction of their own.
func TestLargeSessionsAreStoredAlone(t *testing.T) {
	var b cutBatch
	large := &CutWrite{Segments: make([]review.SegmentWrite, 2*batchRows)}
	small := &CutWrite{Segments: make([]review.SegmentWrite, 2)}
	if !b.fits(large) {
		t.Error("a large one does not fit by itself")
	}
	b.add(CutRef{}, &cutting{text: &text{}}, small, cutDone{})
	if b.full() || !b.fits(small) || b.fits(large) {
		t.Errorf("behind a small one: full %t", b.full())
	}
	b.add(CutRef{}, &cutting{text: &text{}}, large, cutDone{})
	if !b.full() {
		t.Error("waits for more")
	}
}
