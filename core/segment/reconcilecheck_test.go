package segment

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/review"
)

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

// checkMasks tests that the training marks of rows that leave are on their
// messages in the new rows, and no others.
func checkMasks(out Outcome) error {
	masked := map[int]bool{}
	for i := range out.Retired {
		for _, place := range out.Retired[i].Masked {
			masked[out.Retired[i].Start+place-1] = true
		}
	}
	for i := range out.Rows {
		r := &out.Rows[i]
		for n := r.Start; n <= r.End && r.ID == ""; n++ {
			if r.Masks(n) != masked[n] {
				return fmt.Errorf("message %d in %d–%d: masked is %v", n, r.Start, r.End, r.Masks(n))
			}
		}
	}
	return nil
}

// checkLegacy tests that what curators left on rows that leave is on the new
// row that shares most of their messages, or counted as lost.
func checkLegacy(out Outcome) error {
	if err := checkMasks(out); err != nil {
		return err
	}
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
