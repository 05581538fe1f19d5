package segment

import (
	"fmt"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// giant is a session of many segments of one message each; every so many of
// them are equal.
func giant(n, different int) []Piece {
	h := chat.NewHasher()
	prints := make([]chat.Print, different)
	for i := range prints {
		h.Reset()
		h.Add(&chat.Message{Role: chat.User, Content: fmt.Sprint(i)})
		prints[i] = h.Print()
	}
	pieces := make([]Piece, n)
	for i := range pieces {
		pieces[i] = Piece{Cut: Cut{Start: i + 1, End: i + 1}, By: review.CutModel, Print: prints[i*7919%different]}
	}
	return pieces
}

// keep stores pieces; one in three is judged.
func keep(pieces []Piece) []review.Segment {
	out := Reconcile(nil, pieces, false)
	rows := make([]review.Segment, len(out.Rows))
	for i := range out.Rows {
		rows[i] = out.Rows[i].Segment
		rows[i].ID, rows[i].Body = fmt.Sprint(i), 1
		if i%3 == 0 {
			rows[i].Verdict = review.Verdicts[i/3%3]
		}
	}
	return rows
}

func BenchmarkReconcile(b *testing.B) {
	const n = 100_000
	for _, different := range []int{n, n / 10, 100, 2, 1} {
		pieces := giant(n, different)
		rows := keep(pieces)
		b.Run(fmt.Sprintf("same/%d", different), func(b *testing.B) {
			for b.Loop() {
				Reconcile(rows, pieces, false)
			}
		})
		// In another body 1,000 are missing and 1,000 are new.
		var other []Piece
		fresh := giant(1000, 1000)
		for i, p := range pieces {
			if i%100 == 17 {
				p.Print = fresh[i/100].Print
			}
			if i%100 != 51 {
				other = append(other, p)
			}
		}
		for i := range other {
			other[i].Start, other[i].End, other[i].Body = i+1, i+1, 2
		}
		b.Run(fmt.Sprintf("moved/%d", different), func(b *testing.B) {
			for b.Loop() {
				Reconcile(rows, other, false)
			}
		})
		d := NewDraft(rows)
		if err := d.Merge(n / 2); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("draft/%d", different), func(b *testing.B) {
			for b.Loop() {
				out := d.Outcome()
				out.Effects()
			}
		})
	}
}
