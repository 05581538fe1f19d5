package themes

import (
	"testing"

	"winnow/themes"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
)

// program is one that wears a theme.
type program struct {
	all        []themes.Styles
	worn, kept int
}

func (p *program) Themes() []themes.Styles { return p.all }
func (p *program) Worn() int               { return p.worn }
func (p *program) Wear(theme int)          { p.worn = theme }
func (p *program) Styles() themes.Styles   { return p.all[max(0, p.worn)] }
func (p *program) Keep(bool)               { p.kept = p.worn }

func open(t *testing.T, p *program, h int) *screentest.Run {
	t.Helper()
	for _, name := range themes.Names(nil) {
		s, _, err := themes.Load(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.all = append(p.all, s)
	}
	return screentest.Start(t, 80, h, Rows(), func(s screen.Seat) *Screen { return New(s, p) })
}

// TestWearsWhatTheCursorIsOn: enter keeps it, esc goes back.
func TestWearsWhatTheCursorIsOn(t *testing.T) {
	p := &program{worn: 1, kept: 1}
	x := open(t, p, 24)
	x.Press("j")
	if p.worn != 2 || p.kept != 1 {
		t.Errorf("wears %d, keeps %d", p.worn, p.kept)
	}
	if x.Press("esc"); p.worn != 1 || !x.Left {
		t.Errorf("wears %d again, left %t", p.worn, x.Left)
	}
	x = open(t, p, 24)
	if x.Press("g enter"); p.worn != -1 || p.kept != -1 || !x.Left {
		t.Errorf("by the terminal: wears %d, keeps %d", p.worn, p.kept)
	}
}

// TestEveryThemeIsReached: in a box that has not room for all of them, and by
// asking for the next one, from the last to the first.
func TestEveryThemeIsReached(t *testing.T) {
	p := &program{worn: -1}
	x := open(t, p, 8)
	for i, s := range p.all {
		x.Press("j")
		if x.Wants(s.Name); p.worn != i {
			t.Errorf("wears %d, want %d", p.worn, i)
		}
	}
	if x.Layer.(*Screen).Next(); p.worn != -1 {
		t.Errorf("wears %d after the last one", p.worn)
	}
}
