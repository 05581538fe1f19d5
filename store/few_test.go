//go:build race || !whole

package store

// cutSeeds is the number of random sessions that are cut by hand.
const cutSeeds = 3

// searchSeeds is the number of random lives that are searched.
const searchSeeds = 2

// filterSeeds is the number of statements of random filters, twenty in each.
const filterSeeds = 10

// slower is by how much other tests of many cases shrink.
const slower = 4

// checkEvery is after how many steps of a random life all of the database is
// compared with what it should be: what went wrong mostly still is then.
const checkEvery = 5
