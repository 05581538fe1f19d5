package segment

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

var makers = []review.CutBy{review.CutModel, review.CutOffline, review.CutCurator, review.CutSingle, review.CutProvisional}

// draw makes a session of few different messages, so that contents repeat.
func draw(rng *rand.Rand) []chat.Message {
	text := make([]byte, 1+rng.IntN(14))
	letters := 1 + rng.IntN(4)
	for i := range text {
		text[i] = "AbCd"[rng.IntN(letters)]
	}
	return session(string(text))
}

// carve cuts messages from..to at random.
func carve(rng *rand.Rand, from, to int) (cuts []Cut) {
	for from <= to {
		end := min(to, from+rng.IntN(4))
		cuts = append(cuts, Cut{Start: from, End: end, Topic: fmt.Sprintf("topic %d", rng.IntN(3))})
		from = end + 1
	}
	return cuts
}

// recorded are the rows of a session with what curators left on them.
func recorded(rng *rand.Rand, list []chat.Message) []review.Segment {
	var pieces []Piece
	for _, c := range carve(rng, 1, len(list)) {
		pieces = append(pieces, printed(list, Piece{Cut: c, By: makers[rng.IntN(len(makers))]}))
	}
	var rows []review.Segment
	for i, r := range Reconcile(nil, pieces, false).Rows {
		s := r.Segment
		s.ID, s.Body, s.SessionID = fmt.Sprintf("s%d", i+1), 1, "S"
		switch rng.IntN(8) {
		case 0, 1:
			judged(&s, review.Approved)
		case 2:
			judged(&s, review.Rejected)
		case 3:
			judged(&s, review.Unsure)
		case 4:
			s.Stale, s.Was, s.WasBy, s.WasBody, s.WasStart, s.WasEnd = true, review.Approved, "bob", 7, 1, 2+i
		}
		if rng.IntN(4) == 0 {
			s.Note = fmt.Sprintf("note %d", rng.IntN(4))
		}
		for range rng.IntN(2) {
			s.Tags = append(s.Tags, fmt.Sprintf("tag%d", rng.IntN(3)))
			s.Masked = []int{1 + rng.IntN(s.End-s.Start+1)}
		}
		if s.Named = rng.IntN(6) == 0; s.Named {
			s.Topic = fmt.Sprintf("name %d", rng.IntN(4))
		}
		score := rng.Float64()
		s.Score, s.Labeled, s.Analysis = &score, true, "{}"
		rows = append(rows, s)
	}
	return rows
}

// recut cuts what machines may cut; the rest stays as it is.
func recut(rng *rand.Rand, rows []review.Segment, list []chat.Message, again bool) []Piece {
	free := Free(rows, again)
	by := []review.CutBy{review.CutModel, review.CutOffline}[rng.IntN(2)]
	var pieces []Piece
	for i := 0; i < len(rows); {
		if len(free) == 0 || rows[i].Start < free[0].From {
			pieces = append(pieces, PieceOf(&rows[i]))
			i++
			continue
		}
		first, cuts := i, carve(rng, free[0].From, free[0].To)
		for i < len(rows) && rows[i].End <= free[0].To {
			i++
		}
		spared, _ := Spare(rows[first:i], cuts, by, again)
		pieces = append(pieces, spared...)
		free = free[1:]
	}
	for i := range pieces {
		pieces[i] = printed(list, pieces[i])
	}
	return pieces
}

// spare takes those prints away that Reconcile says it needs not have.
func spare(rows []review.Segment, pieces []Piece) []Piece {
	pieces = slices.Clone(pieces)
	in := map[[2]int]*review.Segment{}
	for i := range rows {
		in[[2]int{rows[i].Start, rows[i].End}] = &rows[i]
	}
	first := len(pieces)
	known := map[string]bool{}
	for i := range pieces {
		p := &pieces[i]
		r := in[[2]int{p.Start, p.End}]
		if r == nil {
			first = min(first, i)
		}
		if r == nil || i > first && r.Nth > 1 {
			known[p.Print.Fingerprint] = true
		}
	}
	for i := range pieces {
		p := &pieces[i]
		if r := in[[2]int{p.Start, p.End}]; r != nil && (i < first || r.Nth == 1 && !known[r.Fingerprint]) {
			p.Print, p.Tally = chat.Print{}, review.Tally{}
		}
	}
	return pieces
}

// TestAnyCutsOfAnySessionKeepWhatWasDecided: for any session, any old cuts and
// verdicts, any new cuts, segments cover everything contiguously, equal contents keep their row and verdict, nothing a curator
// cut is moved, and what leaves the rows is told, so that the journal has it.
func TestAnyCutsOfAnySessionKeepWhatWasDecided(t *testing.T) {
	for seed := range uint64(cases) {
		rng := rand.New(rand.NewPCG(seed, 4))
		list := draw(rng)
		rows := recorded(rng, list)
		again := rng.IntN(2) == 0
		pieces := recut(rng, rows, list, again)
		out := Reconcile(rows, pieces, false)
		fail := func(err error) {
			if err != nil {
				t.Fatalf("seed %d: %v\nold %v\nnew %v", seed, err, show(asRows(rows)), show(out.Rows))
			}
		}
		fail(checkOutcome(rows, list, out))
		fail(checkLegacy(out))
		fail(checkEqual(rows, list, out))
		in := map[string]*Row{}
		for i := range out.Rows {
			in[out.Rows[i].ID] = &out.Rows[i]
		}
		for i := range rows {
			o := &rows[i]
			goesOn := slices.ContainsFunc(out.Rows, func(r Row) bool { return r.Start <= o.End && r.End > o.End })
			if stays := o.CutBy == review.CutCurator || !again && o.Verdict.Judged() && !goesOn; stays {
				if r := in[o.ID]; r == nil || r.Start != o.Start || r.End != o.End || r.Verdict != o.Verdict {
					fail(fmt.Errorf("%s was not to be touched", o.ID))
				}
			}
		}
		if less := Reconcile(rows, spare(rows, pieces), false); !reflect.DeepEqual(less, out) {
			fail(fmt.Errorf("with fewer prints: %v", show(less.Rows)))
		}
		var same []Piece
		settled := make([]review.Segment, len(out.Rows))
		for i := range out.Rows {
			settled[i] = out.Rows[i].Segment
			if settled[i].ID == "" {
				settled[i].ID = fmt.Sprint("n", i)
			}
			same = append(same, printed(list, pieces[i]))
		}
		for _, r := range Reconcile(settled, same, false).Rows {
			if r.Changed {
				fail(fmt.Errorf("run again, %s changes", r.ID))
			}
		}
	}
}

func asRows(list []review.Segment) []Row {
	rows := make([]Row, len(list))
	for i := range list {
		rows[i].Segment = list[i]
	}
	return rows
}
