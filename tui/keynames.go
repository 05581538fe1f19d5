package tui

import "strings"

// Actions that messages and commands name.
const (
	nameReload = "reload"
	nameSaved  = "saved-filter"
)

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

// escIn returns the last key of the way back in a place, which is esc unless
// somebody chose others.
func (a *App) escIn(in Context) string {
	if b := a.backIn(in); b != nil {
		return b.Keys[len(b.Keys)-1]
	}
	return ":" + nameBack
}

// firstIn returns the first keys of the answers to a question.
func (a *App) firstIn(in Context) string {
	var keys []string
	for _, name := range []string{"send", "rules", "judge-all"} {
		for i := range a.keys {
			if b := &a.keys[i]; b.Name == name && b.In&in != 0 && len(b.Keys) > 0 {
				keys = append(keys, b.Keys[0])
			}
		}
	}
	if b := a.backIn(in); b != nil && len(b.Keys) > 2 {
		keys = append(keys, b.Keys[0])
	}
	return strings.Join(keys, ", ")
}

// backIn returns the way back in a place, nil for none.
func (a *App) backIn(in Context) *Binding {
	for i := range a.keys {
		if b := &a.keys[i]; b.Name == nameBack && b.In&in != 0 && len(b.Keys) > 0 {
			return b
		}
	}
	return nil
}
