//go:build !race

package token

// giant is the size in bytes of a text that must not take long.
const giant = 256 << 10
