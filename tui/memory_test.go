package tui

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/metric"
	"winnow/tui/screens/ledger/ledgertest"
	"winnow/tui/screens/statistics/statisticstest"
)

// heapNow returns what is on the heap and still needed, in bytes.
func heapNow() int64 {
	runtime.GC()
	runtime.GC() // what finalizers held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestMemoryIsFlat: a curator who reads, judges, notes, filters and looks at
// every screen for hours needs no more memory at the end than half-way.
func TestMemoryIsFlat(t *testing.T) {
	const leak = 1 << 20 // of some hundred segments: little more than a kilobyte each
	rounds := 1000 / slower
	lib := talking(rounds+100, 4)
	lib.messages[2].Content = strings.Repeat("a line of a log\n", 16<<10) // what the reader keeps for later is full half-way
	x := prepare(t, lib, func(o *Options) {
		o.Editor = &fakeEditor{lib: lib}
		o.Statistics, o.Thresholds, o.Exporting, o.Ledger = statisticstest.Sample(), metric.DefaultThresholds(), sampleExport(), ledgertest.Sample()
	})
	x.app = New(x.options)
	x.run(x.app.Init())
	x.send(tea.WindowSizeMsg{Width: 160, Height: 45})
	now := func() int64 {
		lib.journal, lib.undone, lib.queries, lib.counts = nil, nil, nil, nil // the database's
		x.timers = nil
		return heapNow()
	}
	var half int64
	for i := range rounds {
		switch i % 10 {
		case 0:
			x.press("enter J z pgdown G g esc")
		case 1:
			x.press("tab Z } ! h h h d d tab")
		case 2:
			x.press("n")
			x.write(fmt.Sprint("note ", i))
			x.press("enter")
		case 3:
			x.press("a u U u")
		case 4:
			x.press("tab ctrl+g ctrl+u")
			x.write(fmt.Sprint("map", i))
			x.press("enter > esc esc")
		case 5:
			x.press("i esc L enter esc esc")
		case 6:
			x.press("b esc")
		case 7:
			x.typed(fmt.Sprintf("tokens>%d", i))
			x.press("enter 0")
		case 8:
			if i%100 == 8 {
				x.press("S esc e esc ? G esc")
			}
		case 9:
			x.press("n")
			x.write("put away")
			x.press("ctrl+c n esc")
		}
		x.press("a")
		x.app.View()
		x.tick()
		if i == rounds/2 {
			half = now()
		}
	}
	if grown := now() - half; grown > leak {
		t.Errorf("%d bytes more after %d segments than after %d: %d in all", grown, rounds, rounds/2, half+grown)
	} else {
		t.Logf("%d bytes half-way, %d more at the end", half, grown)
	}
	if n := x.app.Presses; n < 8*rounds {
		t.Errorf("%d keys only", n)
	}
}
