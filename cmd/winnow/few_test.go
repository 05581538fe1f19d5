//go:build race || !whole

package main

const (
	// crashKills is how many kills of a running import must be survived.
	crashKills = 2
	// crashFiles and crashLines are the sizes of what it imports: of sessions
	// in files, and of sessions in lines.
	crashFiles = "2MB"
	crashLines = "1MB"
)

// crashBatch is how many summaries a run of compressions asks for that is killed.
const crashBatch = 50

// slower is by how much tests of many keys shrink.
const slower = 10

// editKills is the number of kills of edits, and of imports of what is edited.
const editKills = 12

// idBits is how many bits of an id are tried at each of its places.
const idBits = 1

// serveKills is the number of kills of a server that takes sessions.
const serveKills = 4

// runKills is the number of kills of runs that begin, train and go on.
const runKills = 12

// bombLimit is how much a server takes of 4 GiB.
const bombLimit = "64MiB"

// reviewed is how many segments the scripted curator gives a verdict.
const reviewed = 40
