//go:build whole && !race

package compress

// whole says that tests take all their cases.
const whole = true
