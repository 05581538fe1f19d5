package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"winnow/core/filter"
	"winnow/core/review"
)

// verdictOf is a verdict and whose it is.
type verdictOf struct {
	by      string // "" is nobody known
	verdict review.Verdict
}

// overruled are the verdicts that another one takes the place of, with the
// number of segments that have them.
type overruled map[verdictOf]int

// wouldOverrule returns the verdicts that one on all segments which pass a
// filter takes the place of.
func wouldOverrule(ctx context.Context, s *database, n filter.Node, by review.Verdict) (overruled, error) {
	o := overruled{}
	for _, v := range review.Verdicts {
		if v == by || v == review.Pending {
			continue
		}
		within := filter.All(n, review.HasVerdict(v))
		counts, err := s.Count(ctx, within)
		if err != nil {
			return nil, err
		}
		if counts.Segments == 0 {
			continue
		}
		reviewers, err := s.Values(ctx, filter.Reviewer, "", within, counts.Segments)
		if err != nil {
			return nil, err
		}
		left := counts.Segments
		for _, r := range reviewers {
			o[verdictOf{r.Value, v}] = r.Count
			left -= r.Count
		}
		if left > 0 {
			o[verdictOf{"", v}] = left
		}
	}
	return o, nil
}

// overruledBy returns the verdicts that a journal entry took the place of.
func overruledBy(e *review.Entry) overruled {
	o := overruled{}
	for i := range e.Changes {
		c := &e.Changes[i]
		if v := c.Before.Verdict; v != c.After.Verdict && v != review.Pending {
			o[verdictOf{c.Before.Reviewer, v}]++
		}
	}
	return o
}

// overruledShown is how many verdicts are told one by one.
const overruledShown = 3

// text says which verdicts they are, behind a number of segments, "" for none:
// ", of them 1 that Bob had rejected and 2 that you had approved".
func (o overruled) text(you string) string {
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
		if v.verdict == review.Unsure {
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
	return ", of them " + strings.TrimPrefix(strings.Join(parts[:last], ", ")+" and "+parts[last], " and ")
}
