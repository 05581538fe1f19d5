package main

import (
	"fmt"
	"io"
)

// table collects what is printed, as Markdown.
type table struct {
	sets   []string
	wholes []string
	missed int
	failed error
}

func (t *table) row(name, condition string, ours tally, worst float64, greets, roles tally, goal float64) {
	reached := ""
	if goal > 0 {
		reached = fmt.Sprintf("≥ %.2f", goal)
		if worst < goal {
			reached += " missed"
			t.missed++
		}
	}
	t.sets = append(t.sets, fmt.Sprintf("| %s | %s | %s | %.2f | %s | %s | %s |", name, condition, three(ours), worst, reached, three(greets), three(roles)))
}

func three(t tally) string {
	return fmt.Sprintf("%.2f %.2f **%.2f**", t.precision(), t.recall(), t.f1())
}

func (t *table) single(name string, whole, all int, goal float64) {
	reached := ""
	if goal > 0 {
		reached = fmt.Sprintf("≥ %.0f%%", 100*goal)
		if share(whole, all) < goal {
			reached += " missed"
			t.missed++
		}
	}
	t.wholes = append(t.wholes, fmt.Sprintf("| %s | %d of %d | %.0f%% | %s |", name, whole, all, 100*share(whole, all), reached))
}

// print writes the tables, and fails if a goal was missed: the worst order of
// a set has to reach it.
func (t *table) print(w io.Writer) error {
	if t.failed != nil {
		return t.failed
	}
	fmt.Fprintln(w, "Precision, recall, **F1**.")
	fmt.Fprintln(w)
	fmt.Fprintln(w, "| joined | condition | offline segmenter | worst F1 | goal | a greeting | not after the assistant |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	for _, r := range t.sets {
		fmt.Fprintln(w, r)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "| single conversations | uncut | | goal |")
	fmt.Fprintln(w, "|---|---|---|---|")
	for _, r := range t.wholes {
		fmt.Fprintln(w, r)
	}
	if t.missed > 0 {
		return fmt.Errorf("%d goals were missed", t.missed)
	}
	return nil
}
