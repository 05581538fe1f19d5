//go:build !race

package main

// slower is by how much what is generated shrinks.
const slower = 1
