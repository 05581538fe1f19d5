// Package versions tells the versions of a session: what each entry of the journal
// made of it.
//
// A version is a journal entry: @0 is what was recorded, @E is the session as it was
// right after entry E, be that an edit, an undo or a redo. No version is kept. What
// the journal says of places is walked back from the edits that are in force, and
// checked on the way: where an import brought the messages of an entry elsewhere, the
// versions before are told, but nothing can be brought back to them.
//
// The package is pure: no database, no files, no screen.
package versions

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// Step is an entry of the journal that changed a session.
type Step struct {
	Entry   int64
	At      time.Time
	By      string // curator, "" for an import
	Action  review.Action
	Target  int64  // the entry that was undone or redone, else 0
	Undone  bool   // a later entry took it back
	Note    string // in the curator's words
	Changes []review.Edited
}

// Version is what a session was right after an entry.
type Version struct {
	Step
	// Lost says why the session can't be brought back to it, "" if it can.
	Lost string
	Effect
}

// The reasons why a version is lost.
const (
	writtenAnew = "an import wrote the session anew since"
	cameHere    = "an import brought edits of another session here"
)

// Walk goes through the versions of a body, from the newest back to the one after the
// first step: now are the edits over it, sorted by place, steps are in the order of
// their entries. visit gets the number of the step and the edits that lay over the
// session after it, which it must not keep; of a version that is lost none and why.
func Walk(body int64, now []edit.Edit, steps []Step, visit func(i int, over []*edit.Edit, lost string)) {
	first, why := reach(body, now, steps)
	s := stateOf(now)
	for i, step := range slices.Backward(steps) {
		if i < first {
			visit(i, nil, why)
			continue
		}
		visit(i, s.over, "")
		s.back(step.Changes)
	}
}

// reach returns the first step after which the session is known, and why it is not
// before that.
func reach(body int64, now []edit.Edit, steps []Step) (first int, why string) {
	s := stateOf(now)
	for i, step := range slices.Backward(steps) {
		if !s.after(body, step.Changes) {
			return i + 1, writtenAnew
		}
		s.back(step.Changes)
	}
	if len(s.over) > 0 {
		return len(steps), cameHere
	}
	return 0, ""
}

// At returns the edits that lay over a body after each of some entries, sorted by
// place. @0 has none. An entry that is none of the steps is an error that names those
// there are, a version that is lost one that says why.
func At(body int64, now []edit.Edit, steps []Step, entries ...int64) (lists [][]edit.Edit, err error) {
	lists = make([][]edit.Edit, len(entries))
	wanted := map[int][]int{} // of lists, by the step
	for k, entry := range entries {
		if entry == 0 {
			continue
		}
		i, found := find(steps, entry)
		if !found {
			return nil, unknown(steps, entry)
		}
		wanted[i] = append(wanted[i], k)
	}
	Walk(body, now, steps, func(i int, over []*edit.Edit, lost string) {
		for _, k := range wanted[i] {
			if lost != "" {
				err = fmt.Errorf("version @%d is not there any more: %s", steps[i].Entry, lost)
				return
			}
			for _, e := range over {
				lists[k] = append(lists[k], *e)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return lists, nil
}

// ParseEntry reads a version as people write it: @312, @0 for what was recorded.
func ParseEntry(text string) (int64, error) {
	entry, err := strconv.ParseInt(strings.TrimPrefix(text, "@"), 10, 64)
	if err != nil || entry < 0 {
		return 0, fmt.Errorf("%q: a version is @ and the number of an entry, as winnow graph lists them; @0 is what was recorded", text)
	}
	return entry, nil
}

func find(steps []Step, entry int64) (int, bool) {
	return slices.BinarySearchFunc(steps, entry, func(s Step, entry int64) int { return cmp.Compare(s.Entry, entry) })
}

// mostNamed is how many versions an error names.
const mostNamed = 8

// unknown says which versions there are.
func unknown(steps []Step, entry int64) error {
	text := "@0 (as it was recorded)"
	for i, step := range slices.Backward(steps) {
		if left := i + 1; len(steps)-left == mostNamed {
			text += fmt.Sprintf(" and %d older ones", left)
			break
		}
		text += fmt.Sprintf(", @%d", step.Entry)
	}
	return fmt.Errorf("%w: the session has no version @%d; it has %s", review.ErrNotFound, entry, text)
}

// state is the edits over a body, sorted by place.
type state struct{ over []*edit.Edit }

func stateOf(now []edit.Edit) *state {
	s := &state{}
	for i := range now {
		s.over = append(s.over, &now[i])
	}
	return s
}

func (s *state) find(p edit.Place) (int, bool) {
	return slices.BinarySearchFunc(s.over, p, func(e *edit.Edit, p edit.Place) int { return ComparePlaces(e.Place, p) })
}

// ComparePlaces orders places as the messages stand.
func ComparePlaces(a, b edit.Place) int {
	return cmp.Or(cmp.Compare(a.Body, b.Body), cmp.Compare(a.N, b.N), cmp.Compare(a.Part, b.Part))
}

// after reports whether all places are as a step left them.
func (s *state) after(body int64, changes []review.Edited) bool {
	for i := range changes {
		c := &changes[i]
		at, there := s.find(c.Place)
		if c.Body != body || there != (c.After != nil) || there && !made(s.over[at], c.After) {
			return false
		}
	}
	return true
}

// made reports whether two rows are the same edit. Whether they clash is no part of
// it: that follows from what is recorded.
func made(a, b *edit.Edit) bool {
	return Same(a, b) && a.Entry == b.Entry && string(a.Sealed) == string(b.Sealed)
}

// Same reports whether two edits of a place say the same, nil is none.
func Same(a, b *edit.Edit) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Op == b.Op && a.Why == b.Why && a.Base == b.Base && a.Untrained == b.Untrained && chat.SumOf(&a.Message) == chat.SumOf(&b.Message)
}

// back takes the changes of a step away.
func (s *state) back(changes []review.Edited) {
	for i := range changes {
		c := &changes[i]
		switch at, there := s.find(c.Place); {
		case there && c.Before != nil:
			s.over[at] = c.Before
		case there:
			s.over = slices.Delete(s.over, at, at+1)
		case c.Before != nil:
			s.over = slices.Insert(s.over, at, c.Before)
		}
	}
}
