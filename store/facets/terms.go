package facets

import (
	"cmp"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"time"

	"winnow/core/filter"
	"winnow/core/metric"
)

// facetTerm returns which of the slots in a term lets through.
type facetTerm = func(f *columns, t *filter.Term, in rowSet) (rowSet, error)

// facetTerms has one row for each field.
var facetTerms = map[filter.Field]facetTerm{
	filter.Agent:     wordTerm(func(f *columns) *words { return &f.agent }),
	filter.Status:    wordTerm(func(f *columns) *words { return &f.verdict }),
	filter.Type:      wordTerm(func(f *columns) *words { return &f.kind }),
	filter.Cut:       wordTerm(func(f *columns) *words { return &f.cut }),
	filter.Reviewer:  wordTerm(func(f *columns) *words { return &f.reviewer }),
	filter.Note:      partTerm(func(f *columns) *words { return &f.note }),
	filter.Topic:     topicTerm,
	filter.Flag:      listTerm(func(f *columns) *words { return &f.flags }),
	filter.Tool:      listTerm(func(f *columns) *words { return &f.tools }),
	filter.Tag:       listTerm(func(f *columns) *words { return &f.tags }),
	filter.Score:     scoreTerm,
	filter.Turns:     countTerm(func(f *columns) []int32 { return f.turns }),
	filter.Messages:  countTerm(func(f *columns) []int32 { return f.messages }),
	filter.ToolCalls: countTerm(func(f *columns) []int32 { return f.toolCalls }),
	filter.ToolFails: countTerm(func(f *columns) []int32 { return f.toolFails }),
	filter.Tokens:    countTerm(func(f *columns) []int64 { return f.tokens }),
	filter.After:     dayTerm(func(f *columns) []int64 { return f.recorded }),
	filter.Before:    dayTerm(func(f *columns) []int64 { return f.recorded }),
	filter.Reviewed:  dayTerm(func(f *columns) []int64 { return f.reviewed }),
	filter.Metric:    metricTerm,
	filter.Has:       hasTerm,
	filter.IDField:   idTerm,
	filter.Session:   sessionTerm,
	filter.Format: sessionWordTerm(func(s *sessionFacets) *words { return &s.format }, func(text, value string) bool {
		return text == value
	}),
	filter.Model: sessionWordTerm(func(s *sessionFacets) *words { return &s.model }, func(text, value string) bool {
		return strings.Contains(filter.Fold(text), filter.Fold(value))
	}),
	filter.File: fileTerm,
}

func wordTerm(of func(*columns) *words) facetTerm {
	return func(f *columns, t *filter.Term, in rowSet) (rowSet, error) { return of(f).is(in, t.Value), nil }
}

// partTerm looks for a part of a text without regard to case.
func partTerm(of func(*columns) *words) facetTerm {
	return func(f *columns, t *filter.Term, in rowSet) (rowSet, error) {
		part := filter.Fold(t.Value)
		return of(f).where(in, func(text string) bool { return strings.Contains(filter.Fold(text), part) }), nil
	}
}

func topicTerm(f *columns, t *filter.Term, in rowSet) (rowSet, error) {
	return f.topic.containing(in, []byte(filter.Fold(t.Value))), nil
}

func listTerm(of func(*columns) *words) facetTerm {
	return func(f *columns, t *filter.Term, in rowSet) (rowSet, error) {
		item := "\n" + filter.ListItem(t.Value) + "\n"
		return of(f).where(in, func(text string) bool { return strings.Contains(text, item) }), nil
	}
}

func sessionWordTerm(of func(*sessionFacets) *words, passes func(text, value string) bool) facetTerm {
	return func(f *columns, t *filter.Term, in rowSet) (rowSet, error) {
		return f.whereSessionWord(in, of(&f.sessions), func(text string) bool { return passes(text, t.Value) }), nil
	}
}

func fileTerm(f *columns, t *filter.Term, in rowSet) (rowSet, error) {
	part := filter.Fold(t.Value)
	return f.whereSession(in, func(n int32) bool { return f.sessions.file[n] != "" && strings.Contains(f.sessions.folded[n], part) }), nil
}

func sessionTerm(f *columns, t *filter.Term, in rowSet) (rowSet, error) {
	prefix := strings.ToLower(t.Value)
	return f.whereSession(in, func(n int32) bool { return f.sessions.id[n] != "" && strings.HasPrefix(f.sessions.id[n], prefix) }), nil
}

func idTerm(f *columns, t *filter.Term, in rowSet) (rowSet, error) {
	prefix := strings.ToLower(t.Value)
	// Two digits are a byte, which rules out most ids.
	var first [1]byte
	_, err := hex.Decode(first[:], []byte(prefix[:min(2, len(prefix))]))
	return in.where(func(slot int32) bool {
		return (err != nil || f.id[slot][0] == first[0]) && strings.HasPrefix(f.id[slot].String(), prefix)
	}), nil
}

func hasTerm(f *columns, t *filter.Term, in rowSet) (rowSet, error) {
	marked := func(mark Marks) (rowSet, error) {
		return in.where(func(slot int32) bool { return f.marks[slot]&mark != 0 }), nil
	}
	some := func(c *words) (rowSet, error) {
		return in.where(func(slot int32) bool { return c.at[slot] != 0 }), nil
	}
	switch t.Value {
	case "think":
		return marked(MarkThink)
	case "image":
		return marked(MarkImage)
	case "stale":
		return marked(MarkStale)
	case "edit":
		return marked(MarkEdit)
	case "note":
		return some(&f.note)
	case "tag":
		return some(&f.tags)
	case "tools":
		return whereSpan(in, f.toolCalls, span[int32]{lo: 1, hi: math.MaxInt32}), nil
	case "error":
		return whereSpan(in, f.toolFails, span[int32]{lo: 1, hi: math.MaxInt32}), nil
	case "copies":
		return f.whereSession(in, func(n int32) bool { return f.sessions.copied[n] }), nil
	}
	return nil, errNoFacet
}

