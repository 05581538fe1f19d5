package tui

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/themes"
)

// BenchmarkBoundariesFrame measures a key and the screen it leads to, in a
// session of 100,000 messages at 200×60, in segments of the given number of
// messages. The goal is 8 ms at the 99th percentile.
func BenchmarkBoundariesFrame(b *testing.B) {
	dark, _, err := themes.Load("dark", nil)
	if err != nil {
		b.Fatal(err)
	}
	never := func(time.Duration, tea.Msg) tea.Cmd { return nil }
	const n = 100_000
	messages := make([]chat.Message, n)
	at := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	for i := range messages {
		at = at.Add(time.Duration(i%200) * time.Second)
		messages[i] = chat.Message{
			N: i + 1, Role: chat.Assistant, Content: "What an assistant says before it calls a tool, at some length.",
			ToolCalls: []chat.ToolCall{{Name: "terminal", Arguments: `{"command":"go test ./..."}`}}, Timestamp: at.Format(time.RFC3339),
		}
	}
	for _, long := range []int{1000, 20, 1} {
		for _, keys := range [][]string{{"j"}, {"pgdown"}, {"j", "s", "u"}, {"J", "K"}, {"M", "u"}} {
			b.Run(fmt.Sprintf("%d/%v", long, keys), func(b *testing.B) {
				lib := &fakeLibrary{messages: messages}
				for from := 1; from <= n; from += long {
					lib.segments = append(lib.segments, review.Segment{
						ID: fmt.Sprintf("%08x-0000-4000-8000-000000000000", from), SessionID: "long", Body: 1, Start: from, End: min(n, from+long-1),
						Verdict: review.Verdicts[from%4], CutBy: review.CutOffline, Topic: "A task of a few messages",
					})
				}
				x := &harness{lib: lib, pane: &fakePane{}}
				x.app = newApp(Options{Library: lib, Editor: &fakeEditor{lib: lib}, Themes: []themes.Styles{dark}, Theme: "dark", After: never}, x.pane)
				x.run(x.app.Init())
				x.send(tea.WindowSizeMsg{Width: 200, Height: 60})
				x.pane.number = n / 2
				x.send(keyOf("tab"))
				x.send(keyOf("b"))
				x.send(keyOf("c"))
				for b.Loop() {
					for _, key := range keys {
						_, cmd := x.app.Update(keyOf(key))
						x.app.View()
						b.StopTimer()
						x.run(cmd) // the database is another benchmark's
						b.StartTimer()
					}
				}
			})
		}
	}
}
