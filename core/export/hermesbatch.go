package export

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
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
	columns: []column{
		{name: "prompt_index", kind: integerColumn}, turnColumns, {name: "metadata", kind: jsonColumn}, {name: "completed", kind: boolColumn},
		{name: "partial", kind: boolColumn}, {name: "api_calls", kind: integerColumn}, {name: "toolsets_used", kind: textsColumn},
		{name: "tool_stats", kind: jsonColumn}, {name: "tool_error_counts", kind: jsonColumn},
	},
	encode: encodeBatch,
	finish: finishBatch,
	decode: decodeBatch,
}

// encodeBatch writes a row as if it were the only one.
func encodeBatch(dst []byte, s *Sample) ([]byte, int) {
	dst = appendTurns(append(dst, `{"prompt_index": 0, "conversations": `...), s.turns())
	dst = append(append(dst, `, "metadata": `...), s.batchMetadata()...)
	answers := 0
	for i := range s.Messages {
		if s.Messages[i].Role == chat.Assistant {
			answers++
		}
	}
	completed := s.Completed == nil || *s.Completed
	dst = fmt.Appendf(dst, `, "completed": %t, "partial": %t, "api_calls": %d`, completed, s.recordedIs("partial", "true"), answers)
	if used := s.recordedField("toolsets_used"); used.Kind() == isList && string(used) != "[]" {
		dst = append(append(dst, `, "toolsets_used": `...), used...)
	}
	names, stats := s.toolStats()
	return appendStats(dst, names, stats), 1
}

// batchMetadata returns what a batch run has recorded of the sample, or what
// it would have.
func (s *Sample) batchMetadata() []byte {
	if recorded := s.recordedField("metadata"); recorded.Kind() == isObject {
		return recorded
	}
	dst := chat.AppendString([]byte(`{"timestamp": `), s.Started)
	return append(chat.AppendString(append(dst, `, "model": `...), s.Model), '}')
}

// recordedField returns a field of the session's recorded metadata on one
// line, nil if it has none.
func (s *Sample) recordedField(name string) jsontext.Value {
	if s.Metadata == "" {
		return nil
	}
	fields, err := members(jsontext.Value(s.Metadata))
	if err != nil {
		return nil
	}
	v, _ := get(fields, name)
	if len(v) == 0 || v.Kind() == 'n' || v.Compact() != nil {
		return nil
	}
	return v
}

func (s *Sample) recordedIs(name, value string) bool { return string(s.recordedField(name)) == value }

// toolStat counts the calls of a tool.
type toolStat struct{ count, failed int }

// toolStats counts the calls by tool; the names are sorted.
func (s *Sample) toolStats() (names []string, stats map[string]toolStat) {
	stats = map[string]toolStat{}
	s.steps(func(st step) {
		failed := map[string]bool{}
		for i := range st.results {
			failed[st.results[i].ToolCallID] = st.results[i].Failed
		}
		for _, c := range st.calls() {
			n, met := stats[c.Name]
			if !met {
				names = append(names, c.Name)
			}
			n.count++
			if failed[c.ID] {
				n.failed++
			}
			stats[c.Name] = n
		}
	})
	slices.Sort(names)
	return names, stats
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
		dst = chat.AppendString(append(dst, comma(i)...), name)
		dst = fmt.Appendf(dst, `: {"count": %d, "success": %d, "failure": %d}`, n.count, n.count-n.failed, n.failed)
	}
	dst = append(dst, `}, "tool_error_counts": {`...)
	for i, name := range names {
		dst = chat.AppendString(append(dst, comma(i)...), name)
		dst = strconv.AppendInt(append(dst, ':', ' '), int64(stats[name].failed), 10)
	}
	return append(dst, '}', '}', '\n')
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ", "
}

var (
	batchRecord = shape{
		{"prompt_index", isNumber}, {"conversations", isList}, {"metadata", isObject}, {"completed", isBool}, {"partial", isBool},
		{"api_calls", isNumber}, {"toolsets_used?", isList}, {"tool_stats?", isObject}, {"tool_error_counts?", isObject},
	}
	statShape = shape{{"count", isNumber}, {"success", isNumber}, {"failure", isNumber}}
)

// finishBatch numbers a row and has it count all tools of the export.
func finishBatch(dst, line []byte, all *Whole) []byte {
	row, err := batchRecord.read(jsontext.Value(line))
	if err != nil {
		return append(dst, line...) // encodeBatch wrote it
	}
	stats, err := readStats(row)
	if err != nil {
		return append(dst, line...)
	}
	names := slices.Clone(all.Tools)
	for name := range stats {
		if _, known := slices.BinarySearch(all.Tools, name); !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	dst = strconv.AppendInt(append(dst, `{"prompt_index": `...), int64(all.Index), 10)
	for _, f := range batchRecord[1:7] {
		key := f.key
		if key == "toolsets_used?" {
			key = "toolsets_used"
		}
		if v, has := row[key]; has {
			dst = append(append(append(dst, `, "`...), key...), `": `...)
			dst = append(dst, v...)
		}
	}
	return appendStats(dst, names, stats)
}

// readStats reads the counts of a row.
func readStats(row values) (map[string]toolStat, error) {
	stats := map[string]toolStat{}
	if row["tool_stats"] == nil {
		return stats, nil
	}
	counts, err := members(row["tool_stats"])
	if err != nil {
		return nil, err
	}
	for _, c := range counts {
		n, err := statShape.read(c.value)
		if err != nil {
			return nil, fmt.Errorf("tool %q: %w", c.name, err)
		}
		var at toolStat
		at.count, _ = strconv.Atoi(string(n["count"]))
		at.failed, _ = strconv.Atoi(string(n["failure"]))
		stats[c.name] = at
	}
	return stats, nil
}

func decodeBatch(record jsontext.Value, _ int) (*Sample, error) {
	row, err := batchRecord.read(record)
	if err != nil {
		return nil, err
	}
	completed := string(row["completed"]) == "true"
	s := &Sample{Completed: &completed}
	if err := s.readTurns(row["conversations"], true); err != nil {
		return nil, err
	}
	if string(appendTurns(nil, s.turns())) != string(row["conversations"]) {
		return nil, errNotAsWritten
	}
	return s, checkBatch(row, s)
}

// checkBatch checks the counts of a row against its conversation and against
// each other.
func checkBatch(row values, s *Sample) error {
	written, err := readStats(row)
	if err != nil {
		return err
	}
	_, called := s.toolStats()
	for name, n := range called {
		if written[name].count != n.count {
			return fmt.Errorf("%d calls of %q are counted as %d", n.count, name, written[name].count)
		}
	}
	names := make([]string, 0, len(written))
	for name, n := range written {
		if called[name].count != n.count {
			return fmt.Errorf("no call of %q is counted as %d", name, n.count)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	tail := "}\n"
	if len(names) > 0 {
		tail = `, "tool_stats": ` + string(row["tool_stats"]) + `, "tool_error_counts": ` + string(row["tool_error_counts"]) + tail
	}
	if string(appendStats(nil, names, written)) != tail {
		return errNotAsWritten
	}
	return nil
}
