package train

import "fmt"

// Kin finds out which models a run comes from: its base, and the results of runs that it
// goes on from. A run from the same base as an earlier one is taken to follow it: what
// one run taught, a model writes and the next run trains. earlier are runs before it,
// names the models that runs made.
func Kin(r *Run, earlier []Run, names map[string]int64) func(model string) bool {
	of := make(map[int64]*Run, len(earlier))
	kin := map[int64]bool{}
	for i := range earlier {
		e := &earlier[i]
		if of[e.ID] = e; e.ID < r.ID && e.Base == r.Base && r.Base != "" {
			kin[e.ID] = true
		}
	}
	seen := map[int64]bool{}
	next := []int64{r.Parent, names[r.Base]}
	for len(next) > 0 {
		id := next[0]
		if next = next[1:]; id == 0 || id >= r.ID || seen[id] {
			continue
		}
		kin[id], seen[id] = true, true
		if e := of[id]; e != nil {
			next = append(next, e.Parent, names[e.Base])
		}
	}
	return func(model string) bool {
		id, made := names[model]
		return model != "" && (made && kin[id] || model == r.Base)
	}
}

// SelfTaught warns if most samples of a run were written by its kin: what a model gets
// wrong, it teaches itself. samples are counts by the model that wrote them. "" is no
// warning.
func SelfTaught(samples map[string]int, kin func(model string) bool) string {
	own, all := 0, 0
	for model, n := range samples {
		if all += n; kin(model) {
			own += n
		}
	}
	if own*2 <= all {
		return ""
	}
	return fmt.Sprintf("%d of %d samples were written by models that this one comes from: it learns from itself", own, all)
}
