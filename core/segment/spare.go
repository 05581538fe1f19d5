package segment

import (
	"slices"

	"winnow/core/review"
)

// PieceOf is a row that stays as it is.
func PieceOf(r *review.Segment) Piece {
	return Piece{Cut: Cut{r.Start, r.End, r.Topic}, By: r.CutBy, Named: r.Named}
}

// Spare returns the pieces that a machine's cuts of some rows, which follow each
// other, come to. What is judged stays as it is, however it was cut, unless it
// goes on in messages that nobody judged; grown is how many such rows there are.
// With again nothing is spared.
func Spare(rows []review.Segment, cuts []Cut, by review.CutBy, again bool) (pieces []Piece, grown int) {
	from := rows[0].Start
	take := func(to int) {
		for _, c := range (Span{from, to}).Clip(cuts) {
			pieces = append(pieces, Piece{Cut: c, By: by})
		}
	}
	for i := range rows {
		switch r := &rows[i]; {
		case again || !r.Verdict.Judged():
		case grows(rows[i:], cuts):
			grown++
		default:
			take(r.Start - 1)
			pieces = append(pieces, PieceOf(r))
			from = r.End + 1
		}
	}
	take(rows[len(rows)-1].End)
	return pieces, grown
}

// grows reports whether the first of some rows goes on, by these cuts, in
// messages that nobody judged.
func grows(rows []review.Segment, cuts []Cut) bool {
	next := slices.IndexFunc(rows, func(r review.Segment) bool { return !r.Verdict.Judged() })
	return next > 0 && slices.ContainsFunc(cuts, func(c Cut) bool { return c.Start <= rows[0].End && c.End >= rows[next].Start })
}
