package keys

import (
	"slices"
	"strings"
)

// Table is all keys of the program, in the order they are shown, with the
// headings and the names of the places they work in.
type Table struct {
	Rows     []Binding
	Sections []Section
	Places   map[Place]string
}

// NewTable returns the table of rows for the places with a name.
func NewTable(rows []Binding) *Table { return &Table{rows, Sections(), Names()} }

// Add adds a place of a screen.
func (t *Table) Add(in Place, name, title string) {
	t.Sections = append(t.Sections, Section{title, in})
	t.Places[in] = name
}

// Find returns the binding of a key in a place, or nil.
func (t *Table) Find(key string, in Place) *Binding {
	for i := range t.Rows {
		if t.Rows[i].In&in != 0 && slices.Contains(t.Rows[i].Keys, key) {
			return &t.Rows[i]
		}
	}
	return nil
}

// Named returns the binding of an action in a place, or nil.
func (t *Table) Named(name string, in Place) *Binding {
	for i := range t.Rows {
		if b := &t.Rows[i]; b.Name == name && b.In&in != 0 {
			return b
		}
	}
	return nil
}

// Key returns the first key of an action in a place, ":name" for one that only
// the command line reaches, "" where a line is typed and no command can be.
func (t *Table) Key(name string, in Place) string {
	b := t.Named(name, in)
	switch {
	case b != nil && len(b.Keys) > 0:
		return b.Keys[0]
	case in&InLines != 0 && in&InPages == 0:
		return ""
	}
	return ":" + name
}

// In returns what means something in a place.
func (t *Table) In(in Place) []Binding {
	return slices.DeleteFunc(slices.Clone(t.Rows), func(b Binding) bool { return b.In&in == 0 })
}

// Esc returns the last key of the way back in a place, which is esc unless
// somebody chose others.
func (t *Table) Esc(in Place) string {
	if b := t.back(in); b != nil {
		return b.Keys[len(b.Keys)-1]
	}
	return ":" + Back
}

// First returns the first keys of the answers to a question.
func (t *Table) First(in Place) string {
	var keys []string
	for _, name := range []string{"send", "rules", "judge-all"} {
		for i := range t.Rows {
			if b := &t.Rows[i]; b.Name == name && b.In&in != 0 && len(b.Keys) > 0 {
				keys = append(keys, b.Keys[0])
			}
		}
	}
	if b := t.back(in); b != nil && len(b.Keys) > 2 {
		keys = append(keys, b.Keys[0])
	}
	return strings.Join(keys, ", ")
}

// back returns the way back in a place, nil for none.
func (t *Table) back(in Place) *Binding {
	for i := range t.Rows {
		if b := &t.Rows[i]; b.Name == Back && b.In&in != 0 && len(b.Keys) > 0 {
			return b
		}
	}
	return nil
}
