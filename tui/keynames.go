package tui

// keyFor returns the first key of an action in the place that has the keys,
// where a message names it; ":name" for one that only the command line reaches.
func (a *App) keyFor(name string) string { return a.keyIn(name, a.behindLine()) }

// keyIn is keyFor for a place.
func (a *App) keyIn(name string, in Context) string {
	for i := range a.keys {
		b := &a.keys[i]
		if b.Name != name || b.In&in == 0 {
			continue
		}
		if len(b.Keys) == 0 {
			break
		}
		return b.Keys[0]
	}
	return ":" + name
}
