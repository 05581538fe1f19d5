package memory

import (
	"cmp"
	"slices"
	"strings"
)

// Related returns the known memories that share most words with a segment, at most
// so many, the closest first. Archived ones are left out.
func Related(e *Evidence, known []Memory, most int) []Memory {
	if len(known) == 0 {
		return nil
	}
	have := map[string]bool{}
	for i := range e.Said {
		for _, t := range terms(e.Said[i].plain) {
			have[t] = true
		}
		for _, c := range e.Said[i].calls {
			for _, t := range terms(c) {
				have[t] = true
			}
		}
	}
	type near struct {
		at    int
		share float64
	}
	var found []near
	for i := range known {
		m := &known[i]
		if m.Status == Archived {
			continue
		}
		list := terms(strings.Join([]string{m.Title, m.Content, m.Context, m.Resolution}, "\n"))
		slices.Sort(list)
		list = slices.Compact(list)
		hits := 0
		for _, t := range list {
			if have[t] {
				hits++
			}
		}
		if hits > 0 {
			found = append(found, near{i, float64(hits) / float64(len(list))})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(b.share, a.share) })
	var out []Memory
	for _, f := range found[:min(len(found), most)] {
		out = append(out, known[f.at])
	}
	return out
}
