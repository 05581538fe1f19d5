package session_test

import (
	"reflect"
	"testing"

	"winnow/core/session"
)

// TestNULTail: what a crash leaves behind the lines of a log makes it no
// binary file.
func TestNULTail(t *testing.T) {
	const nul = "\x00\x00\x00\x00"
	for src, want := range map[string]int{
		"# recorded by agent\n" + a1 + "\n" + b1 + "\n" + nul:             2,
		"# recorded by agent\n" + nul + "\n \t" + a1 + "\n" + nul + "x\n": 1,
		"# recorded by agent\n[" + a1 + "," + b1 + "]\n" + nul + "\nx\n":  2,
		"hello" + nul:                0,
		"# no session\n" + nul + "x": -1,
		nul + "MZ" + nul + "\x03\n":  -1,
		"GIF8\n" + a1 + "\n":         -1,
	} {
		rec, res := readAll(t, []byte(src), "")
		got := len(rec.msgs)
		if res.Seen == "binary data" {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d messages, want %d, seen %q", src, got, want, res.Seen)
		}
	}
}

// TestBracketAtTheEnd: what follows a bracket that ended a source makes no
// difference to what was told of the bracket.
func TestBracketAtTheEnd(t *testing.T) {
	for _, src := range []string{"[\n" + a1 + "\n]garbage\n", "[\n" + a1 + "\n] \r\n", "[]" + a1 + "\n", "[]x", "[\n]\n" + a1, "[][]\n"} {
		for end := range len(src) {
			samePieces(t, []byte(src), []int{end})
		}
	}
	rec, res := readAll(t, []byte("[\n"+a1+"\n]"), "")
	if got := rec.of(session.Skipped); res.State.Counts.Skipped != 2 || !reflect.DeepEqual(got, []string{"array bracket", "array bracket"}) {
		t.Errorf("%+v, skipped for %q", res.State.Counts, got)
	}
}
