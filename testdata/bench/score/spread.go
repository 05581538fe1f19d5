package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// concordance is how often a run that succeeded is measured higher than one that
// failed, the area under the curve; equal measures count half.
func concordance(runs []recordedRun, measure func(*recordedRun) float64) float64 {
	right, pairs := 0.0, 0.0
	for i := range runs {
		for j := range runs {
			if !runs[i].good || runs[j].good {
				continue
			}
			pairs++
			switch a, b := measure(&runs[i]), measure(&runs[j]); {
			case a > b:
				right++
			case a == b:
				right += 0.5
			}
		}
	}
	if pairs == 0 {
		return 0.5
	}
	return right / pairs
}

// printSpread tells how the scores are spread.
func printSpread(list []segment, missed *int) {
	var scores []float64
	shared := map[float64]int{}
	for i := range list {
		if s := list[i].Score; s != nil {
			scores = append(scores, *s)
			shared[*s]++
		}
	}
	if len(scores) == 0 {
		return
	}
	slices.Sort(scores)
	common := slices.SortedFunc(maps.Keys(shared), func(a, b float64) int {
		return cmp.Or(cmp.Compare(shared[b], shared[a]), cmp.Compare(a, b))
	})
	part := func(score float64) float64 { return float64(shared[score]) / float64(len(scores)) }
	fmt.Printf("\n%d segments, %d of them scored, %d values. The commonest is %.4f: %.1f%% of them, goal ≤ %.0f%%%s; then",
		len(list), len(scores), len(shared), common[0], 100*part(common[0]), 100*commonGoal, note(part(common[0]) > commonGoal, missed))
	for _, score := range common[1:min(5, len(common))] {
		fmt.Printf(" %.4f (%.1f%%)", score, 100*part(score))
	}
	fmt.Print(".\n\n| score | segments |\n|---|---|\n")
	const steps = 20
	var bins [steps]int
	for _, s := range scores {
		bins[min(int(s*steps+1e-9), steps-1)]++
	}
	for i, n := range bins {
		fmt.Printf("| %.2f | %5d %s |\n", float64(i)/steps, n, strings.Repeat("█", n*60/len(scores)))
	}
	at := func(q float64) float64 { return scores[int(q*float64(len(scores)-1))] }
	fmt.Printf("\nA tenth is below %.2f, half below %.2f, a tenth above %.2f.\n", at(.1), at(.5), at(.9))
}
