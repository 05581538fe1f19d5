//go:build race

package main

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
