package metric

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/rawjson"
)

// Analysis is all that is known about the quality of a segment. Its JSON is
// the truth about score and type of task: what lists filter by comes from it.
type Analysis struct {
	Version int    // of the JSON: Version
	Scorer  string // Offline or Judged
	Model   string // that judged, "" without one
	// Start is the number of the segment's first message when it was
	// analysed: reasons name messages by the numbers of that time. 0 is unknown.
	Start int
	// Began is when the first message that has a time was written, as RFC 3339
	// in UTC, "" if none has one.
	Began   string
	Summary Summary
	// Metrics holds a value for each metric that applies and nil for one that
	// does not. One that is switched off, or that nobody asked for, is not in
	// it. Names that this program does not know are kept.
	Metrics   map[string]*Value
	Flags     []Flag // in the order of Flags
	ToolStats map[string]ToolStat

	extra []member // of the JSON, unknown ones, as they were read
}

type member struct {
	name string
	raw  jsontext.Value
}

// Rescore sets the overall score from the metrics.
func (a *Analysis) Rescore() {
	a.Summary.OverallScore = Overall(slices.Collect(maps.Values(a.Metrics))...)
}

// Has reports whether a flag is set.
func (a *Analysis) Has(f Flag) bool { return slices.Contains(a.Flags, f) }

// FlagText lists the flags for people, "" without any.
func (a *Analysis) FlagText() string {
	names := make([]string, len(a.Flags))
	for i, f := range a.Flags {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

// MetricNames returns the names in Metrics in the order in which they are
// written: as registered, then others by name.
func (a *Analysis) MetricNames() []string {
	var names []string
	known := Names()
	for _, name := range known {
		if _, ok := a.Metrics[name]; ok {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Metrics)) {
		if !slices.Contains(known, name) {
			names = append(names, name)
		}
	}
	return names
}

// Encode returns the JSON of the analysis: on one line, members in a fixed
// order, the same bytes for the same analysis. Unknown members that were read
// at the top level follow the others; those inside of other members are not
// kept.
func (a *Analysis) Encode() string {
	e := encoder{buf: make([]byte, 0, usualSize)}
	e.open('{')
	e.key("version").int(a.Version)
	e.key("scorer").text(a.Scorer)
	e.key("model").text(a.Model)
	e.key("start").int(a.Start)
	if a.Began != "" {
		e.key("began").text(a.Began)
	}
	e.key("summary").open('{')
	e.key("overall_score")
	if s := a.Summary.OverallScore; s != nil {
		e.number(*s)
	} else {
		e.raw("null")
	}
	e.key("task_type").text(string(a.Summary.TaskType))
	e.key("reason").text(a.Summary.Reason)
	e.close('}')
	e.key("metrics").open('{')
	for _, name := range a.MetricNames() {
		e.key(name).value(a.Metrics[name])
	}
	e.close('}')
	e.key("flags").open('[')
	for _, f := range a.Flags {
		e.comma()
		e.text(string(f))
	}
	e.close(']')
	e.key("tool_stats").open('{')
	for _, name := range slices.Sorted(maps.Keys(a.ToolStats)) {
		s := a.ToolStats[name]
		e.key(name).open('{')
		e.key("count").int(s.Count)
		e.key("success").int(s.Success)
		e.key("failure").int(s.Failure)
		e.close('}')
	}
	e.close('}')
	for _, m := range a.extra {
		e.key(m.name).raw(string(m.raw))
	}
	e.close('}')
	return string(e.buf)
}

// usualSize is how many bytes most analyses take.
const usualSize = 2 << 10

// encoder writes JSON with commas where they belong.
type encoder struct {
	buf   []byte
	comes bool // a comma comes before the next member or element
}

func (e *encoder) open(bracket byte) { e.buf, e.comes = append(e.buf, bracket), false }

func (e *encoder) close(bracket byte) { e.buf, e.comes = append(e.buf, bracket), true }

func (e *encoder) comma() {
	if e.comes {
		e.buf = append(e.buf, ',')
	}
	e.comes = true
}

func (e *encoder) key(name string) *encoder {
	e.comma()
	e.buf = append(rawjson.AppendString(e.buf, name), ':')
	return e
}

func (e *encoder) raw(s string) { e.buf = append(e.buf, s...) }

func (e *encoder) text(s string) { e.buf = rawjson.AppendString(e.buf, s) }

func (e *encoder) int(n int) { e.buf = strconv.AppendInt(e.buf, int64(n), 10) }

func (e *encoder) number(x float64) { e.buf = strconv.AppendFloat(e.buf, x, 'f', -1, 64) }

func (e *encoder) value(v *Value) {
	if v == nil {
		e.raw("null")
		return
	}
	e.open('{')
	e.key("score").number(v.Score)
	e.key("weight").number(v.Weight)
	e.key("reason").text(oneLine(v.Reason))
	e.close('}')
}

// oneLine folds white space, so that a reason is one line whoever wrote it.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
