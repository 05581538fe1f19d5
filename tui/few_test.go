//go:build race || !whole

package tui

// slower is by how much tests of many or of large cases shrink.
const slower = 5
