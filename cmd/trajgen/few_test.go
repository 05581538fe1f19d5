//go:build race || !whole

package main

// slower is by how much what is generated shrinks.
const slower = 8
