package metric

import (
	"context"
	"strconv"

	"winnow/core/chat"
)

// Input is a segment as a model judges it.
type Input struct {
	Start, End int // message numbers
	// Each calls f for messages from..to (inclusive) of the segment in order,
	// as often as it is called; a message is valid during the call, its texts
	// stay. It stops at the first error of f and returns it.
	Each func(ctx context.Context, from, to int, f func(*chat.Message) error) error
	// Measured is what the measured metrics say of these messages.
	Measured Analysis
}

// TakeJudged adds what a model said of the same messages: the judged metrics of
// another analysis, with the weights of c, its type of task, summary and model.
// Messages that reasons cite are named by a's numbers then.
func (a *Analysis) TakeJudged(from *Analysis, c Config) {
	by := 0
	if a.Start > 0 && from.Start > 0 {
		by = a.Start - from.Start
	}
	if a.Metrics == nil {
		a.Metrics = map[string]*Value{}
	}
	for _, about := range List() {
		v, there := from.Metrics[about.Name]
		weight := c.Weight(about.Name)
		if !about.Judged || !there || weight == 0 {
			continue
		}
		a.Metrics[about.Name] = nil
		if v != nil {
			a.Metrics[about.Name] = &Value{v.Score, weight, ShiftCites(v.Reason, by)}
		}
	}
	a.Scorer, a.Model = from.Scorer, from.Model
	a.Summary.TaskType, a.Summary.Reason = from.Summary.TaskType, ShiftCites(from.Summary.Reason, by)
	a.Rescore()
}

// ShiftCites returns a reason whose citations are greater by that number: the
// segment has moved. Those that would be below 1 stay as they are.
func ShiftCites(reason string, by int) string {
	if by == 0 {
		return reason
	}
	var out []byte
	at := 0
	for _, c := range Cites(reason) {
		if c.N+by < 1 {
			continue
		}
		out = append(out, reason[at:c.From]...)
		out = strconv.AppendInt(append(out, '#'), int64(c.N+by), 10)
		at = c.To
	}
	return string(append(out, reason[at:]...))
}
