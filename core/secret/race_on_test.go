//go:build race

package secret

// slower is by how much tests of many or of large cases shrink: the race
// detector makes them slow.
const slower = 10
