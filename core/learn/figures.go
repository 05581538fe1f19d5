package learn

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// FiguresOf compares beliefs, 0 to 1, with verdicts: 1 approved, 0 rejected.
func FiguresOf(believed, good []float64) Figures {
	var f Figures
	n, approved := float64(len(good)), 0.
	for i, p := range believed {
		f.Brier += (p - good[i]) * (p - good[i]) / n
		approved += good[i]
	}
	share := approved / n
	f.AUC, f.Brier, f.Base = fourDigits(auc(believed, good)), fourDigits(f.Brier), fourDigits(share*(1-share))
	f.Bands = bands(believed, good)
	return f
}

func fourDigits(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return math.Round(x*1e4) / 1e4
}

// auc is the share of pairs of a good and a bad one in which the good one is
// higher; equal ones count half. Without pairs it is 0.5.
func auc(value, good []float64) float64 {
	order := make([]int, len(value))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(value[a], value[b]) })
	var bad, pairs, all, goods float64
	for from := 0; from < len(order); {
		to := from
		var g, b float64
		for ; to < len(order) && value[order[to]] == value[order[from]]; to++ {
			if good[order[to]] != 0 {
				g++
			} else {
				b++
			}
		}
		pairs += g * (bad + b/2)
		bad, goods = bad+b, goods+g
		from = to
	}
	if all = bad * goods; all == 0 {
		return .5
	}
	return pairs / all
}

// bandSteps are how many bands there are, bandLeast how many segments make
// steps of a tenth of any use.
const (
	bandSteps = 10
	bandLeast = 100
)

func bands(believed, good []float64) (list []Band) {
	steps := bandSteps
	if len(good) < bandLeast {
		steps = bandSteps / 2
	}
	all := make([]Band, steps)
	for i, p := range believed {
		b := &all[max(0, min(steps-1, int(p*float64(steps))))]
		b.Segments++
		b.Believed += p
		b.Approved += int(good[i])
	}
	for i, b := range all {
		if b.Segments == 0 {
			continue
		}
		b.From, b.To = fourDigits(float64(i)/float64(steps)), fourDigits(float64(i+1)/float64(steps))
		b.Believed = fourDigits(b.Believed / float64(b.Segments))
		list = append(list, b)
	}
	return list
}

// Steps names the band: "0.2–0.4".
func (b *Band) Steps() string { return fmt.Sprintf("%.1f–%.1f", b.From, b.To) }

// Share is the share of approved ones.
func (b *Band) Share() float64 { return float64(b.Approved) / float64(max(b.Segments, 1)) }
