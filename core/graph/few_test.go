//go:build race || !whole

package graph

// whole says that tests take all their cases.
const whole = false
