package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAThemeThatDoesNotLoadStopsNothing: the screen comes up with the standard
// one, and it is told what is wrong with the file.
func TestAThemeThatDoesNotLoadStopsNothing(t *testing.T) {
	b := newBench(t)
	b.env.stdout, b.env.stderr = &b.stdout, &b.stderr
	p := &cli{env: b.env}
	dir := p.env.ThemesDir()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "torn.toml"), []byte("[roles\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.vars["WINNOW_THEME"] = "torn"
	c, err := p.config()
	if err != nil {
		t.Fatal(err)
	}
	all, chosen := p.screenThemes(c)
	if len(all) < 7 || chosen != "" {
		t.Errorf("%d themes, %q is worn", len(all), chosen)
	}
	if said := b.stderr.String(); !strings.Contains(said, "torn.toml:1") {
		t.Errorf("said %q", said)
	}
}
