package statistics

import (
	"slices"
	"strings"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
)

func is(f filter.Field, value string) filter.Node {
	return filter.Term{Field: f, Op: filter.Is, Value: value}
}

func scoreIs(op filter.Op, x float64) filter.Node {
	return filter.Term{Field: filter.Score, Op: op, Num: x}
}

// scored lets scores of at least from through that are less than to.
func scored(from, to float64) filter.Node { return within(filter.Score, from, to) }

// within is scored of any field from 0 to 1.
func within(f filter.Field, from, to float64) filter.Node {
	least, less := filter.Term{Field: f, Op: filter.GreaterEqual, Num: from}, filter.Term{Field: f, Op: filter.Less, Num: to}
	switch {
	case to >= 1:
		return least
	case from <= 0:
		return less
	}
	return filter.All(least, less)
}

// inBand lets the scores of a band through.
func inBand(i int) filter.Node {
	const bands = float64(len(review.Statistics{}.Bands))
	if to := float64(i+1) / bands; to < 1 {
		return scored(float64(i)/bands, to)
	}
	return scored(float64(i)/bands, 2)
}

// forMemory and forTraining say what metric.Thresholds.Eligible does.
func forMemory(at metric.Thresholds) filter.Node {
	return filter.All(scoreIs(filter.GreaterEqual, at.Memory), filter.Not{Of: is(filter.Flag, string(metric.NoAssistant))})
}

func forTraining(at metric.Thresholds) filter.Node {
	var flags filter.Or
	for _, f := range metric.Blocking() {
		flags = append(flags, is(filter.Flag, string(f)))
	}
	malformed := filter.Term{Field: filter.Metric, Metric: string(metric.Format), Op: filter.Less, Num: 1}
	return filter.All(scoreIs(filter.GreaterEqual, at.SFT), filter.Not{Of: malformed}, filter.Not{Of: flags})
}

// oneOf lets a value of a field through, or what has none of the values there
// are if the name is "".
func oneOf(f filter.Field, name string) filter.Node {
	if name != "" {
		return is(f, name)
	}
	info, _ := filter.Lookup(string(f))
	var all filter.Or
	for _, v := range info.Values {
		all = append(all, is(f, v))
	}
	if len(all) < 2 {
		return is(f, "")
	}
	return filter.Not{Of: all}
}

// mostOthers bounds the names that a filter says not to mean.
const mostOthers = 12

// ofModel lets the sessions of one model through, or with "" those whose model
// is unknown. A filter finds part of a name, so that those with a longer name
// are taken out.
func ofModel(name string, all []review.Group) filter.Node {
	part := strings.ToLower(name)
	var others []string // none of them in another
	for i := range all {
		other := strings.ToLower(all[i].Name)
		within := func(s string) bool { return strings.Contains(other, s) }
		if other == part || !within(part) || slices.ContainsFunc(others, within) {
			continue
		}
		others = append(slices.DeleteFunc(others, func(s string) bool { return strings.Contains(s, other) }), other)
	}
	slices.Sort(others)
	var taken filter.Or
	for _, s := range others {
		taken = append(taken, is(filter.Model, s))
	}
	var rest filter.Node
	switch n := len(taken); {
	case n == 0:
	case n > mostOthers && name == "":
		return is(filter.Model, name)
	case n > mostOthers:
	case n == 1:
		rest = filter.Not{Of: taken[0]}
	default:
		rest = filter.Not{Of: taken}
	}
	if name == "" && rest != nil {
		return rest
	}
	return filter.All(is(filter.Model, name), rest)
}
