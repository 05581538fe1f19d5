package learn

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Reasons says in words what speaks for a segment and what against it, the
// weightiest first; few of each.
type Reasons struct {
	Likely  float64  `json:"likely"`
	For     []string `json:"for"`
	Against []string `json:"against"`
}

// reasonsShown is how many reasons of each side are told, and leastReason what
// one has to move, in logarithms of odds.
const (
	reasonsShown = 3
	leastReason  = .04
)

// Reasons returns why the model believes what it does of a segment. Names of tools
// and models are as they were recorded: whoever shows them cleans them.
func (p *Predictor) Reasons(f *Facts) Reasons {
	value := make([]float64, len(p.model.Columns))
	p.by.each(f, func(column int, v float64) { value[column] = v })
	type side struct {
		words string
		moves float64
	}
	var sides []side
	at := map[string]int{} // by what is said: lengths are one reason
	for j, c := range p.model.Columns {
		v := value[j]
		present := v != 0
		if !kindOf(c.Kind).centred {
			v -= c.Mean / c.Scale
		}
		words := kindOf(c.Kind).phrase(c.Name, f, v, present)
		moves := c.Weight * v
		if words == "" || moves == 0 {
			continue
		}
		if i, ok := at[words]; ok {
			sides[i].moves += moves
			continue
		}
		at[words] = len(sides)
		sides = append(sides, side{words, moves})
	}
	slices.SortStableFunc(sides, func(a, b side) int { return cmp.Compare(math.Abs(b.moves), math.Abs(a.moves)) })
	r := Reasons{Likely: p.Likely(f)}
	for _, s := range sides {
		list := &r.For
		if s.moves < 0 {
			list = &r.Against
		}
		if math.Abs(s.moves) >= leastReason && len(*list) < reasonsShown {
			*list = append(*list, s.words)
		}
	}
	return r
}

// String says it in a line: "likely .82: no failure, short; against: loop".
func (r *Reasons) String() string {
	text := "likely " + Text(r.Likely)
	if len(r.For) > 0 {
		text += ": " + strings.Join(r.For, ", ")
	}
	switch {
	case len(r.Against) == 0:
	case len(r.For) > 0:
		text += "; against: " + strings.Join(r.Against, ", ")
	default:
		text += ": against: " + strings.Join(r.Against, ", ")
	}
	return text
}

// Text writes a chance as people read it: ".82".
func Text(likely float64) string {
	return strings.TrimPrefix(fmt.Sprintf("%.2f", likely), "0")
}

func kindOf(name string) *kind {
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i]
		}
	}
	return &kind{phrase: func(string, *Facts, float64, bool) string { return "" }} // of a model that is not ours
}
