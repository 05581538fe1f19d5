package store

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"winnow/core/filter"
	"winnow/core/metric"
)

// fieldSQL returns the condition of a term on a row of task_segments. It reads only
// columns of task_segments_facets, so that no row itself is looked at.
type fieldSQL func(t *filter.Term) (condition, error)

// fields has one row for each field of the language.
var fields = map[filter.Field]fieldSQL{
	filter.Status:    equals("verdict"),
	filter.Score:     number("score"),
	filter.Type:      equals("task_type"),
	filter.Topic:     contains("topic"),
	filter.Agent:     equals("agent_id"),
	filter.Model:     ofSession(contains("model")),
	filter.Format:    ofSession(equals("format")),
	filter.File:      ofSession(contains("session_file")),
	filter.Session:   ofSession(beginsWith),
	filter.Tool:      hasTool,
	filter.Tag:       hasTag,
	filter.Note:      contains("note"),
	filter.Reviewer:  equals("reviewer"),
	filter.Cut:       equals("cut_by"),
	filter.Flag:      hasFlag,
	filter.Turns:     number("turns"),
	filter.Messages:  number("messages"),
	filter.Tokens:    number("tokens"),
	filter.ToolCalls: number("tool_calls"),
	filter.ToolFails: number("tool_fails"),
	filter.After:     recordedAfter,
	filter.Before:    recordedBefore,
	filter.Reviewed:  day("reviewed_at"),
	filter.IDField:   beginsWith,
	filter.Metric:    measured,
	filter.Has:       has,
}

// hasSQL are the values of has:.
var hasSQL = map[string]string{
	"think":  "reasonings > 0",
	"tools":  "tool_calls > 0",
	"error":  "tool_fails > 0",
	"image":  "media > 0",
	"note":   "note <> ''",
	"tag":    "tags <> ''",
	"stale":  "stale",
	"edit":   "named OR cut_by = 'curator'",
	"copies": "body IN (SELECT body FROM trajectory_records WHERE id IN (SELECT c.session_id FROM copies c WHERE NOT " + joinedSQL + "))",
}

func has(t *filter.Term) (condition, error) {
	text, ok := hasSQL[t.Value]
	if !ok {
		return condition{}, fmt.Errorf("unknown value %q", t.Value)
	}
	return condition{text: text}, nil
}

// ofSession is a condition on the row of the segment's session.
func ofSession(of fieldSQL) fieldSQL {
	return func(t *filter.Term) (condition, error) {
		c, err := of(t)
		c.text = "body IN (SELECT body FROM trajectory_records INDEXED BY trajectory_records_facets WHERE " + c.text + ")"
		return c, err
	}
}

// equals compares a text that is "" if it is missing.
func equals(column string) fieldSQL {
	return func(t *filter.Term) (condition, error) {
		return condition{column + " = ? AND " + column + " <> ''", []any{t.Value}}, nil
	}
}

// beginsWith is the beginning of an id.
func beginsWith(t *filter.Term) (condition, error) {
	from, to := idsWith(t.Value)
	return condition{"id >= ? AND id < ?", []any{from, to}}, nil
}

// compared are the operators of numbers as SQL knows them.
var compared = map[filter.Op]string{
	filter.Is: "=", filter.Equal: "=", filter.NotEqual: "<>", filter.Less: "<", filter.LessEqual: "<=",
	filter.Greater: ">", filter.GreaterEqual: ">=",
}

// number compares a number, NULL if it is missing.
func number(column string) fieldSQL {
	return func(t *filter.Term) (condition, error) {
		known := column + " IS NOT NULL AND " + column
		if t.Op == filter.Between {
			return condition{known + " BETWEEN ? AND ?", []any{t.Num, t.Max}}, nil
		}
		op, ok := compared[t.Op]
		if !ok {
			return condition{}, fmt.Errorf("unknown operator %q", t.Op)
		}
		return condition{known + " " + op + " ?", []any{t.Num}}, nil
	}
}

// measured compares the score of a metric. Its two bytes are in an order that
// is that of the numbers.
func measured(t *filter.Term) (condition, error) {
	i := slices.Index(metric.Names(), t.Metric)
	if i < 0 {
		return condition{}, fmt.Errorf("unknown metric %q", t.Metric)
	}
	from, to, err := stepsOf(t)
	if err != nil {
		return condition{}, err
	}
	value := fmt.Sprintf("substr(measures, %d, 2)", 2*i+1)
	known := "measures IS NOT NULL AND length(measures) >= " + fmt.Sprint(2*i+2) + " AND " + value + " < x'FFFF' AND "
	if from > to {
		if t.Op == filter.NotEqual {
			return condition{text: strings.TrimSuffix(known, " AND ")}, nil
		}
		return condition{text: "0"}, nil
	}
	not := ""
	if t.Op == filter.NotEqual {
		not = "NOT "
	}
	return condition{known + value + " " + not + "BETWEEN ? AND ?", []any{twoBytes(from), twoBytes(to)}}, nil
}

