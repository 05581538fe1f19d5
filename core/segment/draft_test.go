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

// outline lists pieces as "1-2 topic", with a star where a curator named it.
func outline(pieces []Piece) string {
	var list []string
	for _, p := range pieces {
		text := fmt.Sprintf("%d-%d", p.Start, p.End)
		if p.Topic != "" {
			text += " " + p.Topic
		}
		if p.Named {
			text += "*"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// drafted is a draft over A 1–2, B 3–5 and C 6.
func drafted() *Draft {
	rows := stored(review.CutModel, "Ab", "Cde", "F")
	for i := range rows {
		rows[i].Topic = "ABC"[i : i+1]
	}
	judged(&rows[0], review.Approved)
	judged(&rows[1], review.Rejected)
	return NewDraft(rows)
}

func TestDraft(t *testing.T) {
	type step = func(*Draft) error
	split := func(at int) step { return func(d *Draft) error { return d.Split(at) } }
	merge := func(at int) step { return func(d *Draft) error { return d.Merge(at) } }
	move := func(at, to int) step { return func(d *Draft) error { return d.Move(at, to) } }
	rename := func(at int, topic string) step { return func(d *Draft) error { return d.Rename(at, topic) } }
	for _, c := range []struct {
		name    string
		steps   []step
		want    string
		action  review.Action
		effects string
	}{
		{"split", []step{split(4)}, "1-2 A, 3-3 B, 4-5, 6-6 C", review.ActSplit, "1 rejected segment becomes stale"},
		{"split the first", []step{split(2)}, "1-1 A, 2-2, 3-5 B, 6-6 C", review.ActSplit, "1 approved segment becomes stale"},
		{"merge", []step{merge(4)}, "1-5 A, 6-6 C", review.ActMerge, "1 rejected segment becomes stale; 1 approved verdict stays in the journal only"},
		{"merge the last", []step{merge(6)}, "1-2 A, 3-6 B", review.ActMerge, "1 rejected segment becomes stale"},
		{"move down", []step{move(6, 5)}, "1-2 A, 3-4 B, 5-6", review.ActMove, "1 rejected segment becomes stale"},
		{"move twice", []step{move(3, 4), move(4, 5)}, "1-4 A, 5-5, 6-6 C", review.ActMove, "1 approved segment becomes stale; 1 rejected verdict stays in the journal only"},
		{"move to where it is", []step{move(3, 3)}, "1-2 A, 3-5 B, 6-6 C", "", "nothing that was decided changes"},
		{"move and back", []step{move(3, 4), move(4, 3)}, "1-2 A, 3-5 B, 6-6 C", "", "nothing that was decided changes"},
		{"rename", []step{rename(5, "  new\n name ")}, "1-2 A, 3-5 new name*, 6-6 C", review.ActTopic, "nothing that was decided changes"},
		{"rename to what it is", []step{rename(5, "B")}, "1-2 A, 3-5 B*, 6-6 C", review.ActTopic, "nothing that was decided changes"},
		{"name and take back", []step{rename(5, "x"), rename(3, "")}, "1-2 A, 3-5 B, 6-6 C", "", "nothing that was decided changes"},
		{"title it anew", []step{rename(5, "")}, "1-2 A, 3-5, 6-6 C", review.ActTopic, "nothing that was decided changes"},
		{"move a named one", []step{rename(6, "x"), move(6, 5)}, "1-2 A, 3-4 B, 5-6 x*", review.ActCut, "1 rejected segment becomes stale"},
		{"split and merge", []step{split(4), merge(4)}, "1-2 A, 3-5 B, 6-6 C", "", "nothing that was decided changes"},
		{"merge and split", []step{merge(3), split(3)}, "1-2 A, 3-5 B, 6-6 C", "", "nothing that was decided changes"},
		{"merge, name and split", []step{merge(3), rename(1, "x"), split(3)}, "1-2 x*, 3-5 B, 6-6 C", review.ActTopic, "nothing that was decided changes"},
		{"merge with a named one", []step{rename(3, "x"), merge(3)}, "1-5 x*, 6-6 C", review.ActCut, "1 rejected segment becomes stale; 1 approved verdict stays in the journal only"},
		{"merge with one without a topic", []step{split(4), merge(6)}, "1-2 A, 3-3 B, 4-6", review.ActMove, "1 rejected segment becomes stale"},
		{"merge below one without a topic", []step{split(4), rename(6, "x"), merge(6)}, "1-2 A, 3-3 B, 4-6 x*", review.ActCut, "1 rejected segment becomes stale"},
		{"two splits", []step{split(4), split(5)}, "1-2 A, 3-3 B, 4-4, 5-5, 6-6 C", review.ActCut, "1 rejected segment becomes stale"},
		{"a boundary elsewhere", []step{merge(6), split(2)}, "1-1 A, 2-2, 3-6 B", review.ActCut, "2 segments (1 approved, 1 rejected) become stale"},
	} {
		d := drafted()
		for _, s := range c.steps {
			if err := s(d); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		if got := outline(d.Pieces()); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if d.Changed() != (c.action != "") || d.Changed() && d.Action() != c.action {
			t.Errorf("%s: changed %v, %s", c.name, d.Changed(), d.Action())
		}
		out := d.Outcome()
		if got := out.Effects().String(); got != c.effects {
			t.Errorf("%s: announced %q, want %q", c.name, got, c.effects)
		}
		for d.Undo() {
		}
		if got := outline(d.Pieces()); got != "1-2 A, 3-5 B, 6-6 C" || d.Changed() {
			t.Errorf("%s: taken back, it is %s", c.name, got)
		}
	}
}

// A topic that somebody gave goes with what is merged, and back where it was.
func TestDraftGivesTopicsBack(t *testing.T) {
	d := drafted()
	d.old[1].Named = true
	d = NewDraft(d.old)
	if err := d.Merge(3); err != nil || outline(d.Pieces()) != "1-5 B*, 6-6 C" {
		t.Errorf("%v: %s", err, outline(d.Pieces()))
	}
	if err := d.Split(3); err != nil || outline(d.Pieces()) != "1-2 A, 3-5 B*, 6-6 C" || d.Changed() {
		t.Errorf("%v: %s", err, outline(d.Pieces()))
	}
}

func TestDraftRefusesWhatCannotBe(t *testing.T) {
	for want, edit := range map[string]func(*Draft) error{
		"message 1 begins the session: nothing is above it":                                    func(d *Draft) error { return d.Split(1) },
		"message 3 begins a segment already":                                                   func(d *Draft) error { return d.Split(3) },
		"there is no message 7: the session has 1 to 6":                                        func(d *Draft) error { return d.Split(7) },
		"there is no message 0: the session has 1 to 6":                                        func(d *Draft) error { return d.Merge(0) },
		"message 2 is in the first segment: nothing is above it":                               func(d *Draft) error { return d.Merge(2) },
		"no segment begins at message 4: this one begins at 3":                                 func(d *Draft) error { return d.Move(4, 5) },
		"message 1 begins the session: nothing is above it ":                                   func(d *Draft) error { return d.Move(1, 2) },
		"the boundary above message 3 can't go to 6: from 2 to 5 both segments keep a message": func(d *Draft) error { return d.Move(3, 6) },
		"the boundary above message 3 can't go to 1: from 2 to 5 both segments keep a message": func(d *Draft) error { return d.Move(3, 1) },
		"the boundary above message 6 can't move: both segments have one message; merge them":  func(d *Draft) error { d.Split(5); return d.Move(6, 5) },
		"there is no message -1: the session has 1 to 6":                                       func(d *Draft) error { return d.Rename(-1, "x") },
		"the session has no messages":                                                          func(*Draft) error { return NewDraft(nil).Split(1) },
	} {
		d := drafted()
		err := edit(d)
		if err == nil || err.Error() != strings.TrimSpace(want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestDraftsCoverTheSession edits random sessions: segments cover everything at
// every step, undo takes every step back, and what a draft announces is what
// comes of it.
func TestDraftsCoverTheSession(t *testing.T) {
	for seed := range uint64(cases / 2) {
		rng := rand.New(rand.NewPCG(seed, 6))
		list := draw(rng)
		rows := recorded(rng, list)
		d := NewDraft(rows)
		var states [][]Piece
		for range 1 + rng.IntN(8) {
			before := slices.Clone(d.Pieces())
			at := 1 + rng.IntN(len(list))
			var err error
			switch rng.IntN(4) {
			case 0:
				err = d.Split(at)
			case 1:
				err = d.Merge(at)
			case 2:
				p := d.Pieces()[d.At(at)]
				err = d.Move(p.Start, at)
			case 3:
				err = d.Rename(at, fmt.Sprintf("name %d", rng.IntN(3)))
			}
			switch same := reflect.DeepEqual(before, d.Pieces()); {
			case err != nil && !same:
				t.Fatalf("seed %d: %v, but the draft changed", seed, err)
			case !same:
				states = append(states, before)
			}
			cuts := make([]Cut, len(d.Pieces()))
			for i, p := range d.Pieces() {
				cuts[i] = p.Cut
			}
			if err := CheckCuts(cuts, 1, len(list)); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if err := checkPreview(d, rows, list); err != nil {
			t.Fatalf("seed %d: %v\nold %v\nnew %s", seed, err, show(asRows(rows)), outline(d.Pieces()))
		}
		for i := len(states) - 1; i >= 0; i-- {
			if !d.Undo() || !reflect.DeepEqual(d.Pieces(), states[i]) {
				t.Fatalf("seed %d: step %d was not taken back: %s", seed, i, outline(d.Pieces()))
			}
		}
		if d.Undo() || d.Changed() {
			t.Fatalf("seed %d: there is more to undo", seed)
		}
	}
}

// checkPreview tests that a draft's outcome is what Reconcile makes of the same
// pieces with their prints.
func checkPreview(d *Draft, rows []review.Segment, list []chat.Message) error {
	preview := d.Outcome()
	var pieces []Piece
	for _, p := range d.Pieces() {
		pieces = append(pieces, printed(list, p))
	}
	real := Reconcile(rows, pieces, true)
	if err := checkOutcome(rows, list, real); err != nil && !strings.Contains(err.Error(), "lost something") &&
		!strings.Contains(err.Error(), "changed hands") {
		return err
	}
	if preview.Effects() != real.Effects() || !slices.Equal(show(preview.Rows), show(real.Rows)) {
		return fmt.Errorf("announced %v, done %v", show(preview.Rows), show(real.Rows))
	}
	changed := false
	for i := range preview.Rows {
		r, p := &preview.Rows[i], &d.Pieces()[i]
		changed = changed || r.Changed
		if r.ID == "" && (r.CutBy != review.CutCurator || r.Topic != p.Topic || r.Named != p.Named) {
			return fmt.Errorf("segment %d: %s %q %v", i, r.CutBy, r.Topic, r.Named)
		}
		if o := d.stored(r.Start, r.End); (o != nil) != (r.ID != "") || o != nil && (o.ID != r.ID || o.CutBy != r.CutBy) {
			return fmt.Errorf("segment %d did not stay in its place", i)
		}
	}
	if changed != d.Changed() {
		return fmt.Errorf("changed: %v, the draft says %v", changed, d.Changed())
	}
	return nil
}
