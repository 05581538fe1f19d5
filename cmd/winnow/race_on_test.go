//go:build race

package main

// The crash test is short here: the program that it kills is not built for
// races.
const (
	crashKills = 2
	crashFiles = "8MB"
	crashLines = "3MB"
)

// racing tells whether scripts run the program with the race detector: only
// those do in which its goroutines meet. With it every command takes a second,
// so the others, which prove what is printed, run the program as users get it.
func racing(script string) bool {
	switch script {
	case "follow", "import", "segmentmodel":
		return true
	}
	return false
}

// slower is by how much tests of many keys shrink: the race detector makes
// them slow.
const slower = 10
