//go:build race

package main

// crashKills is smaller here: a race build runs the other tests much slower,
// and the killed program is not built for races.
const crashKills = 3
