// Package learn finds out what a curator means by good: from segments that were
// approved and rejected it learns how likely others would be approved, by a ridge
// logistic regression over what is known of them.
//
// It is pure: facts and verdicts go in, a Model comes out, which is plain data
// with its figures, and says in words why it believes what it does. The same
// verdicts give the same bytes, in whatever order they come. A Model decides
// nothing.
package learn

import (
	"cmp"
	"hash/fnv"
	"io"
	"math"
	"slices"

	"winnow/core/review"
)

// Version is that of Model: what an older one says is learned again.
const Version = 1

// Least is how many approved segments, and how many rejected ones, it takes to
// learn anything.
const Least = 15

// leastSessions is how many sessions they must be of: figures are those of
// sessions that were not learned from.
const leastSessions = 5

// Facts are what is known of a segment.
type Facts struct {
	review.Tally
	Errors   int      // tool results that are one, until it is scored what was recorded as one
	Exits    int      // tool results that report a failure of what was run
	Scored   bool     // Measures and Flags are known
	Measures []uint16 // by the order of metric.Names, in steps of metric.ScoreUnit; metric.Unmeasured
	Flags    []string
	Tools    []Tool
	TaskType string // "" unknown
	Model    string // that wrote it, "" unknown
}

// Tool is what became of the calls of a tool.
type Tool struct {
	Name     string
	Calls    int
	Failures int
}

// Example is a segment with its verdict.
type Example struct {
	ID       string // unique
	Session  string // examples of one session are never learned from and predicted at once
	Approved bool
	Facts
}

// Model is what was learned. Its zero value knows nothing.
type Model struct {
	Version  int `json:"version"`
	Approved int `json:"approved"` // verdicts that it was made of
	Rejected int `json:"rejected"`
	Sessions int `json:"sessions"` // that they are of
	// Nothing says why nothing can be learned, "" if something was.
	Nothing string `json:"nothing,omitzero"`
	Figures
	Penalty   float64  `json:"penalty,omitzero"` // of the ridge, chosen by cross-validation
	Intercept float64  `json:"intercept"`        // calibrated, as the weights are
	Columns   []Column `json:"columns"`          // in a fixed order, without those of no weight
}

// Figures say how well verdicts on sessions that were not learned from are
// foretold.
type Figures struct {
	// AUC is the chance that of an approved and a rejected segment the approved
	// one is believed to be likelier: 0.5 is a coin's.
	AUC float64 `json:"auc"`
	// Brier is the mean square of what the beliefs miss, 0 for none; Base is
	// that of believing the share of approved ones of every segment.
	Brier float64 `json:"brier"`
	Base  float64 `json:"base"`
	// Bands compare beliefs with verdicts, in steps of a tenth or wider; those
	// without a segment are left out.
	Bands []Band `json:"bands,omitzero"`
}

// Band are segments that were believed to be about as likely.
type Band struct {
	From     float64 `json:"from"` // of the belief
	To       float64 `json:"to"`
	Segments int     `json:"segments"`
	Believed float64 `json:"believed"` // on the average
	Approved int     `json:"approved"` // of Segments
}

// Knows reports whether the model says anything of segments.
func (m *Model) Knows() bool { return m.Version == Version && m.Nothing == "" && len(m.Columns) > 0 }

// Learn learns from examples, in whatever order they are.
func Learn(examples []Example) Model {
	list := shuffled(examples)
	m := Model{Version: Version}
	sessions := map[string]bool{}
	for i := range list {
		sessions[list[i].Session] = true
		if list[i].Approved {
			m.Approved++
		} else {
			m.Rejected++
		}
	}
	m.Sessions = len(sessions)
	if m.Nothing = tooFew(&m); m.Nothing != "" {
		return m
	}
	d := newData(list)
	v := d.validate()
	m.Penalty, m.Figures = v.penalty, v.figures
	if d.looksRandom(m.AUC, list) {
		m.Nothing = unforetold
		return m
	}
	m.Intercept = digits(v.shift + v.slope*v.fit[0])
	for j, c := range d.columns {
		if c.Weight = digits(v.slope * v.fit[j+1]); c.Weight != 0 {
			c.Mean, c.Scale = digits(c.Mean), digits(c.Scale)
			m.Columns = append(m.Columns, c)
		}
	}
	if len(m.Columns) == 0 {
		m.Nothing = unforetold
	}
	return m
}

// shuffled puts examples in an order that depends on nothing but their ids, and has
// the same of all kinds at its beginning as at its end.
func shuffled(examples []Example) []*Example {
	type one struct {
		hash uint64
		of   *Example
	}
	order := make([]one, len(examples))
	for i := range examples {
		h := fnv.New64a()
		io.WriteString(h, examples[i].ID)
		order[i] = one{h.Sum64(), &examples[i]}
	}
	slices.SortFunc(order, func(a, b one) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.of.ID, b.of.ID)) })
	list := make([]*Example, len(order))
	for i := range order {
		list[i] = order[i].of
	}
	return list
}

// digits keeps six significant ones: what is stored is what is believed by.
func digits(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	unit := math.Pow(10, 5-math.Floor(math.Log10(math.Abs(x))))
	if x = math.Round(x*unit) / unit; math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}
