package export

import (
	"context"
	"strconv"
	"testing"

	"winnow/core/export"
	"winnow/core/review"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
)

// half looks through half of all segments, then waits for the test.
type half struct {
	x    *screentest.Run
	seen int
}

func (half) Version(context.Context) (int64, error) { return 1, nil }

func (h *half) Export(_ context.Context, _ export.Options, progress func(export.Report)) (export.Report, error) {
	progress(export.Report{Candidates: 77, Written: 70, Rows: 70})
	if h.x != nil {
		h.seen++
		h.x.Tick()
		h.x.Wants("checking 77", "So far", "70  samples of 77 segments")
	}
	return export.Report{Candidates: 154, Written: 140, Rows: 140}, nil
}

// alone is a program that does nothing else.
type alone struct{}

func (alone) Searching() string       { return "" }
func (alone) Totals() review.Totals   { return review.Totals{Segments: 154} }
func (alone) Writing() bool           { return false }
func (alone) Run(export.Options, int) {}
func (alone) Running() bool           { return false }
func (alone) Made() *Made             { return nil }

// TestShowsWhatWasCheckedSoFar: and all of it when it came.
func TestShowsWhatWasCheckedSoFar(t *testing.T) {
	lib := &half{}
	x := screentest.Start(t, 80, 24, Rows(), func(s screen.Seat) *Screen { return New(s, alone{}, &Form{}, lib) })
	lib.x = x
	x.Layer.(screen.Reloader).Reload()
	x.Press("j")
	x.Wants("It would write", "140  samples of 154 segments")
	if lib.seen != 1 {
		t.Errorf("looked %d times while it was checked", lib.seen)
	}
}

// many is a report with more lines than a screen has.
type many struct{}

func (many) Version(context.Context) (int64, error) { return 1, nil }

func (many) Export(context.Context, export.Options, func(export.Report)) (export.Report, error) {
	r := export.Report{Candidates: 40, Written: 40, Rows: 40}
	for i := range 40 {
		r.Types = append(r.Types, export.Group{Name: "type " + strconv.Itoa(i), Samples: 1})
	}
	return r, nil
}

// TestDrawingChangesNothing: whatever it is drawn into, the next frame is as the one
// before.
func TestDrawingChangesNothing(t *testing.T) {
	x := screentest.Start(t, 120, 30, Rows(), func(s screen.Seat) *Screen { return New(s, alone{}, &Form{}, many{}) })
	for _, pressed := range []string{"j j", "tab g pgdown", "k"} {
		x.Press(pressed)
		before := x.Screen()
		x.Layer.(*Screen).Lines(120, 12)
		x.Layer.(*Screen).Lines(60, 8)
		if after := x.Screen(); after != before {
			t.Errorf("%s: it was\n%s\nand is\n%s", pressed, before, after)
		}
	}
}
