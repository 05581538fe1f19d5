package boundaries

import (
	"testing"
	"time"

	"winnow/core/review"
)

func TestPauses(t *testing.T) {
	for seconds, want := range map[int]string{61: "+1m", 3599: "+59m", 3600: "+1h", 47 * 3600: "+47h", 49 * 3600: "+2d", 400 * 86400: "+400d", 800 * 86400: "+2y"} {
		if got := pause(time.Duration(seconds) * time.Second); got != want {
			t.Errorf("%d seconds: %s, want %s", seconds, got, want)
		}
	}
}

// TestKeepsLittleInMemory: however far one goes through a session.
func TestKeepsLittleInMemory(t *testing.T) {
	var l lineTexts
	for page := range 300 {
		l.tookHeads(page, make([]review.Head, linePage))
		texts := map[int]lineText{}
		for n := range linePage {
			texts[page*linePage+n] = lineText{problem: "x"}
		}
		l.took(texts, page*linePage)
	}
	if len(l.texts) > keepTexts || len(l.heads) > keepHeads {
		t.Errorf("%d texts and %d pages in memory", len(l.texts), len(l.heads))
	}
}
