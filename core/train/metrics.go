package train

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	mostName   = 100     // bytes of the name of a metric
	mostStarts = 8       // places in a line at which metrics may begin
	mostStep   = 1 << 53 // what a float64 tells exactly
)

// steps are the names of what is no metric, but a step. Swift prints '5/93'.
var steps = []string{"step", "global_step", "global_step/max_steps"}

// ParseMetrics reads the values of metrics in a line that a trainer wrote: an object of
// JSON, or a dict as Python prints one, which may stand after a progress bar. step is the
// last one seen, next is that after the line: the step that the line tells, else the next
// one. told says that the line told it.
func ParseMetrics(line string, step int) (points []Point, next int, told bool) {
	m := metricsIn(line)
	if m == nil {
		return nil, step, false
	}
	next = step + 1
	for _, name := range steps {
		if at, ok := stepOf(m[name]); ok {
			next, told = at, true
			break
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if v, ok := number(m[name]); ok && name != "" && len(name) <= mostName && !slices.Contains(steps, name) {
			points = append(points, Point{Step: next, Name: name, Value: v})
		}
	}
	if len(points) == 0 {
		return nil, step, false
	}
	return points, next, told
}

// metricsIn is the object of a line, nil if there is none of metrics. What Python prints
// may be anything, such as the arguments of a trainer: of metrics one tells how far it
// is, or the loss.
func metricsIn(line string) map[string]any {
	for range mostStarts {
		at := strings.IndexByte(line, '{')
		if at < 0 {
			return nil
		}
		m, rest, ok := dict(line[at:])
		if line = line[at+1:]; !ok {
			continue
		}
		if at == 0 && strings.HasPrefix(strings.TrimSpace(line), `"`) && strings.TrimSpace(rest) == "" {
			return m
		}
		for name := range m {
			if name == "epoch" || strings.Contains(name, "loss") || slices.Contains(steps, name) {
				return m
			}
		}
		line = rest
	}
	return nil
}

// number is a value that is one, or a text of one, as some versions of Transformers
// print them.
func number(v any) (float64, bool) {
	f, ok := v.(float64)
	if text, is := v.(string); is && text != "" {
		var err error
		f, err = strconv.ParseFloat(text, 64)
		ok = err == nil
	}
	return f, ok && !math.IsNaN(f) && !math.IsInf(f, 0)
}

func stepOf(v any) (int, bool) {
	if text, ok := v.(string); ok {
		v, _, _ = strings.Cut(text, "/")
	}
	f, ok := number(v)
	if !ok || f < 0 || f > mostStep || f != math.Trunc(f) {
		return 0, false
	}
	return int(f), true
}

// Result is what a trainer says that it made.
type Result struct {
	Model, Checkpoint string
	Metrics           map[string]float64
}

// ParseResult reads what a trainer says that it made: an object with model, checkpoint
// and metrics, of which each may be missing.
func ParseResult(data []byte) (Result, error) {
	m, rest, ok := dict(string(data))
	if !ok || strings.TrimSpace(rest) != "" {
		return Result{}, fmt.Errorf(`must be an object such as {"model": "out", "metrics": {"loss": 0.5}}, and is %s`, begin(string(data)))
	}
	var r Result
	for name, into := range map[string]*string{"model": &r.Model, "checkpoint": &r.Checkpoint} {
		text, is := m[name].(string)
		if m[name] != nil && !is {
			return Result{}, fmt.Errorf("%s must be a text", name)
		}
		*into = text
	}
	r.Metrics = numbers(m["metrics"])
	return r, nil
}

// ParseEval reads what an evaluation says in its last line: an object with metrics and,
// if it is known, of how many cases.
func ParseEval(line string) (metrics map[string]float64, n int, err error) {
	m, rest, ok := dict(strings.TrimSpace(line))
	if metrics = numbers(m["metrics"]); !ok || rest != "" || len(metrics) == 0 {
		return nil, 0, fmt.Errorf(`the last line must be such as {"metrics": {"pass": 0.62}, "n": 200}, and is %s`, begin(line))
	}
	if m["n"] != nil {
		if n, ok = stepOf(m["n"]); !ok {
			return nil, 0, errors.New("n must be a number of cases")
		}
	}
	return metrics, n, nil
}

// numbers are the values of an object that are numbers, nil if none is.
func numbers(v any) map[string]float64 {
	m, _ := v.(map[string]any)
	var list map[string]float64
	for name, v := range m {
		if f, ok := number(v); ok && name != "" && len(name) <= mostName {
			if list == nil {
				list = map[string]float64{}
			}
			list[name] = f
		}
	}
	return list
}

// begin is the beginning of a text, quoted.
func begin(text string) string {
	const most = 60
	if text = strings.TrimSpace(text); text == "" {
		return "empty"
	}
	if len(text) <= most {
		return strconv.Quote(text)
	}
	end := most
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strconv.Quote(text[:end]) + "…"
}

// LastLoss returns the last point of the loss that matters most: one of that name, else
// the first whose name has it. points are by name and step.
func LastLoss(points []Point) (last Point, found bool) {
	for i := range points {
		p := &points[i]
		switch {
		case p.Name == "loss", p.Name == last.Name, !found && strings.Contains(p.Name, "loss"):
			if found && last.Name == "loss" && p.Name != "loss" {
				continue
			}
			last, found = *p, true
		}
	}
	return last, found
}
