// Package screentest runs one layer without the program and without waiting: it
// presses keys, runs the commands that come back until none is left, and tells
// what is shown.
package screentest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/themes"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// Run is a layer that is open.
type Run struct {
	T     testing.TB
	Layer screen.Layer
	Frame screen.Frame
	// Said is what the footer says since the last key.
	Said string
	// Left reports whether the layer was left. WentTo is the segment that it went to.
	Left   bool
	WentTo string
	// Filter is what the list is filtered by.
	Filter filter.Node
	// Hold keeps commands back until Release, which runs those in Held.
	Hold bool
	Held []tea.Cmd
	// Passed is how much time has.
	Passed time.Duration

	rows    []keys.Binding
	also    []tea.Cmd // what is to be run
	timers  []func()
	typed   screen.Line // that is open
	keep    func(text string)
	version int64
	stop    context.CancelFunc
}

// Start opens a layer with its rows in a frame of w by h cells. with changes the run
// before that, its filter.
func Start[L screen.Layer](t testing.TB, w, h int, rows []keys.Row[L], open func(screen.Seat) L, with ...func(*Run)) *Run {
	t.Helper()
	dark, _, err := themes.Load("dark", nil)
	if err != nil {
		t.Fatal(err)
	}
	pen := draw.NewPen(false)
	pen.Wear(dark)
	x := &Run{T: t, Frame: screen.Frame{Width: w, Height: h}, rows: keys.Bind(1, rows)}
	for _, f := range with {
		f(x)
	}
	ctx, stop := context.WithCancel(t.Context())
	x.stop = stop
	x.Layer = open(screen.Seat{Ctx: ctx, Pen: pen, Host: host{x}})
	x.follow()
	return x
}

// Keep ends the line that is typed with a text.
func (x *Run) Keep(text string) {
	x.keep(text)
	x.follow()
}

// Type types a text in the line instead of what is there.
func (x *Run) Type(text string) {
	if x.typed.Typed != nil {
		x.typed.Typed(text)
	}
	x.follow()
}

// PutAway closes the line with a text, "" for one that was not meant.
func (x *Run) PutAway(text string) {
	if x.typed.Away != nil {
		x.typed.Away(text)
	}
	x.follow()
}

// motions are the keys that move.
var motions = map[string]keys.Motion{
	"j": keys.LineDown, "k": keys.LineUp, "pgdown": keys.PageDown, "pgup": keys.PageUp,
	"ctrl+d": keys.HalfDown, "ctrl+u": keys.HalfUp, "g": keys.ToStart, "G": keys.ToEnd,
}

// Press presses keys, named as Bubble Tea names them, separated by spaces.
func (x *Run) Press(pressed string) {
	x.T.Helper()
	for key := range strings.FieldsSeq(pressed) {
		if x.Said = ""; x.Left {
			return
		}
		if l, ok := x.Layer.(screen.Reloader); ok && key == "ctrl+l" {
			l.Reload()
			x.follow()
			continue
		}
		if m, ok := motions[key]; ok {
			x.Layer.Move(m)
			x.follow()
			continue
		}
		i := slices.IndexFunc(x.rows, func(b keys.Binding) bool { return slices.Contains(b.Keys, key) })
		if i < 0 {
			x.T.Fatalf("no key %s", key)
		}
		if x.Said = x.rows[i].Why(x.Layer); x.Said == "" {
			x.rows[i].Run(x.Layer)
			x.follow()
		}
	}
}

// follow runs what the layer asked for, and what it needs then.
func (x *Run) follow() {
	if !x.Left {
		x.Layer.Follow(x.Frame)
	}
	also := x.also
	x.also = nil
	for _, cmd := range also {
		x.run(cmd)
	}
}

func (x *Run) run(cmd tea.Cmd) {
	switch {
	case cmd == nil:
	case x.Hold:
		x.Held = append(x.Held, cmd)
	default:
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				x.run(c)
			}
		case work.Then:
			x.run(msg())
			x.follow()
		default:
			x.T.Fatalf("%T is for nobody", msg)
		}
	}
}

// Release runs the commands that were held back, in their order.
func (x *Run) Release() {
	held := x.Held
	x.Hold, x.Held = false, nil
	for _, cmd := range held {
		x.run(cmd)
	}
}

// Take runs one command that was held back.
func (x *Run) Take(cmd tea.Cmd) { x.run(cmd) }

// Change tells the layer that the database changed.
func (x *Run) Change() {
	x.version++
	if w, ok := x.Layer.(screen.Watcher); ok {
		w.Changed(x.version)
		x.follow()
	}
}

// Tick fires the timers that are set, once.
func (x *Run) Tick() {
	timers := x.timers
	x.timers = nil
	for _, do := range timers {
		if !x.Left {
			do()
			x.follow()
		}
	}
}

// Lines returns what is shown, without styles.
func (x *Run) Lines() []string {
	var lines []string
	switch l := x.Layer.(type) {
	case screen.Screen:
		lines = append([]string{draw.JoinParts(l.Header(x.Frame.Width))}, l.Lines(x.Frame.Width, x.Frame.Height)...)
	case screen.Box:
		lines = l.Box(x.Frame.Height)
	}
	for i := range lines {
		lines[i] = ansi.Strip(lines[i])
	}
	return lines
}

// Screen returns what is shown as one text, with what the footer says.
func (x *Run) Screen() string { return strings.Join(append(x.Lines(), x.Said), "\n") }

// Marked returns the lines with the mark of a cursor, without it.
func (x *Run) Marked() []string {
	var marked []string
	for _, l := range x.Lines() {
		if rest, ok := strings.CutPrefix(l, draw.GlyphsFor(false).Mark); ok {
			marked = append(marked, strings.TrimSpace(rest))
		}
	}
	return marked
}

// Wants fails the test unless all texts are shown.
func (x *Run) Wants(texts ...string) {
	x.T.Helper()
	for _, text := range texts {
		if !strings.Contains(x.Screen(), text) {
			x.T.Errorf("no %q in\n%s", text, x.Screen())
		}
	}
}

// host is the program of the test.
type host struct{ x *Run }

func (h host) Say(text string) { h.x.Said = text }

func (h host) Fail(what string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		h.x.Said = what + ": " + err.Error()
	}
}

func (h host) Key(action string) string {
	for _, b := range h.x.rows {
		if b.Name == action {
			return b.Keys[0]
		}
	}
	if action == keys.Reload {
		return "ctrl+l"
	}
	return ":" + action
}

func (h host) KeyOfList(action string) string { return action }

func (h host) WayBack() string { return h.Key(keys.Back) }

func (h host) Act(action string) { h.x.Press(h.Key(action)) }

func (h host) Type(l screen.Line, keep func(string)) { h.x.typed, h.x.keep = l, keep }

func (h host) After(_ time.Duration, do func()) { h.x.timers = append(h.x.timers, do) }

func (h host) Run(cmd tea.Cmd) { h.x.also = append(h.x.also, cmd) }

func (h host) Now() time.Time { return time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC).Add(h.x.Passed) }

func (h host) Day(t time.Time) string { return t.Format("2 Jan 15:04") }

func (h host) ShortPath(path string) string {
	return clean.Line(strings.Replace(path, "/home/ann/", "~/", 1))
}

func (h host) Filter() (filter.Node, string) { return h.x.Filter, filter.Print(h.x.Filter) }

func (h host) GoTo(segment string) { h.x.WentTo = segment }

func (h host) Leave() {
	h.x.Left = true
	h.x.stop()
}