// span are the values from lo to hi, or, if not is set, all others.
type span[T cmp.Ordered] struct {
	lo, hi T
	not    bool
}

// whereSpan returns the slots whose value lies in a span. The caller has taken
// out those without a value if there are any.
func whereSpan[T cmp.Ordered](in rowSet, column []T, s span[T]) rowSet {
	if s.not {
		return in.where(func(slot int32) bool { return column[slot] < s.lo || column[slot] > s.hi })
	}
	return in.where(func(slot int32) bool { return column[slot] >= s.lo && column[slot] <= s.hi })
}

// numbersOf returns the numbers that a term lets through.
func numbersOf(t *filter.Term) span[float64] {
	low, high := math.Inf(-1), math.Inf(1)
	switch t.Op {
	case filter.NotEqual:
		return span[float64]{t.Num, t.Num, true}
	case filter.Less:
		return span[float64]{lo: low, hi: math.Nextafter(t.Num, low)}
	case filter.LessEqual:
		return span[float64]{lo: low, hi: t.Num}
	case filter.Greater:
		return span[float64]{lo: math.Nextafter(t.Num, high), hi: high}
	case filter.GreaterEqual:
		return span[float64]{lo: t.Num, hi: high}
	case filter.Between:
		return span[float64]{lo: t.Num, hi: t.Max}
	}
	return span[float64]{lo: t.Num, hi: t.Num}
}

// wholeOf returns the whole numbers in a span.
func wholeOf[T int32 | int64](s span[float64], lowest, highest T) span[T] {
	whole := span[T]{lo: lowest, hi: highest, not: s.not}
	lo, hi := math.Ceil(s.lo), math.Floor(s.hi)
	if lo > hi || lo >= float64(highest) || hi <= float64(lowest) {
		whole.lo, whole.hi = highest, lowest // none
		if s.not {
			whole.lo, whole.hi = lowest, highest
			whole.not = false
		}
		return whole
	}
	if lo > float64(lowest) {
		whole.lo = T(lo)
	}
	if hi < float64(highest) {
		whole.hi = T(hi)
	}
	return whole
}

func countTerm[T int32 | int64](of func(*columns) []T) facetTerm {
	return func(f *columns, t *filter.Term, in rowSet) (rowSet, error) {
		return whereSpan(in, of(f), wholeOf(numbersOf(t), lowest[T](), highest[T]())), nil
	}
}

func highest[T int32 | int64]() T {
	if top := int64(math.MaxInt64); int64(T(top)) == top {
		return T(top)
	}
	top := int64(math.MaxInt32)
	return T(top)
}

func lowest[T int32 | int64]() T { return -highest[T]() - 1 }

func scoreTerm(f *columns, t *filter.Term, in rowSet) (rowSet, error) {
	s := numbersOf(t)
	if s.not { // NaN is in no span and outside of none
		return in.where(func(slot int32) bool { return f.score[slot] < s.lo || f.score[slot] > s.hi }), nil
	}
	return whereSpan(in, f.score, s), nil
}

func metricTerm(f *columns, t *filter.Term, in rowSet) (rowSet, error) {
	at := slices.Index(metric.Names(), t.Metric)
	if at < 0 {
		return nil, errNoFacet
	}
	s := numbersOf(t)
	passes := make([]bool, metric.Unmeasured+1)
	for unit := range metric.ScoreUnit + 1 {
		x := float64(unit) / metric.ScoreUnit
		passes[unit] = (x >= s.lo && x <= s.hi) != s.not
	}
	column := f.metrics[at]
	return in.where(func(slot int32) bool { return passes[column[slot]] }), nil
}

// dayTerm compares times, of which a filter names stretches: one lies before a
// stretch, in it, or behind it.
func dayTerm(of func(*columns) []int64) facetTerm {
	return func(f *columns, t *filter.Term, in rowSet) (rowSet, error) {
		column := of(f)
		s := timesOf(t)
		return in.where(func(slot int32) bool {
			at := column[slot]
			return at != Never && (at >= s.lo && at < s.hi) != s.not
		}), nil
	}
}

// timesOf returns the microseconds that a term lets through: from lo, before hi.
func timesOf(t *filter.Term) span[int64] {
	from, to := microsOf(t.Date.From), microsOf(t.Date.To)
	const first, last = Never, math.MaxInt64
	switch op := t.Op; {
	case t.Field == filter.After && (op == filter.Is || op == filter.Equal), op == filter.GreaterEqual:
		return span[int64]{lo: from, hi: last}
	case t.Field == filter.Before && (op == filter.Is || op == filter.Equal), op == filter.Less:
		return span[int64]{lo: first, hi: from}
	case op == filter.Greater:
		return span[int64]{lo: to, hi: last}
	case op == filter.LessEqual:
		return span[int64]{lo: first, hi: to}
	case op == filter.NotEqual:
		return span[int64]{lo: from, hi: to, not: true}
	case op == filter.Between:
		return span[int64]{lo: from, hi: microsOf(t.Last.To)}
	}
	return span[int64]{lo: from, hi: to}
}

// microsOf returns a time as columns have it.
func microsOf(t time.Time) int64 {
	if t.IsZero() {
		return Never
	}
	return t.UnixMicro()
}
