package store

import (
	"encoding/binary"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/filter"
	"winnow/core/metric"
)

// derived are the columns that lists filter by, as they come out of an
// analysis: they are written in the same statement as quality_metrics.
type derived struct {
	score    *float64 // nil: none
	taskType string
	flags    string    // "\nname\nname\n", "" none
	tools    string    // "\nname\tcount\tfailures\terrors\texits\n…", "" none; the last two are left out where failures are errors, and all
	measures []byte    // two bytes per metric, nil without an analysis
	recorded time.Time // zero: unknown
	errors   int       // tool results by outcome; until that is known, all that the recorder says failed are errors
	exits    int
}

// derive reads the analysis JSON of a segment with so many tool results that
// failed by what was recorded. Of an analysis that can't be read nothing is known.
func derive(analysis string, failed int) derived {
	if analysis == "" {
		return derived{errors: failed}
	}
	a, err := metric.Parse(analysis)
	if err != nil {
		return derived{errors: failed}
	}
	if a.Version == metric.Version {
		return derivedFrom(&a)
	}
	for name, s := range a.ToolStats { // an earlier version knows no outcomes
		s.Errors, s.Exits = s.Failure, 0
		a.ToolStats[name] = s
	}
	d := derivedFrom(&a)
	d.errors, d.exits = failed, 0
	return d
}

// timeOf reads when an analysis began, zero if that is unknown or out of what
// stamp.Layout can hold.
func timeOf(began string) time.Time {
	when, err := time.Parse(time.RFC3339, began)
	if err != nil || when.UTC().Year() < 1 || when.UTC().Year() > 9999 {
		return time.Time{}
	}
	return when.UTC()
}

// derivedFrom is derive for an analysis that was read.
func derivedFrom(a *metric.Analysis) derived {
	d := derived{
		score: a.Summary.OverallScore, taskType: string(a.Summary.TaskType), flags: flagsText(a.Flags),
		tools: toolsText(a.ToolStats), measures: measuresOf(a.Metrics), recorded: timeOf(a.Began),
	}
	d.errors, d.exits = a.Outcomes()
	return d
}

func flagsText(flags []metric.Flag) string {
	if len(flags) == 0 {
		return ""
	}
	var b strings.Builder
	for _, f := range flags {
		b.WriteString("\n" + filter.ListItem(string(f)))
	}
	return b.String() + "\n"
}

func toolsText(stats map[string]metric.ToolStat) string {
	if len(stats) == 0 {
		return ""
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(stats)) {
		s := stats[name]
		b.WriteString("\n" + filter.ListItem(name) + "\t" + strconv.Itoa(s.Count) + "\t" + strconv.Itoa(s.Failure))
		if s.Errors != s.Failure || s.Exits > 0 {
			b.WriteString("\t" + strconv.Itoa(s.Errors) + "\t" + strconv.Itoa(s.Exits))
		}
	}
	return b.String() + "\n"
}

// toolCounts is what a list of tools tells of one.
type toolCounts struct{ calls, failures, errors, exits int }

// eachTool yields the names and counts of a list that toolsText wrote. The names are
// items of lists, and parts of the list.
func eachTool(list string) iter.Seq2[string, toolCounts] {
	return func(yield func(string, toolCounts) bool) {
		if list == "" {
			return
		}
		for line := range strings.SplitSeq(strings.Trim(list, "\n"), "\n") {
			name, counts, _ := strings.Cut(line, "\t")
			var n toolCounts
			for _, to := range []*int{&n.calls, &n.failures, &n.errors, &n.exits} {
				var text string
				text, counts, _ = strings.Cut(counts, "\t")
				if text == "" { // errors are all failures
					n.errors = n.failures
					break
				}
				*to, _ = strconv.Atoi(text)
			}
			if !yield(name, n) {
				return
			}
		}
	}
}

// measuresOf returns the scores in the order of metric.Names.
func measuresOf(metrics map[string]*metric.Value) []byte {
	names := metric.Names()
	b := make([]byte, 0, 2*len(names))
	for _, name := range names {
		n := uint16(metric.Unmeasured)
		if v := metrics[name]; v != nil {
			n = uint16(math.Round(min(max(v.Score, 0), 1) * metric.ScoreUnit))
		}
		b = binary.BigEndian.AppendUint16(b, n)
	}
	return b
}

const derivedColumns = "flags, tools, measures, recorded, errors, exits"

// derivedFields are the columns that no field of review.Segment holds.
func derivedFields(d *derived) []any {
	return []any{&d.flags, &d.tools, &d.measures, timeIn(&d.recorded), &d.errors, &d.exits}
}
