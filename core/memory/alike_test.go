package memory

import (
	"slices"
	"testing"
)

// saying is a memory that is proposed.
func saying(id, content string, grade float64) Memory {
	m := Memory{ID: id, Kind: Rule, Title: id, Content: content, Status: Proposed, Agent: "laptop", Dir: "/w", Grade: grade}
	m.Identify()
	return m
}

// TestAlikePairsAreTold measures the bound by labelled pairs: how many of
// those that are alike are found, and how many others are taken for them. What it says of
// those that are held out is in docs/memories.md.
func TestAlikePairsAreTold(t *testing.T) {
	for held, want := range map[bool]told{false: {17, 26, 1, 28}, true: {7, 12, 1, 12}} {
		var got told
		for _, p := range alikePairs {
			if p.held != held {
				continue
			}
			m := saying("a", p.a, 0.5)
			is := len(m.alikeIn([]Memory{saying("b", p.b, 0.5)})) == 1
			if p.alike {
				got.alike++
			} else {
				got.others++
			}
			switch {
			case is && p.alike:
				got.found++
			case is:
				got.wrong++
				t.Logf("not alike, but taken for it: %q, %q", p.a, p.b)
			case p.alike:
				t.Logf("missed: %q, %q", p.a, p.b)
			}
		}
		if got != want {
			t.Errorf("held out %v: %+v, want %+v", held, got, want)
		}
	}
}

// told is how many pairs are taken for alike, of those that are and of the others.
type told struct{ found, alike, wrong, others int }

const (
	lintFirst = "Always run `make lint` before a commit, it takes a second."
	lintToo   = "Before a commit always run `make lint`; it takes a second."
	lintThree = "Run `make lint` before a commit, always: it takes a second or so."
)

// TestTheBestOfThoseAlike: which is chosen, and which go.
func TestTheBestOfThoseAlike(t *testing.T) {
	other := saying("other", "The staging database is restored every night.", 1)
	for _, c := range []struct {
		name   string
		change func(l []Memory)
		best   string
		others string // that go
		why    string
	}{
		{"the last one under the cursor of equal ones", func(l []Memory) { l[1].Grade, l[0], l[2] = 0.5, l[2], l[0] }, "a", "cb", ""},
		{"the best grade", nil, "b", "ac", ""},
		{"whatever their kind", func(l []Memory) { l[1].Kind = Fact }, "b", "ac", ""},
		{"the one under the cursor of equal ones", func(l []Memory) { l[1].Grade = 0.5 }, "a", "bc", ""},
		{"the approved one of equal ones", func(l []Memory) { l[1].Grade, l[2].Grade, l[2].Status = 0.5, 0.5, Approved }, "c", "ab", ""},
		{"none with flags", func(l []Memory) { l[1].Flags = []Flag{Link} }, "a", "bc", ""},
		{"but one that was approved with them", func(l []Memory) { l[1].Flags, l[1].Status = []Flag{Link}, Approved }, "b", "ac", ""},
		{"none that is corrected", func(l []Memory) { l[2].Supersedes = "b" }, "a", "bc", ""},
		{"none of another folder", func(l []Memory) { l[1].Dir = "/x" }, "a", "c", ""},
		{"none of another agent", func(l []Memory) { l[1].Agent = "desk" }, "a", "c", ""},
		{"none that is rejected", func(l []Memory) { l[1].Status = Rejected }, "a", "c", ""},
		{"none that is stale", func(l []Memory) { l[1].Status, l[1].Stale = Approved, true }, "a", "c", ""},
		{"all have flags", func(l []Memory) {
			for i := range l {
				l[i].Flags = []Flag{Directive}
			}
		}, "", "", "those that are alike have flags, or are corrected by one that has: look at each of them"},
		{"alone", func(l []Memory) { l[1].Dir, l[2].Dir = "/x", "/x" }, "", "", "no other memory here is like this one"},
		{"the same short words of another kind", func(l []Memory) {
			l[0].Content, l[1].Content, l[1].Kind = "no ls", "No `ls`!", Fact
		}, "b", "a", ""},
	} {
		list := []Memory{saying("a", lintFirst, 0.5), saying("b", lintToo, 0.7), saying("c", lintThree, 0.5), other}
		if c.change != nil {
			c.change(list)
		}
		at := slices.IndexFunc(list, func(m Memory) bool { return m.ID == "a" })
		best, others, why := BestAlike(&list[at], list)
		ids := ""
		for i := range others {
			ids += others[i].ID
		}
		if best.ID != c.best || ids != c.others || why != c.why {
			t.Errorf("%s: %q and %q, want %q and %q; %s", c.name, best.ID, ids, c.best, c.others, why)
		}
	}
}

// TestOnlyDoublesOfTheBestGo: what is like the one under the cursor, but not like the best
// one, stays.
func TestOnlyDoublesOfTheBestGo(t *testing.T) {
	a := saying("a", "alpha bravo charlie delta foxtrot golfer", 0.5)
	b := saying("b", "alpha bravo charlie delta hotel india", 0.9)
	c := saying("c", "charlie delta foxtrot golfer juliet kilos", 0.5)
	best, others, _ := BestAlike(&a, []Memory{a, b, c})
	if best.ID != "b" || len(others) != 1 || others[0].ID != "a" {
		t.Errorf("%s, %v", best.ID, others)
	}
	if _, others, _ = BestAlike(&a, []Memory{a, c}); len(others) != 1 {
		t.Errorf("%v", others)
	}
}
