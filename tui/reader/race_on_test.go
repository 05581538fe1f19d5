//go:build race

package reader

// slower is by how much tests of many or of large cases shrink: the race
// detector makes them slow.
const slower = 4
