//go:build race || !whole

package clean

// step is how far apart the characters are that are tried.
const step = 61
