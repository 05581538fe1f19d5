//go:build !race && whole

package export

// slower is by how much tests of many or of large cases shrink.
const slower = 1
