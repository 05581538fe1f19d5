package learn

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"winnow/core/metric"
)

// Column is one thing that is known of segments, and what it weighs.
type Column struct {
	Kind string `json:"kind"` // what is looked at; with Name it is unique
	Name string `json:"name"`
	// Mean and Scale are of the segments that were learned from: a weight is that
	// of Scale, about a standard deviation, above Mean.
	Mean   float64 `json:"mean"`
	Scale  float64 `json:"scale"`
	Weight float64 `json:"weight"` // in logarithms of odds
}

// kind is a kind of columns.
type kind struct {
	name string
	// trust is how much a column of it may weigh before there is much evidence:
	// of those of which there are many, most say nothing.
	trust float64
	// most is how many columns it may have, the commonest; 0 is any number.
	most int
	// each calls put for what is known of a segment. What it does not call put
	// for is 0, or if the kind is centred, like the mean.
	each    func(f *Facts, put func(name string, value float64))
	centred bool
	phrase  func(name string, f *Facts, v float64, present bool) string
}

// kinds are looked at in this order.
var kinds = []kind{
	{name: "count", trust: 1, each: counts, centred: true, phrase: countPhrase},
	{name: "share", trust: 1, each: shares, centred: true, phrase: countPhrase},
	{name: "metric", trust: 1, each: measures, centred: true, phrase: metricPhrase},
	{name: "unmeasured", trust: .5, each: unmeasured, phrase: unmeasuredPhrase},
	{name: "flag", trust: .7, phrase: flagPhrase, each: func(f *Facts, put func(string, float64)) {
		for _, name := range f.Flags {
			put(name, 1)
		}
	}},
	{name: "type", trust: .5, phrase: having("type", ""), each: func(f *Facts, put func(string, float64)) { put(f.TaskType, 1) }},
	{name: "model", trust: .5, most: 8, phrase: having("by", ""), each: func(f *Facts, put func(string, float64)) { put(f.Model, 1) }},
	{name: "tool", trust: .5, most: 24, phrase: having("calls", "never calls"), each: func(f *Facts, put func(string, float64)) {
		for i := range f.Tools {
			put(f.Tools[i].Name, 1)
		}
	}},
}

// counts are logarithms: twice as long is as much from 10 messages as from 100.
func counts(f *Facts, put func(string, float64)) {
	for i := range counted {
		put(counted[i].name, math.Log1p(float64(max(counted[i].of(f), 0))))
	}
}

// counted are what is counted of a segment.
var counted = []struct {
	name string
	of   func(f *Facts) int
}{
	{"messages", func(f *Facts) int { return f.Messages }},
	{"turns", func(f *Facts) int { return f.Turns }},
	{"tokens", func(f *Facts) int { return f.Tokens }},
	{"tool calls", func(f *Facts) int { return f.ToolCalls }},
	{"failures", func(f *Facts) int { return f.ToolFails }},
	{"errors", func(f *Facts) int { return f.Errors }},
	{"exits", func(f *Facts) int { return f.Exits }},
	{"tools", func(f *Facts) int { return len(f.Tools) }},
}

func shares(f *Facts, put func(string, float64)) {
	if f.Messages > 0 {
		put("tokens a message", math.Log1p(float64(max(f.Tokens, 0))/float64(f.Messages)))
		put("reasoning", float64(f.Reasonings)/float64(f.Messages))
		put("media", float64(f.Media)/float64(f.Messages))
	}
	if f.ToolCalls > 0 {
		put("failures of calls", min(1, float64(f.ToolFails)/float64(f.ToolCalls)))
	}
}

// metrics are the names of Facts.Measures, which cost their list each time.
var metrics = metric.Names()

func measures(f *Facts, put func(string, float64)) {
	for i, name := range metrics {
		if i < len(f.Measures) && f.Measures[i] <= metric.ScoreUnit {
			put(name, float64(f.Measures[i])/metric.ScoreUnit)
		}
	}
}

func unmeasured(f *Facts, put func(string, float64)) {
	for i, name := range metrics {
		if f.Scored && (i >= len(f.Measures) || f.Measures[i] > metric.ScoreUnit) {
			put(name, 1)
		}
	}
}

// rare is how many segments must differ from the others in a column, for it to
// be looked at, and leastScale the scale of one in which most are equal: a fact
// that is seen once or twice says little, however it turned out.
const (
	rare       = 3
	leastScale = .25
)

// farthest is how many scales from the mean a value counts at most: nobody knows
// whether what is far beyond all that was judged goes on in the same way.
const farthest = 2.5

// sums are what is learned of a column before it is one.
type sums struct {
	n           int // segments with a value
	set         int // of them other than 0
	sum, square float64
}

// columnsOf returns the columns that tell examples apart, without weights.
func columnsOf(list []*Example) (columns []Column) {
	for _, k := range kinds {
		found := map[string]*sums{}
		for i := range list {
			k.each(&list[i].Facts, func(name string, value float64) {
				if name == "" {
					return
				}
				s := found[name]
				if s == nil {
					s = new(sums)
					found[name] = s
				}
				s.n++
				if value != 0 {
					s.set++
				}
				s.sum += value
				s.square += value * value
			})
		}
		var of []Column
		common := map[string]int{}
		for _, name := range slices.Sorted(maps.Keys(found)) {
			s := found[name]
			n := float64(len(list))
			if k.centred {
				n = float64(s.n)
			}
			mean := s.sum / n
			scale := math.Sqrt(max(0, s.square/n-mean*mean))
			if s.n < rare || !k.centred && min(s.set, len(list)-s.set) < rare || scale < 1e-6 {
				continue
			}
			if name == "" || strings.ContainsRune(name, 0) {
				continue
			}
			common[name] = min(s.set, len(list)-s.set)
			of = append(of, Column{Kind: k.name, Name: name, Mean: mean, Scale: max(scale, leastScale) / k.trust})
		}
		if k.most > 0 && len(of) > k.most {
			slices.SortStableFunc(of, func(a, b Column) int { return cmp.Compare(common[b.Name], common[a.Name]) })
			of = of[:k.most]
			slices.SortFunc(of, func(a, b Column) int { return cmp.Compare(a.Name, b.Name) })
		}
		columns = append(columns, of...)
	}
	return columns
}

// encoder turns facts into values of columns.
type encoder struct {
	columns []Column
	at      []map[string]int // of each kind, by name
}

func newEncoder(columns []Column) *encoder {
	e := &encoder{columns: columns}
	for _, k := range kinds {
		at := map[string]int{}
		for i := range columns {
			if columns[i].Kind == k.name {
				at[columns[i].Name] = i
			}
		}
		e.at = append(e.at, at)
	}
	return e
}

// each calls put for the columns whose value is not 0. Values are of their
// Scale; those of centred columns are above the mean.
func (e *encoder) each(f *Facts, put func(column int, value float64)) {
	for i := range kinds {
		k, at := &kinds[i], e.at[i]
		if len(at) == 0 {
			continue
		}
		k.each(f, func(name string, value float64) {
			j, ok := at[name]
			if !ok {
				return
			}
			if k.centred {
				value -= e.columns[j].Mean
			}
			if value != 0 {
				put(j, min(max(value/e.columns[j].Scale, -farthest), farthest))
			}
		})
	}
}
