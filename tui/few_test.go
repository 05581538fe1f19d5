//go:build race || !whole

package tui

// slower is by how much tests of many or of large cases shrink.
const slower = 5

// apart is how far apart the states are that tests take which look at each for
// long.
const apart = 10
