package segment

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
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
	for i := range rows {
		r := &rows[i]
		switch {
		case len(free) > 0 && free[0].From == r.Start:
			for _, c := range carve(rng, free[0].From, free[0].To) {
				pieces = append(pieces, Piece{Cut: c, By: by})
			}
			fallthrough
		case len(free) > 0 && r.Start > free[0].From && r.End <= free[0].To:
			if r.End == free[0].To {
				free = free[1:]
			}
		default:
			pieces = append(pieces, Piece{Cut: Cut{r.Start, r.End, r.Topic}, By: r.CutBy, Named: r.Named})
		}
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

// checkOutcome tests what holds whatever the cuts are.
func checkOutcome(rows []review.Segment, list []chat.Message, out Outcome) error {
	byID := map[string]*review.Segment{}
	for i := range rows {
		byID[rows[i].ID] = &rows[i]
	}
	next, seen := 1, map[string]bool{}
	nth := map[string]int{}
	for i := range out.Rows {
		r := &out.Rows[i]
		if r.Start != next || r.End < r.Start || r.Index != i {
			return fmt.Errorf("segment %d is %d–%d, index %d: one from %d is wanted", i, r.Start, r.End, r.Index, next)
		}
		next = r.End + 1
		p := printed(list, Piece{Cut: Cut{Start: r.Start, End: r.End}})
		nth[p.Print.Fingerprint]++
		if n := nth[p.Print.Fingerprint]; r.Nth != n || r.Fingerprint != p.Print.Nth(n) || r.Detail != p.Print.Detail || r.Tally != p.Tally {
			return fmt.Errorf("segment %d: number %d, fingerprint %s: want %d, %s", i, r.Nth, r.Fingerprint, n, p.Print.Nth(n))
		}
		if seen[r.Fingerprint] {
			return fmt.Errorf("fingerprint %s twice", r.Fingerprint)
		}
		seen[r.Fingerprint] = true
		if r.ID == "" {
			if r.Verdict != review.Pending || !r.Changed || r.Score != nil || r.SessionID != "S" && len(rows) > 0 {
				return fmt.Errorf("segment %d is new: %+v", i, r)
			}
			continue
		}
		o := byID[r.ID]
		if o == nil {
			return fmt.Errorf("segment %d is %s, which is nowhere or twice", i, r.ID)
		}
		delete(byID, r.ID)
		if err := checkKept(o, r, &p.Print); err != nil {
			return fmt.Errorf("segment %d: %w", i, err)
		}
	}
	if next != len(list)+1 {
		return fmt.Errorf("segments end at %d of %d messages", next-1, len(list))
	}
	for i := range out.Retired {
		o := byID[out.Retired[i].ID]
		if o == nil || !reflect.DeepEqual(*o, out.Retired[i]) {
			return fmt.Errorf("%s leaves, and stays or is another", out.Retired[i].ID)
		}
		delete(byID, o.ID)
	}
	if len(byID) > 0 {
		return fmt.Errorf("%d rows neither stay nor leave", len(byID))
	}
	return nil
}

// checkKept tests that a row that stays has what it had.
func checkKept(o *review.Segment, r *Row, p *chat.Print) error {
	if o.Detail != p.Detail || p.Nth(o.Nth) != o.Fingerprint {
		return fmt.Errorf("%s has other messages now", o.ID)
	}
	want := *o
	want.Start, want.End, want.Index, want.Body = r.Start, r.End, r.Index, r.Body
	want.Nth, want.Fingerprint = r.Nth, r.Fingerprint
	want.CutBy = r.CutBy
	if !o.Named {
		want.Topic = r.Topic
	}
	if !reflect.DeepEqual(want, r.Segment) {
		return fmt.Errorf("%s lost something:\n%+v\n%+v", o.ID, want, r.Segment)
	}
	if r.Changed == reflect.DeepEqual(*o, r.Segment) {
		return fmt.Errorf("%s: changed is %v", o.ID, r.Changed)
	}
	if o.CutBy == review.CutCurator && (r.CutBy != review.CutCurator || r.Start != o.Start && r.Body == o.Body) {
		return fmt.Errorf("%s, which a curator cut, moved or changed hands", o.ID)
	}
	if o.CutBy == review.CutModel && (r.CutBy != review.CutModel || r.Topic != o.Topic) {
		return fmt.Errorf("%s, which a model cut, changed hands", o.ID)
	}
	return nil
}

// checkLegacy tests that what curators left on rows that leave is on the new
// row that shares most of their messages, or counted as lost.
func checkLegacy(out Outcome) error {
	took := map[int][]*review.Segment{}
	effects := Effects{}
	for i := range out.Rows {
		effects.Kept.add(out.Rows[i].Verdict)
	}
	for i := range out.Retired {
		s := &out.Retired[i]
		best, most := -1, 0
		for j := range out.Rows {
			r := &out.Rows[j]
			if n := min(r.End, s.End) - max(r.Start, s.Start) + 1; r.ID == "" && n > most {
				best, most = j, n
			}
		}
		switch {
		case best >= 0:
			took[best] = append(took[best], s)
		case s.Verdict.Judged():
			effects.Lost.add(s.Verdict)
		case marked(s) || s.Named:
			effects.Left++
		}
	}
	for j := range out.Rows {
		r := &out.Rows[j]
		if r.ID != "" {
			continue
		}
		var note []string
		judged, stale := 0, 0
		shown := false
		for _, s := range took[j] {
			if !strings.Contains("\n"+r.Note+"\n", "\n"+s.Note+"\n") && s.Note != "" {
				return fmt.Errorf("the note %q of %s is gone", s.Note, s.ID)
			}
			if s.Named && r.Topic != s.Topic && !strings.Contains("\n"+r.Note+"\n", "\n"+s.Topic+"\n") {
				return fmt.Errorf("the topic %q of %s is gone", s.Topic, s.ID)
			}
			for _, tag := range s.Tags {
				if !slices.Contains(r.Tags, tag) {
					return fmt.Errorf("tag %s of %s is gone", tag, s.ID)
				}
			}
			note = append(note, s.Note)
			switch {
			case s.Verdict.Judged():
				judged++
				if r.Was == s.Verdict {
					effects.Stale.add(s.Verdict)
					shown = true
				} else {
					effects.Lost.add(s.Verdict)
				}
			case s.Stale:
				stale++
			}
		}
		if shown {
			effects.Into++
		}
		if r.Stale != (judged+stale > 0) || r.Stale != (r.Was != "") {
			return fmt.Errorf("new segment %d: stale %v, was %q, of %d judged and %d stale rows", j, r.Stale, r.Was, judged, stale)
		}
		if err := checkWas(r, took[j], judged > 0); err != nil {
			return fmt.Errorf("new segment %d: %w", j, err)
		}
		if len(took[j]) == 0 && (r.Note != "" || len(r.Tags) > 0 || r.Named) {
			return fmt.Errorf("new segment %d has marks of nobody: %v", j, note)
		}
	}
	if got := out.Effects(); got != effects {
		return fmt.Errorf("announced %+v, want %+v", got, effects)
	}
	return nil
}

// checkWas tests that a new row remembers the judged row, else the stale one,
// that shares most messages with it.
func checkWas(r *Row, from []*review.Segment, judged bool) error {
	var best *review.Segment
	most := 0
	for _, s := range from {
		n := min(r.End, s.End) - max(r.Start, s.Start) + 1
		if (s.Verdict.Judged() || !judged && s.Stale) && n > most {
			best, most = s, n
		}
	}
	if best == nil {
		return nil
	}
	got := []any{r.Was, r.WasBy, r.WasAt, r.WasBody, r.WasStart, r.WasEnd}
	want := []any{best.Was, best.WasBy, best.WasAt, best.WasBody, best.WasStart, best.WasEnd}
	if judged {
		want = []any{best.Verdict, best.Reviewer, best.ReviewedAt, best.Body, best.Start, best.End}
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("it was %v, want %v", got, want)
	}
	return nil
}

// checkEqual tests that equal contents keep their rows: as many as there are on
// both sides, if it does not matter which is which.
func checkEqual(rows []review.Segment, list []chat.Message, out Outcome) error {
	type class struct {
		rows          []*review.Segment
		pieces, stays int
		mixed         bool
	}
	classes := map[content]*class{}
	of := func(start, end int) *class {
		p := printed(list, Piece{Cut: Cut{Start: start, End: end}})
		c := content{p.Print.Fingerprint, p.Print.Detail}
		if classes[c] == nil {
			classes[c] = &class{}
		}
		return classes[c]
	}
	for i := range rows {
		c := of(rows[i].Start, rows[i].End)
		c.rows = append(c.rows, &rows[i])
		c.mixed = c.mixed || !sameMarks(c.rows[0], &rows[i])
	}
	for i := range out.Rows {
		c := of(out.Rows[i].Start, out.Rows[i].End)
		c.pieces++
		if out.Rows[i].ID != "" {
			c.stays++
		}
	}
	for _, c := range classes {
		if !c.mixed && c.stays != min(len(c.rows), c.pieces) {
			return fmt.Errorf("%d of %d rows of equal content stay in %d places: %s", c.stays, len(c.rows), c.pieces, c.rows[0].ID)
		}
	}
	return nil
}

// TestAnyCutsOfAnySessionKeepWhatWasDecided is the second acceptance: for any
// session, any old cuts and verdicts, any new cuts, segments cover everything
// contiguously, equal contents keep their row and verdict, nothing a curator
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
			if stays := o.CutBy == review.CutCurator || !again && o.Verdict.Judged(); stays {
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