func twoBytes(n int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(n)) }

// stepsOf returns the scores, in ten-thousandths, that a term is about: those
// that it lets through, or with NotEqual those that it does not. There is none
// if from is greater than to.
func stepsOf(t *filter.Term) (from, to int, err error) {
	// The first score that is not below x, and the first one above it. Both are
	// compared as numbers, as all scores are.
	at := func(x float64) int { return firstStep(func(s float64) bool { return s >= x }) }
	above := func(x float64) int { return firstStep(func(s float64) bool { return s > x }) }
	switch t.Op {
	case filter.Is, filter.Equal, filter.NotEqual:
		return at(t.Num), above(t.Num) - 1, nil
	case filter.Less:
		return 0, at(t.Num) - 1, nil
	case filter.LessEqual:
		return 0, above(t.Num) - 1, nil
	case filter.Greater:
		return above(t.Num), metric.ScoreUnit, nil
	case filter.GreaterEqual:
		return at(t.Num), metric.ScoreUnit, nil
	case filter.Between:
		return at(t.Num), above(t.Max) - 1, nil
	}
	return 0, 0, fmt.Errorf("unknown operator %q", t.Op)
}

// firstStep returns the first of the scores, in ten-thousandths, from which on
// f holds, one more than there are if it does for none.
func firstStep(f func(score float64) bool) int {
	from, to := 0, metric.ScoreUnit+1
	for from < to {
		if mid := (from + to) / 2; f(float64(mid) / metric.ScoreUnit) {
			to = mid
		} else {
			from = mid + 1
		}
	}
	return from
}

// hasFlag and hasTool look for a name between the separators of derived.
func hasFlag(t *filter.Term) (condition, error) {
	return condition{"instr(flags, ?) > 0", []any{"\n" + filter.ListItem(t.Value) + "\n"}}, nil
}

func hasTool(t *filter.Term) (condition, error) {
	return condition{"instr(tools, ?) > 0", []any{"\n" + filter.ListItem(t.Value) + "\t"}}, nil
}

// hasTag reads the JSON list only where the tag's text is in it.
func hasTag(t *filter.Term) (condition, error) {
	quoted, err := json.Marshal(t.Value)
	if err != nil {
		return condition{}, err
	}
	const text = "tags <> '' AND instr(tags, ?) > 0 AND EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)"
	return condition{text, []any{string(quoted), t.Value}}, nil
}

// Times are text of one width, so that their order is that of the text.
func recordedAfter(t *filter.Term) (condition, error) {
	return condition{"recorded IS NOT NULL AND recorded >= ?", []any{stampWithin(t.Date.From)}}, nil
}

func recordedBefore(t *filter.Term) (condition, error) {
	return condition{"recorded IS NOT NULL AND recorded < ?", []any{stampWithin(t.Date.From)}}, nil
}

// day compares a time, NULL if it is missing, with a stretch of time.
func day(column string) fieldSQL {
	return func(t *filter.Term) (condition, error) {
		known := column + " IS NOT NULL AND " + column
		from, to := stampWithin(t.Date.From), stampWithin(t.Date.To)
		switch t.Op {
		case filter.Is, filter.Equal:
			return condition{known + " >= ? AND " + column + " < ?", []any{from, to}}, nil
		case filter.NotEqual:
			return condition{column + " IS NOT NULL AND (" + column + " < ? OR " + column + " >= ?)", []any{from, to}}, nil
		case filter.Less:
			return condition{known + " < ?", []any{from}}, nil
		case filter.LessEqual:
			return condition{known + " < ?", []any{to}}, nil
		case filter.Greater:
			return condition{known + " >= ?", []any{to}}, nil
		case filter.GreaterEqual:
			return condition{known + " >= ?", []any{from}}, nil
		case filter.Between:
			return condition{known + " >= ? AND " + column + " < ?", []any{from, stampWithin(t.Last.To)}}, nil
		}
		return condition{}, fmt.Errorf("unknown operator %q", t.Op)
	}
}
