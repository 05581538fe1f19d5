package metric

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Config says how metrics count. The zero Config counts them as they are
// registered.
type Config struct {
	// Weights replaces weights by the metric's name; 0 switches a metric off.
	Weights map[string]float64
}

// weightMost keeps sums of weights exact, and a mistyped weight visible.
const weightMost = 1000

// Check returns an error that names the first weight, by name, that is not
// from 0 to 1000, or is of no metric.
func (c Config) Check() error {
	known := Names()
	for _, name := range slices.Sorted(maps.Keys(c.Weights)) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("no metric is called %q: there are %s", name, strings.Join(known, ", "))
		}
		w := c.Weights[name]
		if math.IsNaN(w) || w < 0 || w > weightMost {
			return fmt.Errorf("the weight %v of %s is not from 0 (off) to %d", w, name, weightMost)
		}
		if w > 0 && w < 1e-4 {
			return fmt.Errorf("the weight %v of %s is below 0.0001: 0 switches it off", w, name)
		}
	}
	return nil
}

// Weight returns what a metric counts, 0 if it is switched off.
func (c Config) Weight(name string) float64 {
	if w, ok := c.Weights[name]; ok {
		return w
	}
	for _, row := range registry() {
		if row.name == name {
			return row.weight
		}
	}
	return 0
}
