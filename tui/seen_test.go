package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/review"
	"winnow/tui/draw"
)

// fakeSights keeps what was seen, and what was written.
type fakeSights struct {
	seen   map[int64]review.Spans
	writes []review.Spans
	fail   error
}

func (s *fakeSights) Seen(_ context.Context, body int64, first, last int) (review.Spans, error) {
	return s.seen[body].Both(review.Spans{{First: first, Last: last}}), nil
}

func (s *fakeSights) See(_ context.Context, body int64, spans review.Spans) error {
	s.writes = append(s.writes, slices.Clone(spans))
	if s.fail != nil {
		return s.fail
	}
	all := s.seen[body]
	for _, a := range spans {
		all.Add(a)
	}
	s.seen[body] = all
	return nil
}

// sighted is a screen that keeps what was seen, over segments with bodies of their
// own, and a clock.
type sighted struct {
	*harness
	sights *fakeSights
	now    time.Time
}

func watch(t *testing.T, w, h int, with ...func(*Options)) *sighted {
	t.Helper()
	x := &sighted{sights: &fakeSights{seen: map[int64]review.Spans{}}, now: someday}
	lib := small(6)
	for i := range lib.segments {
		s := &lib.segments[i]
		s.Body, s.Start, s.End, s.Messages = int64(i+1), 1, 20, 20
	}
	x.harness = start(t, lib, w, h, append([]func(*Options){func(o *Options) {
		o.Sights, o.Now = x.sights, func() time.Time { return x.now }
	}}, with...)...)
	return x
}

// shows puts messages on the screen, for longer than it takes.
func (x *sighted) shows(first, last int) {
	x.pane.shown = review.Spans{{First: first, Last: last}}
	x.press("J")
	x.rest()
}

// rest lets time pass in which nothing happens.
func (x *sighted) rest() {
	x.now = x.now.Add(300 * time.Millisecond)
	x.tick()
	x.tick()
}

func (x *sighted) says(text string) {
	x.t.Helper()
	if screen := x.screen(); !strings.Contains(screen, text) {
		x.t.Errorf("no %q on\n%s", text, screen)
	}
}

// TestWhatStandsInTheReaderIsSeen: and what is only passed is not. The title and the
// list tell it at once.
func TestWhatStandsInTheReaderIsSeen(t *testing.T) {
	x := watch(t, 160, 24)
	x.says("seen 0 of 20")
	x.shows(1, 5)
	x.says("seen 5 of 20")
	x.pane.shown = review.Spans{{First: 6, Last: 9}} // while the timer runs
	x.press("J")
	x.pane.shown = review.Spans{{First: 12, Last: 13}}
	x.tick()
	x.says("seen 5 of 20")
	x.tick()
	x.says("seen 7 of 20")
	if row := x.row(); !strings.Contains(row, "▃") {
		t.Errorf("no mark in %q", row)
	}
	x.press("?") // nobody reads after it
	x.pane.shown = review.Spans{{First: 14, Last: 20}}
	x.rest()
	x.pane.shown = nil
	x.press("esc")
	x.says("seen 7 of 20")
}

// row is the selected row of the list.
func (x *sighted) row() string {
	lines := strings.Split(x.screen(), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "▌") })
	if at < 0 {
		return ""
	}
	return lines[at]
}

// TestSeenIsWrittenNowAndThen: not for each frame, when the segment is left, with a
// verdict, at the end; and nothing where nothing is new.
func TestSeenIsWrittenNowAndThen(t *testing.T) {
	x := watch(t, 160, 24)
	written := func(what string, want int) {
		t.Helper()
		if len(x.sights.writes) != want {
			t.Errorf("%s: written %v", what, x.sights.writes)
		}
	}
	x.shows(1, 2)
	x.press("J")
	written("at first", 1)
	for n := 3; n < 9; n++ {
		x.shows(n, n)
	}
	written("within two seconds", 1)
	x.now = x.now.Add(3 * time.Second)
	x.press("J")
	written("while reading", 2)
	x.shows(5, 8)
	x.now = x.now.Add(3 * time.Second)
	x.press("J")
	written("seen before", 2)
	x.shows(9, 9)
	x.pane.shown = nil
	x.press("j")
	written("another segment", 3)
	x.now = x.now.Add(3 * time.Second)
	x.press("k J")
	x.says("seen 9 of 20")
	x.shows(1, 9)
	x.now = x.now.Add(3 * time.Second)
	x.press("J")
	written("seen earlier", 3)
	x.shows(10, 10)
	x.pane.shown = nil
	x.press("a")
	written("a verdict", 4)
	x.pane.shown = review.Spans{{First: 3, Last: 3}}
	x.press("J")
	x.rest()
	x.sights.writes = nil
	x.app.leaveSeen()
	written("the end", 1)
}

