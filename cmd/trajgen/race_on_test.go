//go:build race

package main

// slower is by how much what is generated shrinks: the race detector makes it
// slow, and one goroutine does it.
const slower = 8
