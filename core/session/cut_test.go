package session_test

import (
	"strings"
	"testing"
	"time"

	"winnow/core/session"
)

// TestCutWhereAValueCouldFollow: the message after a line that was cut there
// is not taken for that value, and does not wait for more.
func TestCutWhereAValueCouldFollow(t *testing.T) {
	const cut = `{"role":"user","content":`
	unfinished := []string{"bad: unfinished value"}
	ab := []told{user("a"), assistant("b")}
	for _, c := range []ruleCase{
		{"message at the end", cut + "\n" + a1 + "\n", ab[:1], session.Counts{Read: 1, Bad: 1}, unfinished},
		{"message without a line end", cut + "\n" + a1, ab[:1], session.Counts{Read: 1, Bad: 1}, unfinished},
		{"in a list", cut + "[\n" + a1, ab[:1], session.Counts{Read: 1, Bad: 1}, unfinished},
		{"behind an element", cut + `["x",` + "\n" + a1 + "\n", ab[:1], session.Counts{Read: 1, Bad: 1}, unfinished},
		{"before its role", `{"id":1,"content": ` + "\r\n" + a1 + "\r\n", ab[:1], session.Counts{Read: 1, Bad: 1}, unfinished},
		{"twice", cut + "\n" + cut + "\n" + a1 + "\n" + cut + "\n" + b1 + "\n", ab, session.Counts{Read: 2, Bad: 3}, []string{"bad: unfinished value", "bad: unfinished value", "bad: unfinished value"}},
		{"blank line between", cut + "\n\n" + a1 + "\n", ab[:1], session.Counts{Read: 1, Bad: 1, Skipped: 1}, []string{"bad: unfinished value", "skipped: blank"}},
		{"in an array", "[\n" + a1 + ",\n" + cut + "\n" + b1 + "\n]\n", ab, session.Counts{Read: 2, Bad: 1, Skipped: 2},
			[]string{"skipped: array bracket", "bad: unfinished value", "skipped: array bracket"}},
		{"more on the message's line", cut + "\n" + a1 + "}\n", ab[:1], session.Counts{Read: 1, Bad: 1}, []string{"bad: unfinished value", "note: unreadable rest of the line"}},
		{"half a message", cut + "\n" + a1[:20], nil, session.Counts{Pending: 2}, []string{"pending: unfinished line"}},
		{"a part", cut + "[\n" + `{"type":"text","text":"a"}` + "\n]}\n", ab[:1], session.Counts{Read: 3}, nil},
		{"a document with a message per line", `{"messages":[` + "\n" + a1 + "\n", nil, session.Counts{Pending: 2}, []string{"pending: unfinished line"}},
		{"a document with one message", `{"messages":[` + "\n" + a1 + "\n]}\n", []told{user("a")}, session.Counts{Read: 3}, nil},
	} {
		c.run(t)
	}
}

// TestManyCuts: looking at each line for a message costs no more than reading.
func TestManyCuts(t *testing.T) {
	const n = 4 << 20 / slower
	for name, unit := range map[string]string{
		"cut lines":          `{"role":"user","content":` + "\n",
		"cut, then messages": `{"role":"user","content":` + "\n" + a1 + "\n",
		"objects inside":     `{"role":"user","content":[` + "\n" + strings.Repeat(`{"type":"text"},`+"\n", 100),
	} {
		at := time.Now()
		src := strings.Repeat(unit, n/len(unit))
		_, res := readAll(t, []byte(src), "")
		if got, want := res.State.Counts.Lines()+res.Pending, int64(strings.Count(src, "\n")); got != want {
			t.Errorf("%s: %d lines, want %d", name, got, want)
		}
		t.Logf("%s: %v", name, time.Since(at))
	}
	long := `{"role":"user","content":` + "\n" + `{"role":"user","content":"` + strings.Repeat("x", 32<<20/slower)
	for src, want := range map[string]int{long: 0, long + `"}`: 1} {
		rec, _ := readAll(t, []byte(src), "")
		if len(rec.msgs) != want {
			t.Errorf("%d messages, want %d, %+v", len(rec.msgs), want, rec.issues)
		}
	}
}
