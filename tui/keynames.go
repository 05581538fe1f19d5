package tui

import "winnow/tui/keys"

// keyFor returns the first key of an action in the place that has the keys,
// where a message names it; ":name" for one that only the command line reaches.
func (a *App) keyFor(name string) string { return a.keyIn(name, a.Place()) }

// keyIn is keyFor for a place.
func (a *App) keyIn(name string, in keys.Place) string { return a.keys.Key(name, in) }
