package store

import (
	"fmt"
	"testing"

	"winnow/core/edit"
	"winnow/core/review"
)

// BenchmarkRedactions redacts ten thousand messages as one entry, and takes it
// back.
func BenchmarkRedactions(b *testing.B) {
	s := openTemp(b)
	var changes []review.EditChange
	for i := range 100 {
		list := talk(200, fmt.Sprint("session ", i))
		id := put(b, s, write(fmt.Sprint("/", i), list))[0]
		for n := 1; n <= 200; n += 2 {
			m := list[n-1]
			m.Content = "[redacted]"
			changes = append(changes, review.EditChange{Session: sessionOf(b, s, id), N: n, Op: edit.Set, Why: edit.Redact, Message: m})
		}
	}
	for b.Loop() {
		amend(b, s, "ann", changes...)
		undo(b, s, "ann")
	}
}
