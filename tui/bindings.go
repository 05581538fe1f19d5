package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	room "winnow/tui/review"
	"winnow/tui/screen"
)

// Context returns the place that has the keys.
func (a *App) Context() keys.Place {
	if a.field != nil {
		return a.field.In
	}
	return a.Place()
}

// Bindings returns what means something in the place that has the keys now, in
// the order of the table.
func (a *App) Bindings() []keys.Binding {
	return slices.DeleteFunc(slices.Clone(a.keys.Rows), func(b keys.Binding) bool { return b.In&a.Context() == 0 })
}

// Place returns the place that has the keys when no line is typed.
func (a *App) Place() keys.Place {
	switch s := a.top(); {
	case a.AsksWhy():
		return keys.InWhy
	case s != nil && s.over:
		return s.in
	case a.AsksBulk():
		return keys.InBulk
	case a.glance.asked != "":
		return keys.InGlance
	case a.work.Asks():
		return keys.InQuestion
	}
	return a.page()
}

// Reread has everything read again with the next poll.
func (a *App) Reread() { a.version = -1 }

// Writing reports whether writes are under way.
func (a *App) Writing() bool { return a.writes.Open() }

// Covered reports whether something stands in place of the list.
func (a *App) Covered() bool { return a.instead() != nil }

// page returns the place that is behind what lies over it.
func (a *App) page() keys.Place {
	switch s := a.instead(); {
	case s == nil && a.Focus == room.OnReader:
		return keys.InReader
	case s == nil:
		return keys.InList
	default:
		if p, ok := s.Layer.(screen.Placer); ok {
			return p.Place()
		}
		return s.in
	}
}

// Press does what a key is bound to. A key that does nothing now says why.
func (a *App) Press(k tea.KeyPressMsg) tea.Cmd {
	key := k.String()
	if other, ok := sameKey[key]; ok {
		key = other
	}
	a.Pressed(key)
	b := a.keys.Find(key, a.Context())
	if a.TooSmall() && (b == nil || !worksBlind[b.Name]) {
		return nil
	}
	if b == nil {
		if a.field != nil {
			return a.field.Update(k)
		}
		a.sayElsewhere(key)
		return nil
	}
	return a.act(b)
}

// act does what a binding is for, or says why it does nothing now.
func (a *App) act(b *keys.Binding) tea.Cmd {
	if !a.leaving {
		a.Message = screen.Message{}
	}
	rest := a.Before(b) // first
	return tea.Batch(rest, a.do(b))
}

// do runs a binding that has nothing to say against it.
func (a *App) do(b *keys.Binding) tea.Cmd {
	on := a.receiver(b)
	if reason := b.Why(on); reason != "" {
		a.Say(reason)
		return nil
	}
	return b.Run(on)
}

// receiver is what a binding is of: a layer that is open, else the program.
func (a *App) receiver(b *keys.Binding) any {
	for _, s := range a.seated {
		if b.Of(s.Layer) {
			return s.Layer
		}
	}
	if b.Of(a.Room) {
		return a.Room
	}
	return a
}

// sayElsewhere says where a key works that does nothing here. Keys that nobody
// bound are passed over, as a hand that slips needs no lecture, but for capitals.
func (a *App) sayElsewhere(key string) {
	if b := a.keys.Find(key, keys.InList); b != nil && b.In&keys.InSegment == keys.InSegment && b.In&keys.InPages != keys.InPages && a.Context() == keys.InBoundaries {
		a.Say(key + " works in the list: " + a.keys.Esc(keys.InBoundaries) + " goes back")
		return
	}
	if a.Context() == keys.InWhy {
		a.Say("no reason has the key " + key)
		return
	}
	if in := a.Context(); in&(keys.InQuestion|keys.InBulk|keys.InGlance) != 0 {
		a.Say(a.keys.First(in) + " or " + a.keys.Esc(in) + " first")
		return
	}
	for _, s := range a.keys.Sections {
		for i := range a.keys.Rows {
			if b := &a.keys.Rows[i]; b.In == s.In && b.In&keys.InPages != 0 && slices.Contains(b.Keys, key) && !a.leaving {
				a.Say(key + " works in: " + strings.ToLower(s.Title))
				return
			}
		}
	}
	if len(key) == 1 && key[0] >= 'A' && key[0] <= 'Z' && !a.leaving { // it was typed on purpose, or with the wrong case
		a.Say(key + " has no use here: " + a.keyIn(keys.Help, keys.InList) + " shows the keys")
	}
}

// worksBlind are the actions that make sense on a terminal too small to show
// what they act on.
var worksBlind = map[string]bool{"quit": true, "back": true, "leave": true, "suspend": true, "put-away": true}

// sameKey maps the keys of a number pad to those they stand for.
var sameKey = map[string]string{
	"kpenter": "enter", "kpup": "up", "kpdown": "down", "kphome": "home", "kpend": "end", "kppgup": "pgup", "kppgdown": "pgdown",
}
