//go:build race || !whole

package session_test

// slower is by how much tests of many or of large cases shrink.
const slower = 16
