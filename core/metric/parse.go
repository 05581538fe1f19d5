package metric

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrNewer says that an analysis was written by a newer program.
var ErrNewer = errors.New("was written by a newer version of this program")

// lenient is how an analysis is read that others may have written.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// Parse reads the JSON of an analysis. What is missing is zero; a type of task
// that is not known is Other. Scores and weights out of range, another shape
// and a newer version (ErrNewer) are errors.
func Parse(text string) (Analysis, error) {
	var a Analysis
	var members map[string]jsontext.Value
	if err := json.Unmarshal([]byte(text), &members, lenient); err != nil || members == nil {
		return a, fmt.Errorf("the analysis is no JSON object (score the segment again): %w", orNone(err))
	}
	a.Metrics, a.ToolStats = map[string]*Value{}, map[string]ToolStat{}
	for _, known := range []struct {
		name string
		to   any
	}{
		{"version", &a.Version}, {"scorer", &a.Scorer}, {"model", &a.Model}, {"start", &a.Start}, {"began", &a.Began}, {"summary", &a.Summary},
		{"metrics", &a.Metrics}, {"flags", &a.Flags}, {"tool_stats", &a.ToolStats},
	} {
		raw, ok := members[known.name]
		delete(members, known.name)
		if !ok || raw.Kind() == 'n' {
			continue
		}
		if err := json.Unmarshal(raw, known.to, lenient); err != nil {
			return Analysis{}, fmt.Errorf("%s of the analysis (score the segment again): %w", known.name, err)
		}
	}
	for name, raw := range members {
		if raw.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) == nil {
			a.extra = append(a.extra, member{name, raw.Clone()})
		}
	}
	slices.SortFunc(a.extra, func(x, y member) int { return compare(x.name, y.name) })
	if _, ok := ParseTaskType(string(a.Summary.TaskType)); !ok {
		a.Summary.TaskType = Other
	}
	return a, a.check()
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

var errNull = errors.New("it is null")

func orNone(err error) error {
	if err == nil {
		return errNull
	}
	return err
}

// check returns what is wrong with an analysis that was read.
func (a *Analysis) check() error {
	switch {
	case a.Version > Version:
		return fmt.Errorf("the analysis %w (%d, known is %d)", ErrNewer, a.Version, Version)
	case a.Version < 1:
		return fmt.Errorf("version %d of the analysis is not known (score the segment again)", a.Version)
	}
	if s := a.Summary.OverallScore; s != nil && !unit(*s) {
		return fmt.Errorf("overall_score %v of the analysis is not from 0 to 1 (score the segment again)", *s)
	}
	for _, name := range a.MetricNames() {
		if v := a.Metrics[name]; v != nil && (!unit(v.Score) || v.Weight < 0) {
			return fmt.Errorf("%s of the analysis has the score %v and the weight %v (score the segment again)", name, v.Score, v.Weight)
		}
	}
	return nil
}

// unit reports whether a score is from 0 to 1.
func unit(x float64) bool { return x >= 0 && x <= 1 }
