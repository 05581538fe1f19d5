package metric

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Analysis is all that is known about the quality of a segment. Its JSON is
// the truth about score and type of task: what lists filter by comes from it.
type Analysis struct {
	Version int    `json:"version"` // of the JSON: Version
	Scorer  string `json:"scorer"`  // Offline or Judged
	Model   string `json:"model"`   // that judged, "" without one
	// Start is the number of the segment's first message when it was
	// analysed: reasons name messages by the numbers of that time. 0 is unknown.
	Start int `json:"start"`
	// Began is when the first message that has a time was written, as RFC 3339
	// in UTC, "" if none has one.
	Began   string  `json:"began,omitzero"`
	Summary Summary `json:"summary"`
	// Metrics holds a value for each metric that applies and nil for one that
	// does not. One that is switched off, or that nobody asked for, is not in
	// it. Names that this program does not know are kept.
	Metrics   map[string]*Value   `json:"metrics"`
	Flags     []Flag              `json:"flags"` // in the order of Flags
	ToolStats map[string]ToolStat `json:"tool_stats"`

	// Unknown are members of the JSON that this program does not know, as they
	// were read.
	Unknown map[string]jsontext.Value `json:",embed"`
}

// Outcomes counts the tool results that are errors, and those that report a
// failure of what ran.
func (a *Analysis) Outcomes() (errors, exits int) {
	for _, s := range a.ToolStats {
		errors += s.Errors
		exits += s.Exits
	}
	return errors, exits
}

// Rescore sets the overall score and what it rests on from the metrics.
func (a *Analysis) Rescore() {
	a.Summary.OverallScore = Overall(slices.Collect(maps.Values(a.Metrics))...)
	a.Summary.Evidence = Evidence{Of: len(a.Metrics)}
	for _, v := range a.Metrics {
		if v != nil {
			a.Summary.Evidence.Applies++
		}
	}
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
func (a *Analysis) MetricNames() []string { return inOrder(a.Metrics) }

func inOrder(metrics map[string]*Value) []string {
	known := Names()
	place := func(name string) uint { return uint(slices.Index(known, name)) } // of others the last
	return slices.SortedFunc(maps.Keys(metrics), func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
	})
}

// Encode returns the JSON of the analysis: on one line, members in a fixed
// order, the same bytes for the same analysis. Unknown members that were read
// at the top level follow the others; those inside of other members are not
// kept.
func (a *Analysis) Encode() string {
	text, err := json.Marshal(a, lenient, json.Deterministic(true), jsontext.PreserveRawStrings(true), json.WithMarshalers(metricsInOrder))
	if err != nil {
		panic("core/metric: " + err.Error()) // all that it holds can be written
	}
	return string(text)
}

// lenient is how an analysis is read that others may have written.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// metricsInOrder writes metrics in their order, each reason on one line.
var metricsInOrder = json.MarshalToFunc(func(e *jsontext.Encoder, metrics map[string]*Value) error {
	err := e.WriteToken(jsontext.BeginObject)
	for _, name := range inOrder(metrics) {
		v := metrics[name]
		if v != nil {
			v = &Value{v.Score, v.Weight, oneLine(v.Reason)}
		}
		err = cmp.Or(err, e.WriteToken(jsontext.String(name)), json.MarshalEncode(e, v))
	}
	return cmp.Or(err, e.WriteToken(jsontext.EndObject))
})

// oneLine folds white space, so that a reason is one line whoever wrote it.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
