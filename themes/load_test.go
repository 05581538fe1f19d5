package themes

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestEveryRoleOfAThemeIsItsOwn(t *testing.T) {
	for _, name := range Names(nil) {
		p, err := read(builtin, name)
		if err != nil {
			t.Fatal(err)
		}
		s, warnings, err := Load(name, nil)
		if err != nil || len(warnings) > 0 || len(p.Roles) != len(roles) || p.Dark == nil {
			t.Fatalf("%s: %d roles of %d, dark %v: %v %v", name, len(p.Roles), len(roles), p.Dark, warnings, err)
		}
		if p.ANSI != nil && len(p.ANSI) != len(roles) {
			t.Errorf("%s: %d roles of %d for sixteen colours", name, len(p.ANSI), len(roles))
		}
		if s.Dark != *p.Dark || s.Name != name {
			t.Errorf("%s: dark %v, name %q", name, s.Dark, s.Name)
		}
	}
}

func TestUnknownThemeNamesTheKnownOnes(t *testing.T) {
	user := fstest.MapFS{"mine.toml": {Data: []byte("")}}
	_, _, err := Load("lihgt", user)
	if err == nil || !strings.Contains(err.Error(), "catppuccin-mocha, dark, gruvbox, high-contrast, light, mine, mono, nord") {
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
	for _, want := range []string{"mine.toml: without text, muted, ", `mine.toml:4:1: role tool: "purple"`, `mine.toml:5:1: there is no role "usr"`} {
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

func TestBrokenFileNamesItsPlace(t *testing.T) {
	for data, want := range map[string]string{
		"dark = true\n[roles\n":                 "mine.toml:2:7: ",
		"dark = true\n  font = \"x\"":           `mine.toml:2:3: no such setting "font"`,
		"dark = 3\n":                            "mine.toml:1:8: dark must be true or false",
		"dark = true\nroles = 5\n":              "mine.toml:2:9: roles must be a table: [roles]",
		"dark = true\n[roles]\ntext = [1, 2]\n": "mine.toml:3:8: roles.text must be a text in quotes",
	} {
		_, _, err := Load("mine", fstest.MapFS{"mine.toml": {Data: []byte(data)}})
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func TestWrongColoursNameTheirPlace(t *testing.T) {
	data := "background = \"puce\"\n[roles]\nuser = \"bold on\"\n[ansi]\n  code = \"#ggg\"\n"
	_, warnings, err := Load("dark", fstest.MapFS{"dark.toml": {Data: []byte(data)}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`dark.toml:1:1: background: "puce"`, "dark.toml:3:1: role user: a colour is missing", `dark.toml:5:3: role code: "#ggg"`}
	if len(warnings) != len(want) {
		t.Fatalf("%q", warnings)
	}
	for i := range want {
		if !strings.HasPrefix(warnings[i], want[i]) {
			t.Errorf("%q, want %q", warnings[i], want[i])
		}
	}
}

func FuzzParseStyle(f *testing.F) {
	f.Add("bold #fff on #123456")
	f.Add("on")
	f.Fuzz(func(_ *testing.T, spec string) { _, _ = parseStyle(spec) })
}
