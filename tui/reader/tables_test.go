package reader

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// searched is a list of objects that hold objects, as searches for flights give it.
const searched = `[{"flight_number":"HAT083","scheduled_departure_time_est":"01:00:00","status":"available","prices":{"basic_economy":87,"economy":100}},` +
	`{"flight_number":"HAT271","scheduled_departure_time_est":"18:00:00","status":"available","prices":{"basic_economy":66,"economy":199}}]`

// TestObjectsWithinObjectsHaveColumns: and names take several lines before any word of
// them is cut.
func TestObjectsWithinObjectsHaveColumns(t *testing.T) {
	_, got := unfoldedResult(t, searched, 100)
	want := `
                      scheduled_
       flight_number  departure_time_est  status     prices.basic_economy  prices.economy
`
	for _, part := range []string{want, "HAT083", "01:00:00", " 87 ", " 100"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
	if strings.Contains(got, "{") || strings.Contains(got, "…") {
		t.Errorf("JSON, or cut:\n%s", got)
	}
	if _, got := unfoldedResult(t, searched, 50); strings.Contains(got, "──") || !strings.Contains(got, `"prices": {"basic_economy": 87`) {
		t.Errorf("a table without room:\n%s", got)
	}
}

// TestSpelledCharactersAreShown: what is written as an escape is a character, unless
// that may not be shown.
func TestSpelledCharactersAreShown(t *testing.T) {
	text := `{"list":[{"\u540d\u524d":"\u592a\u90ce \ud83d\ude00 \u003cb\u003e","bad":"\u202eabc\u001b[2J\u0007\ud83d\u200b\"\u0022\\u540d"}]}`
	_, got := unfoldedResult(t, text, 150)
	for _, want := range []string{`"名前": "太郎 😀 <b>"`, `"\u202eabc\u001b[2J\u0007\ud83d\u200b\"\u0022\\u540d"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if !utf8.ValidString(got) {
		t.Errorf("%q", got)
	}
}

// TestPathsInShortResultsAreShortened: those of one line as those of many; the whole
// one is below.
func TestPathsInShortResultsAreShortened(t *testing.T) {
	m := result("Edit", "The file /home/ann/app/core/a.go has been updated.")
	d := documentOf(&m, nil)
	d.shorten("/home/ann/app/")
	var b block
	for i := range d.blocks {
		if d.blocks[i].kind == resultBlock {
			b = d.blocks[i]
		}
	}
	if b.brief != "The file core/a.go has been updated." || b.whole || !strings.Contains(b.text, "/home/ann/app/core/a.go") {
		t.Errorf("%q whole: %v, %q", b.brief, b.whole, b.text)
	}
}
