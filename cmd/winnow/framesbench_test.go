package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// BenchmarkKeyToNext measures a verdict over a real database, from the key to
// the screen that shows the next segment, its text read and drawn. The goal is
// 16 ms at the 99th percentile, which is what it reports as ns/op.
func BenchmarkKeyToNext(b *testing.B) {
	home := curatorBench(b)
	home.drive(func(d *driven) {
		d.send(tea.WindowSizeMsg{Width: 200, Height: 60})
		d.rest()
		d.press("g")
		var took []time.Duration
		for b.Loop() {
			for _, key := range strings.Fields("a r f a") {
				began := time.Now()
				d.press(key)
				d.app.View()
				took = append(took, time.Since(began))
			}
			d.press("u u u u g") // so that there is always a next one
		}
		slices.Sort(took)
		ms := func(i int) float64 { return float64(took[i].Microseconds()) / 1000 }
		b.ReportMetric(ms(len(took)/2), "ms/median")
		b.ReportMetric(ms(len(took)*99/100), "ms/p99")
		b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "ns/op")
	})
}
