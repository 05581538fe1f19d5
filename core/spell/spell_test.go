package spell

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		x, y string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"score", "score", 0}, {"scroe", "score", 1}, {"scor", "score", 1},
		{"sscore", "score", 1}, {"scare", "score", 1}, {"ca", "abc", 3}, {"notiz", "note", 2}, {"grün", "grun", 2},
	} {
		if got := Distance(c.x, c.y); got != c.want {
			t.Errorf("%q is %d from %q, want %d", c.x, got, c.y, c.want)
		}
		if got := Distance(c.y, c.x); got != c.want {
			t.Errorf("%q is %d from %q, want %d", c.y, got, c.x, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"filter", "limit", "json", "verdict", "-score", "score"}
	for typed, want := range map[string]string{
		"fliter": "filter", "FILTER": "filter", "limi": "limit", "jsno": "json", "scroe": "score", "verdicts": "verdict", "nonsense": "", "": "", "x": "",
	} {
		if got := Nearest(typed, names); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
	if got, want := Known("jso", names[2:3]), "did you mean json? known are json"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
