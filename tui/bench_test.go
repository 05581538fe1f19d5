package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/themes"
)

// BenchmarkFrame measures a key and the screen it leads to, at 100,000 rows
// and 200×60. The goal is 8 ms at the 99th percentile, reader included.
func BenchmarkFrame(b *testing.B) {
	dark, _, err := themes.Load("dark", nil)
	if err != nil {
		b.Fatal(err)
	}
	never := func(time.Duration, tea.Msg) tea.Cmd { return nil }
	lib := small(100_000)
	for _, bench := range []struct{ name, key string }{{"move", "j"}, {"verdict", "a"}} {
		b.Run(bench.name, func(b *testing.B) {
			x := &harness{lib: lib, pane: &fakePane{}}
			x.app = newApp(Options{Library: lib, Themes: []themes.Styles{dark}, Theme: "dark", After: never}, x.pane)
			x.run(x.app.Init())
			x.send(tea.WindowSizeMsg{Width: 200, Height: 60})
			for b.Loop() {
				_, cmd := x.app.Update(keyOf(bench.key))
				x.app.View()
				b.StopTimer()
				x.run(cmd) // the database is another benchmark's
				b.StartTimer()
			}
		})
	}
}
