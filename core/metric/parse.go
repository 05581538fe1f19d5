package metric

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
)

// ErrNewer says that an analysis was written by a newer program.
var ErrNewer = errors.New("was written by a newer version of this program")

// Parse reads the JSON of an analysis. What is missing is zero; a type of task
// that is not known is Other. Scores and weights out of range, another shape
// and a newer version (ErrNewer) are errors.
func Parse(text string) (Analysis, error) {
	var a Analysis
	if err := json.Unmarshal([]byte(text), &a, lenient); err != nil {
		return Analysis{}, fmt.Errorf("the analysis cannot be read (score the segment again): %w", err)
	}
	if _, ok := ParseTaskType(string(a.Summary.TaskType)); !ok {
		a.Summary.TaskType = Other
	}
	return a, a.check()
}

// Current reports whether the text is an analysis of this Version, which need
// not be made anew.
func Current(text string) bool {
	a, err := Parse(text)
	return err == nil && a.Version == Version
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
