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
