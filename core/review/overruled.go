package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Standing is what curators say of a segment now.
type Standing struct {
	ID       string
	Verdict  Verdict
	Stale    bool
	Reviewer string // "" for pending ones
	Tags     []string
}

// verdictOf is a verdict and whose it is.
type verdictOf struct {
	by      string // "" is nobody known
	verdict Verdict
}

// Overruled are the verdicts that others take the place of, with the number of
// segments that have them.
type Overruled map[verdictOf]int

// Add counts a segment with a verdict if another one is given. Nothing takes
// the place of pending.
func (o Overruled) Add(by string, was, is Verdict) {
	if was != is && was.Judged() {
		o[verdictOf{by, was}]++
	}
}

// overruledShown is how many verdicts are told one by one.
const overruledShown = 3

// Text says which verdicts they are, "" for none: "1 that Bob had rejected and 2
// that you had approved". count writes a number.
func (o Overruled) Text(you string, count func(int) string) string {
	var list []verdictOf
	for v := range o {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b verdictOf) int {
		return cmp.Or(cmp.Compare(o[b], o[a]), cmp.Compare(a.by, b.by), cmp.Compare(a.verdict, b.verdict))
	})
	var parts []string
	more := 0
	for i, v := range list {
		if i >= overruledShown {
			more += o[v]
			continue
		}
		who, done := v.by, string(v.verdict)
		switch who {
		case you:
			who = "you"
		case "":
			who = "somebody"
		}
		if v.verdict == Unsure {
			done = "marked unsure"
		}
		parts = append(parts, fmt.Sprintf("%s that %s had %s", count(o[v]), who, done))
	}
	if more > 0 {
		parts = append(parts, count(more)+" more that were judged")
	}
	if len(parts) == 0 {
		return ""
	}
	last := len(parts) - 1
	return strings.TrimPrefix(strings.Join(parts[:last], ", ")+" and "+parts[last], " and ")
}
