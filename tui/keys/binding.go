package keys

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Row is a key of a screen of type S: all that is known about it. Dispatch, the
// footer, the screen of keys and the documentation are made of rows. Run and Why
// are method expressions, so that the table needs no screen.
type Row[S any] struct {
	Keys []string // as Bubble Tea names them; the first one is shown
	Name string   // of the action, unique in its places: "approve"
	Help string   // what it does, for the screen of keys
	Foot string   // one word for the footer, "" to leave it out
	In   Place
	Run  func(S) tea.Cmd
	// Why says why the key does nothing now, "" if it does something. nil:
	// it always does.
	Why func(S) string
}

// Key makes a row. The keys of one action stand in a text, with a space between
// them; "" leaves it to the command line.
func Key[S any](keys, name, help, foot string, in Place, run func(S) tea.Cmd, why func(S) string) Row[S] {
	return Row[S]{strings.Fields(keys), name, help, foot, in, run, why}
}

// Do is the action of a row that asks for nothing.
func Do[S any](do func(S)) func(S) tea.Cmd {
	return func(on S) tea.Cmd {
		do(on)
		return nil
	}
}

// Reason is a reason why a key does nothing, if it holds; else "".
func Reason(holds bool, why string) string {
	if holds {
		return why
	}
	return ""
}

// Binding is a row without the type of its screen.
type Binding struct {
	Keys             []string
	Name, Help, Foot string
	In               Place

	of  func(on any) bool
	run func(on any) tea.Cmd
	why func(on any) string
}

// Bind takes the type of the screen from its rows. Those that name no place work
// in the screen's own, which is in.
func Bind[S any](in Place, rows []Row[S]) []Binding {
	all := make([]Binding, len(rows))
	for i, r := range rows {
		if r.In == 0 {
			r.In = in
		}
		all[i] = Binding{
			Keys: r.Keys, Name: r.Name, Help: r.Help, Foot: r.Foot, In: r.In,
			of:  func(on any) bool { _, ok := on.(S); return ok },
			run: func(on any) tea.Cmd { return r.Run(on.(S)) },
		}
		if r.Why != nil {
			all[i].why = func(on any) string { return r.Why(on.(S)) }
		}
	}
	return all
}

// Of reports whether the binding is one of the type of a screen.
func (b *Binding) Of(on any) bool { return b.of(on) }

// Run does what the key is for on its screen.
func (b *Binding) Run(on any) tea.Cmd { return b.run(on) }

// Why says why the key does nothing on its screen now, "" if it does something.
func (b *Binding) Why(on any) string {
	if b.why == nil {
		return ""
	}
	return b.why(on)
}

// Unless adds a reason why the key does nothing: it goes before its own.
func (b *Binding) Unless(reason func() string) {
	own := b.why
	b.why = func(on any) string {
		if text := reason(); text != "" || own == nil {
			return text
		}
		return own(on)
	}
}

// Moves reports whether the key is one that moves in any pane.
func (b *Binding) Moves() bool { return Moves(b.Name) }
