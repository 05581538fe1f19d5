package themes

import (
	"image/color"
	"math"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// luminance is the relative luminance of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	part := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*part(r) + 0.7152*part(g) + 0.0722*part(b)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// coloured are the built-in themes that have colours.
func coloured(t *testing.T) []Styles {
	t.Helper()
	var all []Styles
	for _, name := range Names(nil) {
		s, warnings, err := Load(name, nil)
		if err != nil || len(warnings) > 0 {
			t.Fatalf("%s: %v %v", name, warnings, err)
		}
		if s.For() != "any" {
			all = append(all, s)
		}
	}
	if len(all) < 6 {
		t.Fatalf("%d themes with colours", len(all))
	}
	return all
}

// leastText is the contrast WCAG 2 asks for text of any size, leastSharp that of
// its strictest level. Borders are no text and part what stands apart anyway:
// they may be weak, so that they don't compete with it, but not vanish.
const (
	leastText, leastSharp     = 4.5, 7.0
	leastBorder, sharpBorder  = 2.0, 4.5
	leastFew                  = 4.0 // where colours are rounded to 256
	leastBand                 = 1.1 // of the selection on the background: it has a mark, too
	highContrast, borderLines = "high-contrast", "border"
)

func TestContrastOfTextIsAtLeastFourAndAHalf(t *testing.T) {
	for _, s := range coloured(t) {
		text, border := leastText, leastBorder
		if s.Name == highContrast {
			text, border = leastSharp, sharpBorder
		}
		if s.Background == nil {
			t.Fatalf("%s: no background to measure on", s.Name)
		}
		band := s.Selection.GetBackground()
		if c := contrast(band, s.Background); c < leastBand {
			t.Errorf("%s: the selection on the background: %.2f", s.Name, c)
		}
		for _, role := range roles {
			style := *role.of(&s)
			fg := style.GetForeground()
			switch role.name {
			case borderLines:
				if c := contrast(fg, s.Background); c < border {
					t.Errorf("%s: %s on the background: %.2f", s.Name, role.name, c)
				}
				continue
			case "match": // no other role is drawn on its background
				if c := contrast(fg, style.GetBackground()); c < text {
					t.Errorf("%s: %s on its own background: %.2f", s.Name, role.name, c)
				}
				continue
			}
			if c := contrast(fg, s.Background); c < text {
				t.Errorf("%s: %s on the background: %.2f", s.Name, role.name, c)
			}
			if c := contrast(fg, band); c < text {
				t.Errorf("%s: %s on the selection: %.2f", s.Name, role.name, c)
			}
		}
	}
}

func TestContrastStaysWith256Colours(t *testing.T) {
	few := colorprofile.ANSI256
	for _, s := range coloured(t) {
		band, match := few.Convert(s.Selection.GetBackground()), few.Convert(s.Match.GetBackground())
		if band == few.Convert(s.Background) {
			t.Errorf("%s: the selection cannot be seen", s.Name)
		}
		if c := contrast(few.Convert(s.Match.GetForeground()), match); c < leastFew {
			t.Errorf("%s: match: %.2f", s.Name, c)
		}
		for _, role := range roles {
			if role.name == "match" || role.name == borderLines {
				continue
			}
			fg := few.Convert((*role.of(&s)).GetForeground())
			if c := min(contrast(fg, s.Background), contrast(fg, band)); c < leastFew {
				t.Errorf("%s: %s: %.2f", s.Name, role.name, c)
			}
		}
	}
}

// apart are the roles that stand for each other's opposite, or beside each
// other where nothing else tells them apart.
var apart = [][]string{
	{"approved", "rejected", "unsure", "stale", "text"},
	{"approved", "rejected", "unsure", "stale", "muted"},
	{"user", "assistant", "system", "tool", "text"},
	{"user", "assistant", "system", "tool", "thinking", "error"},
	{"error", "warning", "text"}, {"error", "warning", "muted"},
	{"score_low", "score_mid", "score_high"},
	{"text", "muted", "border", "selection", "match"},
	{"code", "text", "muted"},
}

func TestRolesThatMustDifferDo(t *testing.T) {
	for _, s := range coloured(t) {
		for _, p := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI} {
			seen := s.On(p)
			for _, group := range apart {
				looks := map[string]string{}
				for _, role := range roles {
					style := *role.of(&seen)
					style = style.Foreground(p.Convert(style.GetForeground()))
					if bg := style.GetBackground(); bg != (lipgloss.NoColor{}) {
						style = style.Background(p.Convert(bg))
					}
					look := style.Render("x")
					for _, name := range group {
						if name != role.name {
							continue
						}
						if other := looks[look]; other != "" {
							t.Errorf("%s, %v: %s looks like %s", s.Name, p, name, other)
						}
						looks[look] = name
					}
				}
			}
		}
	}
}

func TestSixteenColoursAreTheTerminalsOwn(t *testing.T) {
	for _, s := range coloured(t) {
		few := s.On(colorprofile.ANSI)
		for _, role := range roles {
			if !inSixteen(*role.of(&few)) {
				t.Errorf("%s: %s has a colour of its own", s.Name, role.name)
			}
		}
		if !few.Selection.GetReverse() {
			t.Errorf("%s: the selection depends on a colour", s.Name)
		}
	}
}

func TestMonoHasNoColours(t *testing.T) {
	s, _, err := Load("mono", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI} {
		seen := s.On(p)
		for _, role := range roles {
			style := *role.of(&seen)
			for _, c := range []color.Color{style.GetForeground(), style.GetBackground()} {
				if c != (lipgloss.NoColor{}) {
					t.Errorf("%s has the colour %v", role.name, c)
				}
			}
			if style.GetItalic() {
				t.Errorf("%s is italic: many terminals show that as reverse", role.name)
			}
		}
	}
	if !s.Selection.GetReverse() || s.For() != "any" {
		t.Error("the selection cannot be seen")
	}
	if s.Match.GetReverse() {
		t.Error("a match looks like the current hit")
	}
}
