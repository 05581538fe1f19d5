package memory

import "testing"

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
