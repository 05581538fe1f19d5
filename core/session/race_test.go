//go:build race

package session_test

// slower is by how much tests of many or of large cases shrink: the race
// detector makes them slow, and what is read here meets no other goroutine.
const slower = 16
