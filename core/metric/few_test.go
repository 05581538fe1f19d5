//go:build race || !whole

package metric

// every is the step through recorded sessions that are broken.
const every = 10
