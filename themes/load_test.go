package themes

import (
	"image/color"
	"math"
	"strings"
	"testing"
	"testing/fstest"
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

func TestContrastOfTextIsAtLeastFourAndAHalf(t *testing.T) {
	for _, name := range Names(nil) {
		s, warnings, err := Load(name, nil)
		if err != nil || len(warnings) > 0 {
			t.Fatalf("%s: %v %v", name, warnings, err)
		}
		p, err := read(builtin, name)
		if err != nil {
			t.Fatal(err)
		}
		background, err := parseColor(p.Background)
		if err != nil {
			t.Fatalf("%s: background: %v", name, err)
		}
		for _, role := range roles {
			style := *role.of(&s)
			fg := style.GetForeground()
			switch role.name {
			case "border": // lines, not text: to be seen, not to be read
				if c := contrast(fg, background); c < 1.5 {
					t.Errorf("%s: %s on the background: %.2f", name, role.name, c)
				}
				continue
			case "selection", "match":
				if c := contrast(fg, style.GetBackground()); c < 4.5 {
					t.Errorf("%s: %s on its own background: %.2f", name, role.name, c)
				}
				continue
			}
			if c := contrast(fg, background); c < 4.5 {
				t.Errorf("%s: %s on the background: %.2f", name, role.name, c)
			}
			if c := contrast(fg, s.Selection.GetBackground()); c < 4.5 {
				t.Errorf("%s: %s on the selection: %.2f", name, role.name, c)
			}
		}
	}
}

func TestEveryRoleOfAThemeIsItsOwn(t *testing.T) {
	for _, name := range Names(nil) {
		p, err := read(builtin, name)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Roles) != len(roles) || p.Dark == nil {
			t.Errorf("%s: %d roles of %d, dark %v", name, len(p.Roles), len(roles), p.Dark)
		}
		s, _, _ := Load(name, nil)
		if s.Dark != *p.Dark || s.Name != name {
			t.Errorf("%s: dark %v, name %q", name, s.Dark, s.Name)
		}
	}
}

func TestUnknownThemeNamesTheKnownOnes(t *testing.T) {
	user := fstest.MapFS{"mine.toml": {Data: []byte("")}}
	_, _, err := Load("lihgt", user)
	if err == nil || !strings.Contains(err.Error(), "dark, light, mine") {
		t.Errorf("got %v", err)
	}
	for _, hostile := range []string{"", "../x", "a/b", "dark.toml", "*", "\x00"} {
		if _, _, err := Load(hostile, user); err == nil {
			t.Errorf("%q was loaded", hostile)
		}
	}
}

func TestMissingRoleFallsBackToDarkWithAWarning(t *testing.T) {
	user := fstest.MapFS{"mine.toml": {Data: []byte("dark = false\n[roles]\nuser = \"bold #123456 on 7\"\ntool = \"purple\"\nusr = \"#fff\"")}}
	s, warnings, err := Load("mine", user)
	if err != nil {
		t.Fatal(err)
	}
	dark, _, _ := Load("dark", nil)
	if s.Text.GetForeground() != dark.Text.GetForeground() || s.Tool.GetForeground() != dark.Tool.GetForeground() {
		t.Error("missing and unreadable roles are not dark's")
	}
	if r, g, b, _ := s.User.GetForeground().RGBA(); r>>8 != 0x12 || g>>8 != 0x34 || b>>8 != 0x56 || !s.User.GetBold() || s.Dark {
		t.Error("its own role is not used")
	}
	all := strings.Join(warnings, "\n")
	for _, want := range []string{"role text is missing", `role tool: "purple"`, `no role "usr"`} {
		if !strings.Contains(all, want) {
			t.Errorf("no warning %q in\n%s", want, all)
		}
	}
}

func TestUserFileOverridesABuiltinTheme(t *testing.T) {
	user := fstest.MapFS{"light.toml": {Data: []byte("[roles]\nuser = \"9\"")}}
	s, warnings, err := Load("light", user)
	light, _, _ := Load("light", nil)
	if err != nil || len(warnings) > 0 || s.Dark || s.Text.GetForeground() != light.Text.GetForeground() {
		t.Errorf("the other roles are not light's: %v %v", warnings, err)
	}
	if s.User.GetForeground() == light.User.GetForeground() {
		t.Error("the role is not overridden")
	}
}

func TestBrokenFileNamesItsLine(t *testing.T) {
	for data, want := range map[string]string{
		"dark = true\n[roles\n":     "theme mine: line 2",
		"dark = true\nfont = \"x\"": `line 2: no such setting "font"`,
	} {
		_, _, err := Load("mine", fstest.MapFS{"mine.toml": {Data: []byte(data)}})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func FuzzParseStyle(f *testing.F) {
	f.Add("bold #fff on #123456")
	f.Add("on")
	f.Fuzz(func(_ *testing.T, spec string) { _, _ = parseStyle(spec) })
}
