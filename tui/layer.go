package tui

import (
	"slices"

	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// top returns the topmost layer that is open, nil for none.
func (a *App) top() *seated { return a.topmost(func(*seated) bool { return true }) }

// Layer returns the layer that has the keys, nil for none.
func (a *App) Layer() screen.Layer {
	if s := a.top(); s != nil && a.Context()&(keys.InLines|keys.InQuestion|keys.InBulk|keys.InWhy|keys.InGlance) == 0 {
		return s.Layer
	}
	return nil
}

// IsOpen reports whether a layer is.
func (a *App) IsOpen(l screen.Layer) bool {
	return a.topmost(func(s *seated) bool { return s.Layer == l }) != nil
}

// instead returns the screen that is open in place of list and reader, nil for none.
func (a *App) instead() *seated { return a.topmost(func(s *seated) bool { return !s.over }) }

func (a *App) topmost(such func(*seated) bool) *seated {
	for _, s := range slices.Backward(a.seated) {
		if such(s) {
			return s
		}
	}
	return nil
}

// shown returns the screen that is drawn, nil for list and reader.
func (a *App) shown() *seated {
	return a.topmost(func(s *seated) bool { _, ok := s.Layer.(screen.Screen); return ok })
}

// lines draws a screen.
func (s *seated) lines(height int) []string {
	a, l := s.app, s.Layer.(screen.Screen)
	if s.aside {
		return a.BesideList(l.Lines(a.ReaderWidth(), height), a.Ink.Key)
	}
	return l.Lines(a.W, height)
}

// box returns the box that is drawn, nil for none.
func (a *App) box() screen.Box {
	if s := a.top(); s != nil {
		b, _ := s.Layer.(screen.Box)
		return b
	}
	return nil
}

// topLine draws the header: what the screen says, between the program's name and
// where the segments come from, or that of the list.
func (a *App) topLine(w int) string {
	var says []draw.Part
	a.topmost(func(s *seated) bool { // what stands over a screen may leave the header to it
		if l, ok := s.Layer.(screen.Screen); ok {
			says = l.Header(w)
		}
		return says != nil || !s.over
	})
	if says == nil {
		return a.headerLine(w)
	}
	parts := append([]draw.Part{{Text: " " + a.Ink.Name.On("winnow"), Worth: 9, Short: " ", Yield: 3}}, says...)
	return a.FitParts(append(parts, a.placeParts(w, 2)...), w)
}
