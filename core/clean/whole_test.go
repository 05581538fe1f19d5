//go:build !race && whole

package clean

// step is how far apart the characters are that are tried: every one is.
const step = 1
