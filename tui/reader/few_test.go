//go:build race || !whole

package reader

// slower is by how much tests of many or of large cases shrink.
const slower = 4
