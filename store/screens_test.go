package store

import "testing"

func TestHowAScreenLookedIsKeptByCurator(t *testing.T) {
	s := openTemp(t)
	seen, err := s.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"ann", `{"version":1}`}, {"ben", `{}`}, {"ann", `{"version":2}`}} {
		if err := s.KeepScreen(t.Context(), c[0], c[1]); err != nil {
			t.Fatal(err)
		}
	}
	for curator, want := range map[string]string{"ann": `{"version":2}`, "ben": `{}`, "cat": ""} {
		if got, err := s.Screen(t.Context(), curator); err != nil || got != want {
			t.Errorf("%s: %s %v", curator, got, err)
		}
	}
	if v, err := s.Version(t.Context()); err != nil || v != seen {
		t.Errorf("version %d of %d: %v", v, seen, err)
	}
	clean(t, s)
}
