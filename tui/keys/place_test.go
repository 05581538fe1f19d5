package keys

import "testing"

func TestEveryPlaceHasAName(t *testing.T) {
	names, called := map[string]bool{}, Names()
	for in := InList; in < 1<<places; in <<= 1 {
		if names[called[in]] || called[in] == "" {
			t.Errorf("place %d is called %q", in, called[in])
		}
		names[called[in]] = true
	}
}