// TestSeenThatWasNotWrittenIsTriedAgain without a word, and nothing is written to a
// read-only database.
func TestSeenThatWasNotWrittenIsTriedAgain(t *testing.T) {
	x := watch(t, 160, 24)
	x.sights.fail = errors.New("busy")
	x.shows(1, 2)
	x.press("J")
	if screen := x.screen(); len(x.sights.writes) != 1 || strings.Contains(screen, "busy") {
		t.Errorf("%v\n%s", x.sights.writes, screen)
	}
	x.sights.fail = nil
	x.now = x.now.Add(3 * time.Second)
	x.press("J")
	if n := x.sights.seen[x.app.Opened.Body].Count(1, 20); n != 2 {
		t.Errorf("%d kept", n)
	}
	y := watch(t, 160, 24, func(o *Options) { o.ReadOnly = true })
	y.shows(1, 2)
	y.now = y.now.Add(3 * time.Second)
	y.press("J j")
	y.app.leaveSeen()
	if len(y.sights.writes) > 0 {
		t.Errorf("written %v", y.sights.writes)
	}
}

// TestSeenHasACellOfTheList that is aligned, in both sets of signs, and falls away
// where topics need it.
func TestSeenHasACellOfTheList(t *testing.T) {
	for share, want := range map[float64][2]string{
		0: {" ", " "}, 0.01: {"▁", "1"}, 0.5: {"▅", "6"}, 0.99: {"▇", "9"}, 1: {"█", "#"}, 1.5: {"█", "#"}, -1: {" ", " "},
	} {
		for i, ascii := range []bool{false, true} {
			if got := draw.GlyphsFor(ascii).SeenShare(share); got != want[i] {
				t.Errorf("%v: %q, want %q", share, got, want[i])
			}
		}
	}
	for _, w := range []int{40, 60, 80, 130, 200} {
		x := watch(t, w, 24)
		x.lib.segments[1].Seen, x.lib.segments[2].Seen = 20, 99 // more than there are is all
		x.press("ctrl+l")
		lines := x.lines()
		head, first, second := lines[1], lines[2], rowOf(x.harness, "number 1")
		if at := strings.Index(head, "topic"); at < 0 || !strings.HasPrefix(cut(first, at), "Task number 0") || !strings.HasPrefix(cut(second, at), "Task number 1") {
			t.Errorf("%d cells:\n%s\n%s\n%s", w, head, first, second)
		}
		if !strings.HasPrefix(second, " ●█ ") {
			t.Errorf("%d cells: %q", w, second)
		}
	}
	x := watch(t, 40, 24, func(o *Options) { o.Order = review.Newest })
	for i := range x.lib.segments {
		score := 0.5
		x.lib.segments[i].Score, x.lib.segments[i].Seen = &score, 20
	}
	x.press("ctrl+l")
	if row := rowOf(x.harness, "number 1"); strings.Contains(row, "█") {
		t.Errorf("%q", row)
	}
}

// cut returns what is in a line from a cell on.
func cut(line string, at int) string { return ansi.TruncateLeft(line, at, "") }

// TestSeenOfNothing: a segment without messages, a reader that shows none, and one that
// cannot be seen.
func TestSeenOfNothing(t *testing.T) {
	x := watch(t, 160, 24)
	x.lib.segments[0].Messages, x.lib.segments[0].End = 0, 0
	x.press("ctrl+l")
	x.shows(1, 1)
	x.says("seen 0 of 0")
	x.press("a")
	if strings.Contains(x.app.Message.Text, "seen") {
		t.Error(x.app.Message.Text)
	}
	x.sights.writes = nil
	x.send(tea.WindowSizeMsg{Width: 80, Height: 24}) // the list alone
	x.shows(1, 9)
	x.now = x.now.Add(3 * time.Second)
	x.press("j")
	if len(x.sights.writes) > 0 {
		t.Errorf("written %v", x.sights.writes)
	}
	x.press("enter")
	x.shows(1, 9)
	x.says("seen 9 of 20")
	x.send(tea.WindowSizeMsg{Width: 20, Height: 5}) // too small
	x.shows(10, 20)
	x.send(tea.WindowSizeMsg{Width: 160, Height: 24})
	x.says("seen 9 of 20")
}

// TestHeldKeysSeeNothing: nobody reads what a key that is held makes pass.
func TestHeldKeysSeeNothing(t *testing.T) {
	x := watch(t, 160, 24)
	x.pane.shown = review.Spans{{First: 1, Last: 3}}
	x.press("J")
	for range 8 {
		x.press("J")
	}
	x.tick()
	x.says("seen 0 of 20")
	x.tick()
	x.says("seen 3 of 20")
}
