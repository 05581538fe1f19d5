package amend

import (
	"context"
	"strings"
	"testing"
)

// TestTwoLinesForOnePlace are refused, but for several fields of a message, and for
// what is put in.
func TestTwoLinesForOnePlace(t *testing.T) {
	for lines, want := range map[string]string{
		`{"id":"ab","n":2,"text":"a"}|{"id":"ab","n":2,"text":"b"}`:                               "line 2 of f: message 2: lines 1 and 2 both change 2",
		`{"id":"ab","n":2,"text":"a"}|{"id":"ab","n":1,"to":3,"drop":true}`:                       "lines 1 and 2 both change 2",
		`{"id":"ab","n":2,"drop":true}||{"id":"a","n":2,"revert":true}`:                           "lines 1 and 3 both change 2",
		`{"id":"ab","n":2,"text":"a"}|{"id":"ab","n":2,"field":"reasoning","text":"b"}`:           "",
		`{"id":"ab","n":2,"text":"a"}|{"id":"ab","n":2,"insert":{"role":"user","content":"b"}}`:   "",
		`{"id":"ab","n":2,"text":"a"}|{"id":"ab","n":3,"text":"b"}|{"id":"ab","n":4,"drop":true}`: "",
	} {
		a := Asked{Store: &fake{}, Find: func(context.Context, string) (Span, error) {
			return Span{Session: "ab", From: 1, To: 8, Messages: 8}, nil
		}}
		err := EachRow(strings.NewReader(strings.ReplaceAll(lines, "|", "\n")), "f", func(r *Row) error { return a.Take(t.Context(), r) })
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", lines, err, want)
		}
	}
}
