package memory

import "testing"

// TestNotesAreTold: what is said of a note reads after one memory and after many.
func TestNotesAreTold(t *testing.T) {
	noted := func(before, after string) Change {
		return Change{ID: "1a2b3c4d-0000", Before: &Memory{Note: before}, After: &Memory{Note: after}}
	}
	for want, list := range map[string][]Change{
		"memory 1a2b3c4d given a note":       {noted("", "x")},
		"2 memories given a note":            {noted("", "x"), noted("y", "x")},
		"memory 1a2b3c4d without a note now": {noted("x", "")},
	} {
		if got := ChangesText(list, len(list)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestVerdictsOfAnEntryAreCounted: where not all became the same, all of it is told if it
// is known.
func TestVerdictsOfAnEntryAreCounted(t *testing.T) {
	to := func(s Status) Change {
		return Change{ID: "1a2b3c4d-0000", Before: &Memory{Status: Proposed}, After: &Memory{Status: s}}
	}
	list := []Change{to(Rejected), to(Approved), to(Rejected)}
	for count, want := range map[int]string{3: "3 memories: 2 rejected, 1 approved", 5: "5 memories changed"} {
		if got := ChangesText(list, count); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestMadeCountsWhatIsReplaced: a memory that another one takes the place of is not
// counted among those that got the verdict.
func TestMadeCountsWhatIsReplaced(t *testing.T) {
	change := func(to Status) Change { return Change{Before: &Memory{}, After: &Memory{Status: to}} }
	changes := []Change{change(Approved), change(Archived), {Before: &Memory{}}}
	for _, c := range []struct {
		to             Status
		done, replaced int
	}{{Approved, 1, 1}, {Archived, 1, 0}, {"", 2, 0}} {
		j := Judgement{Status: c.to}
		if done, replaced := j.Made(changes); done != c.done || replaced != c.replaced {
			t.Errorf("%q: %d done, %d replaced", c.to, done, replaced)
		}
	}
}
