//go:build whole && !race

package graph

// whole says that tests take all their cases.
const whole = true
