package cycle

import (
	"testing"

	"winnow/core/chat"
)

// TestWhatChangedIsTriedAtOnce: whatever changed of what a model was asked, also if it is
// the text alone, tells the input from the one that failed.
func TestWhatChangedIsTriedAtOnce(t *testing.T) {
	d := chat.Digest{Fingerprint: "a", Detail: "b", Edited: "c"}
	seen := map[string]bool{ofContent("prompt", "model", d): true}
	for _, other := range []string{
		ofContent("another", "model", d),
		ofContent("prompt", "another", d),
		ofContent("prompt", "model", chat.Digest{Fingerprint: "x", Detail: "b", Edited: "c"}),
		ofContent("prompt", "model", chat.Digest{Fingerprint: "a", Detail: "x", Edited: "c"}),
		ofContent("prompt", "model", chat.Digest{Fingerprint: "a", Detail: "b", Edited: "x"}),
	} {
		if seen[other] {
			t.Errorf("%s: seen before", other)
		}
		seen[other] = true
	}
	if !seen[ofContent("prompt", "model", d)] || len(seen) != 6 {
		t.Errorf("%d inputs", len(seen))
	}
}
