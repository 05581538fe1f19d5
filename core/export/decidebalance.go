package export

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// balance leaves out what there is too much of. Of each task type those with
// the best scores stay, of equal ones those whose id comes first: a choice that
// has nothing to do with where they were recorded.
//
// A sample without a task type was never scored. It counts as a type of its own
// for Balance.Most; Even and Shares, which are about proportions, leave it out.
func (d *decision) balance(b *Balance) {
	types := map[string][]int{}
	for i := range d.rows {
		if d.stays(i) {
			name := d.rows[i].taskType
			types[name] = append(types[name], i)
		}
	}
	names := slices.Sorted(maps.Keys(types))
	switch {
	case b.Even:
		d.keepEven(names, types)
	case b.Most > 0:
		for _, name := range names {
			d.keepBest(types[name], b.Most)
		}
	case b.Shares != nil:
		d.keepShares(names, types, b.Shares)
	}
}

// keepEven keeps as many of each type as there are of the rarest.
func (d *decision) keepEven(names []string, types map[string][]int) {
	fewest := math.MaxInt
	for _, name := range names {
		if name != "" {
			fewest = min(fewest, len(types[name]))
		}
	}
	for _, name := range names {
		if name == "" {
			d.leaveOutAll(types[name], "it was not scored and has no task type")
			continue
		}
		d.keepBest(types[name], fewest)
	}
}

// keepShares keeps the most samples of which each type can have its share.
func (d *decision) keepShares(names []string, types map[string][]int, shares map[string]float64) {
	total, missing := math.Inf(1), ""
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		if n := len(types[name]); n > 0 {
			total = min(total, float64(n)/shares[name])
		} else if missing == "" {
			missing = name
		}
	}
	for _, name := range names {
		switch share, wanted := shares[name]; {
		case !wanted && name == "":
			d.leaveOutAll(types[name], "it was not scored and has no task type")
		case !wanted:
			d.leaveOutAll(types[name], "type %s has no share", name)
		case missing != "":
			d.leaveOutAll(types[name], "type %s has a share, and there is no sample of it", missing)
		default:
			d.keepBest(types[name], int(math.Round(total*share)))
		}
	}
}

// keepBest keeps the n best of a type.
func (d *decision) keepBest(of []int, n int) {
	if len(of) <= n {
		return
	}
	slices.SortFunc(of, func(i, j int) int {
		return cmp.Or(d.byScore(i, j), cmp.Compare(d.rows[i].sample, d.rows[j].sample))
	})
	if name := d.rows[of[0]].taskType; name != "" {
		d.leaveOutAll(of[n:], "more than the %d wanted of type %s", n, name)
	} else {
		d.leaveOutAll(of[n:], "more than the %d wanted without a task type", n)
	}
}

func (d *decision) leaveOutAll(list []int, format string, args ...any) {
	for _, i := range list {
		d.leaveOut(i, OutBalance, format, args...)
	}
}
