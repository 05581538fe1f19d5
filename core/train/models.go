package train

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Judged is what became of segments: their verdicts, scores and calls of tools.
type Judged struct {
	Segments                              int
	Approved, Rejected, Unsure, Undecided int
	Scored                                int
	Scores                                int64 // their sum, in ten-thousandths
	Calls, Failed                         int   // of tools
}

// Add adds others.
func (j *Judged) Add(o *Judged) {
	j.Segments, j.Scored, j.Scores, j.Calls, j.Failed = j.Segments+o.Segments, j.Scored+o.Scored, j.Scores+o.Scores, j.Calls+o.Calls, j.Failed+o.Failed
	j.Approved, j.Rejected, j.Unsure, j.Undecided = j.Approved+o.Approved, j.Rejected+o.Rejected, j.Unsure+o.Unsure, j.Undecided+o.Undecided
}

// Judged is how many were approved or rejected.
func (j *Judged) Judged() int { return j.Approved + j.Rejected }

// Approval is the share of approved ones of those that were judged, and in what interval
// that of all such segments lies; ok is false if none was judged.
func (j *Judged) Approval() (share, low, high float64, ok bool) {
	n := j.Judged()
	low, high = Wilson(j.Approved, n)
	return float64(j.Approved) / float64(max(n, 1)), low, high, n > 0
}

// ApprovalText is Approval in percent, such as 82% [69–90].
func (j *Judged) ApprovalText() string {
	share, low, high, ok := j.Approval()
	if !ok {
		return "–"
	}
	return fmt.Sprintf("%.0f%% [%.0f–%.0f]", 100*share, 100*low, 100*high)
}

// Score is the mean score; ok is false if nothing is scored.
func (j *Judged) Score() (mean float64, ok bool) {
	return float64(j.Scores) / 1e4 / float64(max(j.Scored, 1)), j.Scored > 0
}

// Failures is the share of calls of tools that failed; ok is false if there are none.
func (j *Judged) Failures() (share float64, ok bool) {
	return float64(j.Failed) / float64(max(j.Calls, 1)), j.Calls > 0
}

// OfType is what became of segments of a type of task.
type OfType struct {
	Type string
	Judged
}

// OfModel is what became of the segments that a model wrote.
type OfModel struct {
	Names []string // that sessions have for it, "" if that is unknown
	Run   int64    // that made it, 0 if none did
	Base  bool     // a run began with it
	Judged
	Types []OfType // the most frequent first
}

// Name is what the model is called: after its run, if there is one.
func (m *OfModel) Name() string {
	if m.Run > 0 {
		return fmt.Sprint("run ", m.Run)
	}
	return m.Names[0]
}

// Wrote is what became of segments of one type that a model wrote.
type Wrote struct {
	Model, Type string
	Judged
}

// ByModel puts together what models wrote: those that have a name of one run are one,
// which is the run's. names are those of runs, bases the models that runs began with;
// case is no matter. The models with the most segments come first.
func ByModel(list []Wrote, names map[string]int64, bases []string) []OfModel {
	runs, base := map[string]int64{}, map[string]bool{}
	for name, run := range names {
		key := strings.ToLower(name)
		runs[key] = max(runs[key], run)
	}
	for _, name := range bases {
		base[strings.ToLower(name)] = true
	}
	type key struct {
		run  int64
		name string
	}
	at := map[key]int{}
	var all []OfModel
	for i := range list {
		w := &list[i]
		name := strings.ToLower(w.Model)
		k := key{run: runs[name]}
		if k.run == 0 {
			k.name = name
		}
		n, ok := at[k]
		if !ok {
			n = len(all)
			at[k], all = n, append(all, OfModel{Run: k.run, Base: k.run == 0 && base[name]})
		}
		all[n].add(w)
	}
	slices.SortFunc(all, func(a, b OfModel) int {
		return cmp.Or(b.Segments-a.Segments, strings.Compare(a.Name(), b.Name()))
	})
	return all
}

func (m *OfModel) add(w *Wrote) {
	if !slices.Contains(m.Names, w.Model) {
		m.Names = append(m.Names, w.Model)
		slices.Sort(m.Names)
	}
	m.Add(&w.Judged)
	i := slices.IndexFunc(m.Types, func(t OfType) bool { return t.Type == w.Type })
	if i < 0 {
		i = len(m.Types)
		m.Types = append(m.Types, OfType{Type: w.Type})
	}
	m.Types[i].Add(&w.Judged)
	slices.SortFunc(m.Types, func(a, b OfType) int { return cmp.Or(b.Segments-a.Segments, strings.Compare(a.Type, b.Type)) })
}
