package memory

import (
	"strings"
	"testing"
)

func TestLongWordsAreNamed(t *testing.T) {
	long := strings.Repeat("ü", ContentMost+1)
	for want, w := range map[string]Words{
		"title has 601 characters, 120 are the most":            {Title: long, Content: "x"},
		"what was learned has 601 characters, 600 are the most": {Content: long},
		"when it matters has 601 characters, 600 are the most":  {Content: "x", Context: long},
		"what to do has 601 characters, 600 are the most":       {Content: "x", Resolution: long},
	} {
		if err := w.Check(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if w := (Words{Content: long[2:]}); w.Check() != nil || len([]rune(w.Title)) > titleMost {
		t.Error("what just fits does not")
	}
}
