package tui

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/themes"
)

// vastLibrary answers at once out of many rows, as if all passed any filter:
// what is measured is the screen.
type vastLibrary struct{ *fakeLibrary }

func (l vastLibrary) Segments(_ context.Context, q review.Query) (review.Page, error) {
	rows := slices.Clone(l.segments[:q.Limit])
	return review.Page{Segments: rows, First: review.CursorOf(q.Order, &rows[0]), Last: review.CursorOf(q.Order, &rows[len(rows)-1]), More: true}, nil
}

func (l vastLibrary) Count(context.Context, filter.Node) (review.Counts, error) {
	c := review.Counts{Segments: len(l.segments), ByVerdict: map[review.Verdict]int{review.Approved: 9}, Scored: len(l.segments)}
	for i := range c.Histogram {
		c.Histogram[i] = i * 100
	}
	return c, nil
}

func (l vastLibrary) Values(_ context.Context, _ filter.Field, _ string, _ filter.Node, limit int) ([]filter.Candidate, error) {
	values := make([]filter.Candidate, limit)
	for i := range values {
		values[i] = filter.Candidate{Value: fmt.Sprintf("a value of middling length, number %d", i), Count: i}
	}
	return values, nil
}

// framesOf types text into the filter line as a hand does, with results and
// completions coming in, and returns how long each message and the screen it
// leads to took.
func framesOf(x *harness, text string) []time.Duration {
	var frames []time.Duration
	frame := func(msg tea.Msg) tea.Cmd {
		began := time.Now()
		_, cmd := x.app.Update(msg)
		x.app.View()
		frames = append(frames, time.Since(began))
		return cmd
	}
	var run func(cmd tea.Cmd)
	run = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				run(c)
			}
		default:
			run(frame(msg))
		}
	}
	for _, r := range text {
		run(frame(tea.KeyPressMsg{Code: r, Text: string(r)}))
		timers := x.timers
		x.timers = nil
		for _, t := range timers {
			run(frame(t.msg))
		}
	}
	slices.Sort(frames)
	return frames
}

// startVast starts a screen of 200×60 on many rows.
func startVast(fatal func(...any), rows int) *harness {
	dark, _, err := themes.Load("dark", nil)
	if err != nil {
		fatal(err)
	}
	lib := vastLibrary{small(rows)}
	for i := range lib.segments {
		score := float64(i%1000) / 1000
		lib.segments[i].Score = &score
	}
	x := &harness{lib: lib.fakeLibrary, pane: &fakePane{}}
	after := func(d time.Duration, msg tea.Msg) tea.Cmd {
		x.timers = append(x.timers, timer{d, msg})
		return nil
	}
	x.app = newApp(Options{Library: lib, Themes: []themes.Styles{dark}, Theme: "dark", After: after}, x.pane)
	x.run(x.app.Init())
	x.send(tea.WindowSizeMsg{Width: 200, Height: 60})
	x.timers = nil
	return x
}

// BenchmarkTyping measures the frames of typing a filter with 200,000 segments
// after it, text and results and completions. No frame may take 16 ms.
func BenchmarkTyping(b *testing.B) {
	x := startVast(b.Fatal, 200_000)
	var all []time.Duration
	for b.Loop() {
		x.send(keyOf("/"))
		x.send(keyOf("ctrl+u"))
		all = append(all, framesOf(x, `status:pending score>=0.75 topic:"num" tag:a -has:error "connection refused" scroe:1 `)...)
		x.send(keyOf("esc"))
	}
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "ms/median")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "ms/p99")
	b.ReportMetric(float64(all[len(all)-1].Microseconds())/1000, "ms/max")
	b.ReportMetric(0, "ns/op")
}
