package export

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/export/table"
	"winnow/core/rawjson"
)

// batchRuns is the format of Hermes' batch runner: trajectories with counts of
// the tools. All rows count all tools of the export, so that loaders see one
// schema.
var batchRuns = Emitter{
	Name:        "hermes-batch",
	Description: "Hermes batch runs: trajectories with counts of the tools",
	Losses:      trajectories.Losses,
	unmarked:    true,
	apart:       true,
	asRecorded:  true,
	reserved:    trajectoryTags,
	skips:       trajectories.skips,
	own:         trajectories.own,
	reasoned:    true,
	columns: []table.Column{
		{Name: "prompt_index", Kind: table.Integer}, turnColumns, {Name: "metadata", Kind: table.JSON}, {Name: "completed", Kind: table.Bool},
		{Name: "partial", Kind: table.Bool}, {Name: "api_calls", Kind: table.Integer}, {Name: "toolsets_used", Kind: table.Texts},
		{Name: "tool_stats", Kind: table.JSON}, {Name: "tool_error_counts", Kind: table.JSON},
	},
	lacks:  []lack{noEnd, {"notoolsets", []string{"toolsets_used"}, func(s *Sample) bool { return s.toolsets() == nil }}},
	encode: encodeBatch,
	finish: finishBatch,
	decode: decodeTrajectory,
	same:   sameBatch,
}

// encodeBatch writes a row as if it were the only one. What a batch run has
// recorded is kept where the sample is all that it ran.
func encodeBatch(dst []byte, s *Sample) ([]byte, int) {
	dst = append(dst, '{')
	if index := s.recordedCount("prompt_index"); index != "" {
		dst = append(append(append(dst, `"prompt_index": `...), index...), ", "...)
	}
	dst = appendTurns(append(dst, `"conversations": `...), s.turns())
	dst = append(append(dst, `, "metadata": `...), s.batchMetadata()...)
	if s.Completed != nil {
		dst = fmt.Appendf(dst, `, "completed": %t`, *s.Completed)
	}
	dst = fmt.Appendf(dst, `, "partial": %t, "api_calls": %s`, s.recordedIs("partial", "true"), s.apiCalls())
	if used := s.toolsets(); used != nil {
		dst = append(append(dst, `, "toolsets_used": `...), used...)
	}
	names, stats := s.toolStats()
	return appendStats(dst, names, stats), 1
}

// toolsets are those that a batch run had, nil if it tells of none.
func (s *Sample) toolsets() jsontext.Value {
	if used := s.recordedField("toolsets_used"); used.Kind() == isList && (s.asRecorded || string(used) != "[]") {
		return used
	}
	return nil
}

// apiCalls returns how often the model was asked: as recorded, or once for each
// of its answers.
func (s *Sample) apiCalls() string {
	if recorded := s.recordedCount("api_calls"); recorded != "" && s.isWhole() {
		return recorded
	}
	return strconv.Itoa(s.answers())
}

func (s *Sample) answers() (n int) {
	for range s.assistants {
		n++
	}
	return n
}

// isWhole reports whether all that a model said in the session is in the
// sample.
func (s *Sample) isWhole() bool { return s.said > 0 && s.said == s.answers() }

// batchMetadata returns what a batch run has recorded of the sample, or what
// it would have.
func (s *Sample) batchMetadata() []byte {
	if recorded := s.recordedField("metadata"); recorded.Kind() == isObject {
		return recorded
	}
	dst := rawjson.AppendString([]byte(`{"timestamp": `), s.started())
	return append(rawjson.AppendString(append(dst, `, "model": `...), s.Model), '}')
}

// started is when the session began: as recorded if that is a text, to its last
// digit and without a zone that was not there.
func (s *Sample) started() string {
	if at := s.recordedText("timestamp"); at != "" {
		return at
	}
	if at, err := unquote(rawjson.Get(s.recordedField("metadata"), "timestamp")); err == nil && at != "" {
		return at
	}
	return s.Started
}

// recordedCount returns a field of the session's recorded metadata that is a
// whole number, "" if it has none.
func (s *Sample) recordedCount(name string) string {
	v := s.recordedField(name)
	if _, err := strconv.ParseInt(string(v), 10, 64); err != nil {
		return ""
	}
	return string(v)
}

// recordedField returns a field of the session's recorded metadata on one
// line, nil if it has none.
func (s *Sample) recordedField(name string) jsontext.Value {
	if s.Metadata == "" {
		return nil
	}
	object, _ := checked(jsontext.Value(s.Metadata), '{')
	v := rawjson.Get(object, name)
	if len(v) == 0 || v.Kind() == 'n' || v.Compact() != nil {
		return nil
	}
	return v
}

func (s *Sample) recordedIs(name, value string) bool { return string(s.recordedField(name)) == value }

// toolStat counts the calls of a tool.
type toolStat struct{ count, success, failure, errors int64 }

