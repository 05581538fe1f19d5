package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/core/review"
	"winnow/core/runs"
	core "winnow/core/segment"
)

// dice cuts anywhere.
type dice struct{ random *rand.Rand }

func (d dice) By() review.CutBy { return review.CutOffline }

func (d dice) Cut(_ context.Context, t core.Text) ([]core.Cut, error) {
	var cuts []core.Cut
	for start := t.From; start <= t.To; {
		end := min(t.To, start+d.random.IntN(4))
		cuts = append(cuts, core.Cut{Start: start, End: end, Topic: fmt.Sprint("from ", start)})
		start = end + 1
	}
	return cuts, nil
}

// drafted is what somebody does to the boundaries of a session on the screen.
func drafted(random *rand.Rand, rows []review.Segment) *core.Draft {
	d := core.NewDraft(rows)
	last := rows[len(rows)-1].End
	for range 1 + random.IntN(3) {
		at := 1 + random.IntN(last)
		switch random.IntN(5) { // what can't be done is refused, and does nothing
		case 0, 1:
			_ = d.Split(at)
		case 2:
			_ = d.Merge(at)
		case 3:
			_ = d.Move(at, 1+random.IntN(last))
		default:
			_ = d.Rename(at, []string{"", "a topic", "another"}[random.IntN(3)])
		}
	}
	return d
}

// The whole way, from the boundary screen and from a machine to the table and
// back: everything a curator did is taken back byte for byte, beside machines
// that find nothing to cut anew.
func TestDraftsAreUndoneByteForByte(t *testing.T) {
	s := openTemp(t)
	for seed := range cutSeeds {
		random := rand.New(rand.NewPCG(uint64(seed), 10))
		c := newSession(t, s, random, seed)
		machine := &runs.Segmenter{Store: s, Cutter: dice{random}, Jobs: 1}
		if _, err := machine.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		p := &somebody{fmt.Sprint("ann", seed), s, random, c}
		start := dump(t, s, c.id)
		for range 15 {
			rows := segmentsOf(t, s, c)
			if random.IntN(3) == 0 {
				// A verdict taken back from what nobody cut lets the session
				// wait; giving it again does not tell that nothing is to be cut.
				if r := &rows[random.IntN(len(rows))]; r.CutBy != review.CutProvisional {
					judge(t, s, p.name, review.Verdicts[random.IntN(4)], r.ID)
				}
				continue
			}
			d := drafted(random, rows)
			want := d.Outcome()
			e, err := runs.Recut(t.Context(), s, runs.Edit{Session: c.id, Known: rows, Pieces: d.Pieces(), Curator: p.name, Action: d.Action()})
			if err != nil && !errors.Is(err, review.ErrNothing) {
				t.Fatal(err)
			}
			got := segmentsOf(t, s, c)
			if err == nil && !slices.EqualFunc(got, want.Rows, announced) {
				t.Fatalf("seed %d: %+v\nis not what was announced: %+v\n%+v", seed, got, want.Rows, e)
			}
		}
		end := dump(t, s, c.id)
		p.all(t, undoer(t, s))
		if got := dump(t, s, c.id); got != start {
			t.Fatalf("seed %d: undone\n%s\nwant\n%s", seed, got, start)
		}
		p.all(t, redoer(t, s))
		if got := dump(t, s, c.id); got != end {
			t.Fatalf("seed %d: redone\n%s\nwant\n%s", seed, got, end)
		}
		machine.Again = random.IntN(2) == 0
		if _, err := machine.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	clean(t, s)
}

// announced reports whether a segment is what a draft said it would be.
func announced(got review.Segment, want core.Row) bool {
	return got.Start == want.Start && got.End == want.End && got.Verdict == want.Verdict && got.Stale == want.Stale && got.Was == want.Was &&
		got.Note == want.Note && got.CutBy == want.CutBy && got.Named == want.Named && (want.ID == "" || got.ID == want.ID)
}
