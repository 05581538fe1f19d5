//go:build race

package clean

// step is how far apart the characters are that are tried: the race detector
// makes it slow, and a text is cleaned by one goroutine.
const step = 61