// toolStats counts the calls by tool; the names are sorted. Tools that a batch
// run has counted are among them, and its counts hold for a sample that is all
// that it ran.
func (s *Sample) toolStats() (names []string, stats map[string]toolStat) {
	stats = map[string]toolStat{}
	for st := range s.steps {
		failed := map[string]bool{}
		for i := range st.results {
			failed[st.results[i].ToolCallID] = st.results[i].Failed
		}
		for _, c := range st.calls() {
			n := stats[c.Name]
			n.count++
			if failed[c.ID] {
				n.failure, n.errors = n.failure+1, n.errors+1
			} else {
				n.success++
			}
			stats[c.Name] = n
		}
	}
	recorded := map[string]toolStat{}
	if s.isWhole() {
		recorded = stats
	}
	readStats(recorded, s.recordedField("tool_stats"), s.recordedField("tool_error_counts"))
	for name := range recorded {
		if _, known := stats[name]; !known {
			stats[name] = toolStat{}
		}
	}
	return slices.Sorted(maps.Keys(stats)), stats
}

// readStats sets counts that were written. What is not in the form of batch
// runs is left out.
func readStats(stats map[string]toolStat, written, errors jsontext.Value) {
	counts, _ := members(written)
	for _, c := range counts {
		if n := numbersOf(c.value, "count", "success", "failure"); n != nil {
			stats[c.name] = toolStat{n[0], n[1], n[2], n[2]}
		}
	}
	counts, _ = members(errors)
	for _, c := range counts {
		if c.value.Kind() == isNumber {
			at := stats[c.name]
			at.errors = countOf(c.value)
			stats[c.name] = at
		}
	}
}

// numbersOf returns the members of an object that has numbers with these names
// in this order, nil for any other.
func numbersOf(object jsontext.Value, names ...string) (numbers []int64) {
	fields, err := members(object)
	if err != nil || len(fields) != len(names) {
		return nil
	}
	for i, f := range fields {
		if f.name != names[i] || f.value.Kind() != isNumber {
			return nil
		}
		numbers = append(numbers, countOf(f.value))
	}
	return numbers
}

func countOf(v jsontext.Value) int64 {
	n, _ := strconv.ParseInt(string(v), 10, 64)
	return n
}

// appendStats appends the counts of all named tools and ends the row. Without
// any tool the columns are left out: tables have none without fields.
func appendStats(dst []byte, names []string, stats map[string]toolStat) []byte {
	if len(names) == 0 {
		return append(dst, '}', '\n')
	}
	dst = append(dst, `, "tool_stats": {`...)
	for i, name := range names {
		n := stats[name]
		dst = rawjson.AppendString(append(dst, comma(i)...), name)
		dst = fmt.Appendf(dst, `: {"count": %d, "success": %d, "failure": %d}`, n.count, n.success, n.failure)
	}
	dst = append(dst, `}, "tool_error_counts": {`...)
	for i, name := range names {
		dst = rawjson.AppendString(append(dst, comma(i)...), name)
		dst = strconv.AppendInt(append(dst, ':', ' '), stats[name].errors, 10)
	}
	return append(dst, '}', '}', '\n')
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ", "
}

// finishBatch numbers a row that has no number and has it count all tools of
// the export.
func finishBatch(dst, line []byte, index int, tools []string) []byte {
	fields, err := members(jsontext.Value(line))
	if err != nil {
		return append(dst, line...) // encodeBatch wrote it
	}
	dst = append(dst, '{')
	if fields[0].name != "prompt_index" {
		dst = strconv.AppendInt(append(dst, `"prompt_index": `...), int64(index), 10)
	}
	stats := map[string]toolStat{}
	var counts [2]jsontext.Value
	for _, f := range fields {
		switch f.name {
		case "tool_stats":
			counts[0] = f.value
		case "tool_error_counts":
			counts[1] = f.value
		default:
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ", "...)
			}
			dst = append(append(append(append(dst, '"'), f.name...), `": `...), f.value...)
		}
	}
	readStats(stats, counts[0], counts[1])
	for _, name := range tools {
		if _, known := stats[name]; !known {
			stats[name] = toolStat{}
		}
	}
	return appendStats(dst, slices.Sorted(maps.Keys(stats)), stats)
}

// sameBatch takes what only who ran the batch knows from the record itself, and
// the conversation and the counts as they are written: all tools that the
// conversation calls are counted, in both maps.
func sameBatch(record jsontext.Value, s *Sample) error {
	own := *s
	own.Metadata, own.said = string(record), s.answers()
	conversation := appendTurns(append([]byte{'{'}, `"conversations": `...), s.turns())
	names, stats := own.toolStats()
	switch {
	case own.recordedCount("prompt_index") == "",
		!bytes.Contains(record, conversation[1:]),
		!bytes.HasSuffix(append(record.Clone(), '\n'), appendStats(nil, names, stats)):
		return errNotAsWritten
	}
	return sameValue(encodeBatch)(record, &own)
}
