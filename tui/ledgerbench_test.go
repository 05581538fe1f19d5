package tui

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/ledger"
	"winnow/core/session"
	"winnow/themes"
	"winnow/tui/screens/ledger/ledgertest"
)

// BenchmarkLedgerFrame measures a key and the screen it leads to, at 20,000
// sources and 200×60.
func BenchmarkLedgerFrame(b *testing.B) {
	dark, _, err := themes.Load("dark", nil)
	if err != nil {
		b.Fatal(err)
	}
	never := func(time.Duration, tea.Msg) tea.Cmd { return nil }
	l, lib := &ledgertest.Fake{}, small(3)
	for i := range 20_000 {
		l.All = append(l.All, ledger.Source{
			ID: int64(i + 1), Path: fmt.Sprintf("/home/ann/sessions/%05d/a-session-with-a-long-name.jsonl", i), Format: "openai",
			Sessions: i % 3, Lines: session.Counts{Read: int64(i)},
		})
	}
	x := &harness{lib: lib, pane: &fakePane{}}
	x.app = newApp(Options{Library: lib, Ledger: l, Themes: []themes.Styles{dark}, Theme: "dark", After: never}, x.pane)
	x.run(x.app.Init())
	x.send(tea.WindowSizeMsg{Width: 200, Height: 60})
	x.send(keyOf("L"))
	for b.Loop() {
		_, cmd := x.app.Update(keyOf("j"))
		x.app.View()
		b.StopTimer()
		x.run(cmd) // the database is another benchmark's
		b.StartTimer()
	}
}
