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

// Tells reports whether a section is one of those that say where something works that
// has some places: all of the section is among them, and that is in no wider section.
func (t *Table) Tells(s Section, in Place) bool {
	return s.In&^in == 0 && !slices.ContainsFunc(t.Sections, func(o Section) bool { return o.In != s.In && s.In&^o.In == 0 && o.In&^in == 0 })
}

// Find returns the binding of a key in a place, or nil.
func (t *Table) Find(key string, in Place) *Binding {
	return t.first(in, func(b *Binding) bool { return slices.Contains(b.Keys, key) })
}

// Named returns the binding of an action in a place, or nil.
func (t *Table) Named(name string, in Place) *Binding {
	return t.first(in, func(b *Binding) bool { return b.Name == name })
}

// keysOf returns the keys of an action in a place, nil if only the command line
// reaches it.
func (t *Table) keysOf(name string, in Place) []string {
	if b := t.first(in, func(b *Binding) bool { return b.Name == name && len(b.Keys) > 0 }); b != nil {
		return b.Keys
	}
	return nil
}

func (t *Table) first(in Place, such func(*Binding) bool) *Binding {
	for i := range t.Rows {
		if b := &t.Rows[i]; b.In&in != 0 && such(b) {
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

// Esc returns the last key of the way back in a place, which is esc unless
// somebody chose others.
func (t *Table) Esc(in Place) string {
	if keys := t.keysOf(Back, in); keys != nil {
		return keys[len(keys)-1]
	}
	return ":" + Back
}

// First returns the first keys of the answers to a question.
func (t *Table) First(in Place) string {
	var keys []string
	for _, name := range []string{"send", "rules", "judge-all"} {
		if of := t.keysOf(name, in); of != nil {
			keys = append(keys, of[0])
		}
	}
	if back := t.keysOf(Back, in); len(back) > 2 {
		keys = append(keys, back[0])
	}
	return strings.Join(keys, ", ")
}
