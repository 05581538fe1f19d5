//go:build !race

package main

// crashKills is how many kills of a running import must be survived.
const crashKills = 20
