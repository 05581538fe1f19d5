//go:build race || !whole

package compress

// whole says that tests take all their cases.
const whole = false
