//go:build !race

package main

const (
	// crashKills is how many kills of a running import must be survived.
	crashKills = 20
	// crashFiles and crashLines are the sizes of what it imports: of sessions
	// in files, and of sessions in lines.
	crashFiles = "32MB"
	crashLines = "12MB"
)

// racing tells whether a script runs the program that is built like the tests.
func racing(string) bool { return true }

// slower is by how much tests of many keys shrink: the race detector makes
// them slow.
const slower = 1
