package amend

import (
	"strings"
	"testing"
)

// TestWrongRows names the key, and nothing of the program.
func TestWrongRows(t *testing.T) {
	for line, want := range map[string]string{
		`"a"`:                          "must be an object",
		`{"id":"a","n":1,"txt":"b"}`:   `"txt" is no key of an edit`,
		`{"id":"a","n":"1"}`:           `"n" must be a whole number`,
		`{"id":"a","n":1.5}`:           `"n" must be a whole number`,
		`{"id":"a","n":1,"drop":"no"}`: `"drop" must be true or false`,
		`{"id":"a","n":1,"text":7}`:    `"text" must be a text`,
		`{"id":7}`:                     `"id" must be a text`,
		`{`:                            "is no JSON",
	} {
		_, err := ParseRow([]byte(line))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), " Go ") || strings.Contains(err.Error(), "jsonRow") {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}
