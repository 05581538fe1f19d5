//go:build race

package token

// giant is smaller here: the race detector slows counting down.
const giant = 32 << 10
