//go:build !race && whole

package hub

// seeds is the number of random histories that are played.
const seeds = 150
