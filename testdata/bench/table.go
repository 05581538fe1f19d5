package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// table collects what is printed: one row per goal.
type table struct{ rows [][4]string }

// row adds a line: what was measured, the goal, the value, and a ratio to the
// goal or a yardstick.
func (t *table) row(what, goal, measured, ratio string) {
	t.rows = append(t.rows, [4]string{what, goal, measured, ratio})
}

// atLeast and atMost add a row with a goal in numbers; the ratio tells how
// much of it is reached, so that 1.0 and more is good in both.
func (t *table) atLeast(what string, goal, got float64, unit string) {
	t.row(what, fmt.Sprintf("≥ %.4g %s", goal, unit), fmt.Sprintf("%.4g %s", got, unit), verdict(got/goal))
}

func (t *table) atMost(what string, goal, got float64, unit string) {
	t.row(what, fmt.Sprintf("≤ %.4g %s", goal, unit), fmt.Sprintf("%.4g %s", got, unit), verdict(goal/got))
}

func verdict(ratio float64) string {
	if ratio < 1 {
		return fmt.Sprintf("%.2f  missed", ratio)
	}
	return fmt.Sprintf("%.2f", ratio)
}

func (t *table) String() string {
	all := append([][4]string{{"what", "goal", "measured", "reached"}}, t.rows...)
	var widths [4]int
	for _, r := range all {
		for i, cell := range r {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, r := range all {
		line := ""
		for i, cell := range r {
			line += cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
