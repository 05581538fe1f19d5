package keys

import (
	"strings"
	"testing"
)

func TestEveryPlaceHasAName(t *testing.T) {
	names, called := map[string]bool{}, Names()
	for in := InList; in < 1<<places; in <<= 1 {
		if names[called[in]] || called[in] == "" {
			t.Errorf("place %d is called %q", in, called[in])
		}
		names[called[in]] = true
	}
}

// TestWideHeadingsTell: where something works is said by as few headings as say all
// of it.
func TestWideHeadingsTell(t *testing.T) {
	table := NewTable(nil)
	for in, want := range map[Place]string{
		InList: "List", InSegment: "List and reader", InSegment | InJournal: "List and reader; Journal", InFound | InList: "List, reader and training record; Reader, training record and recorded message",
		InPages: "Everywhere but in a text field", InRaw | InJournal: "Recorded message; Journal", InLedger | InSort: "Sorting; Ledger",
	} {
		var titles []string
		for _, s := range table.Sections {
			if table.Tells(s, in) {
				titles = append(titles, s.Title)
			}
		}
		if got := strings.Join(titles, "; "); got != want {
			t.Errorf("%b: %s, want %s", in, got, want)
		}
	}
}
