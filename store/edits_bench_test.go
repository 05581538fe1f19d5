package store

import (
	"fmt"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// BenchmarkEdit measures what a curator waits for in a session of 100,000 messages, all
// in one segment: one edit, 10,000 redactions at once, and one edit beside those.
func BenchmarkEdit(b *testing.B) {
	s := openTemp(b)
	list := talk(100_000, "a longer message, as most are, number")
	w := write("/long", list)
	w.Sessions[0].Chunks = pack(list, 100)
	session := sessionOf(b, s, put(b, s, w)[0])
	one := func(name string, edited func(n int) review.EditChange) {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				amend(b, s, "ann", edited(1+i*7919%100_000))
			}
		})
	}
	set := func(n int) review.EditChange {
		c := puts(session, n, chat.User, fmt.Sprint("edited in ", n, " ", b.N))
		c.Op = edit.Set
		return c
	}
	one("set", set)
	one("drop", func(n int) review.EditChange { return drops(session, n, edit.Fix) })
	one("add", func(n int) review.EditChange { return puts(session, n, chat.User, "and another") })
	var many []review.EditChange
	for n := 5; n <= len(list); n += 10 {
		c := set(n)
		c.Why = edit.Redact
		many = append(many, c)
	}
	b.Run("redact 10,000", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			for k := range many {
				many[k].Message.Content = fmt.Sprint("[name ", i, "]")
			}
			if e := amend(b, s, "ann", many...); len(e.Edits) != len(many) {
				b.Fatal(len(e.Edits))
			}
		}
	})
	one("set beside them", set)
	b.Run("undo", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if i%2 == 0 {
				undo(b, s, "ann")
			} else {
				redo(b, s, "ann")
			}
		}
	})
}
