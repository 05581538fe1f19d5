package main

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/cmd/winnow/desk"
	"winnow/core/export"
	"winnow/tui"
)

// driven is the screen over a real database, without a terminal and without
// waiting: commands run when they are given, timers when a test fires them.
type driven struct {
	t         testing.TB
	options   tui.Options
	app       *tui.App
	timers    []tea.Msg
	pending   []tea.Cmd // commands that a test keeps back
	delay     func() bool
	quit      bool
	clipboard string // what was copied last
}

// drive opens the screen on the database of the bench and calls f with it.
// What the screen exports goes into a folder of the test.
func (b *bench) drive(f func(*driven), args ...string) {
	b.t.Helper()
	env := b.env
	b.env.stdinTTY, b.env.stdoutTTY = true, true
	b.env.show = func(ctx context.Context, o tui.Options) error {
		// Until this is loaded, each segment is a row of its own.
		if err := o.Library.(desk.Library).Warm(ctx); err != nil {
			return err
		}
		d := b.driven(o)
		d.start(120, 40)
		f(d)
		d.settle()
		return nil
	}
	b.ok(append([]string{}, args...)...)
	b.env = env
}

// driven returns the screen of some options, not started yet.
func (b *bench) driven(o tui.Options) *driven {
	d := &driven{t: b.t}
	o.Finder = nil // what it imports it would follow, too
	if o.Exporting != nil {
		o.Exporting = exportingInto{o.Exporting, b.t.TempDir()}
	}
	o.After = func(_ time.Duration, msg tea.Msg) tea.Cmd {
		d.timers = append(d.timers, msg)
		return nil
	}
	d.options = o
	return d
}

// exportingInto exports into a folder, whatever path is asked for.
type exportingInto struct {
	tui.Exporting
	dir string
}

// Export implements tui.Exporting.
func (e exportingInto) Export(ctx context.Context, o export.Options, progress func(export.Report)) (export.Report, error) {
	if o.Path != "" && !filepath.IsAbs(o.Path) {
		folder := strings.HasSuffix(o.Path, "/")
		name := strings.Map(func(r rune) rune {
			if r < ' ' || strings.ContainsRune(`/\:`, r) {
				return '_'
			}
			return r
		}, o.Path)
		o.Path = filepath.Join(e.dir, "x"+name[:min(len(name), 60)])
		if folder {
			o.Path += "/"
		}
	}
	return e.Exporting.Export(ctx, o, progress)
}

// start starts the program.
func (d *driven) start(w, h int) {
	d.quit, d.timers, d.pending = false, nil, nil
	d.app = tui.New(d.options)
	d.run(d.app.Init())
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
}

// send delivers a message and everything that follows from it.
func (d *driven) send(msg tea.Msg) {
	_, cmd := d.app.Update(msg)
	d.run(cmd)
}

func (d *driven) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if d.delay != nil && d.delay() {
		d.pending = append(d.pending, cmd)
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case tea.QuitMsg:
		d.quit = true
	default:
		if strings.HasPrefix(reflect.TypeOf(msg).PkgPath(), "charm.land/") {
			if v := reflect.ValueOf(msg); v.Kind() == reflect.String {
				d.clipboard = v.String()
			}
			return // for the runtime
		}
		d.send(msg)
	}
}

// settle runs what was kept back, in the order given.
func (d *driven) settle() {
	d.delay = nil
	for len(d.pending) > 0 {
		cmd := d.pending[0]
		d.pending = d.pending[1:]
		d.run(cmd)
	}
}

// tick fires the timers that are set, once.
func (d *driven) tick() {
	timers := d.timers
	d.timers = nil
	for _, msg := range timers {
		d.send(msg)
	}
}

// rest fires timers until what follows from the last key is done: a pause of
// the hand, a question, a poll.
func (d *driven) rest() {
	for range 4 {
		d.tick()
	}
}

// press types keys, named as Bubble Tea names them, separated by spaces.
func (d *driven) press(keys string) {
	for k := range strings.FieldsSeq(keys) {
		d.send(keyNamed(k))
	}
}

// write types text into a field.
func (d *driven) write(text string) {
	for _, r := range text {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// screen returns what is shown, without styles.
func (d *driven) screen() string { return ansi.Strip(d.app.View().Content) }

var keyCodes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "left": tea.KeyLeft, "right": tea.KeyRight, "backspace": tea.KeyBackspace, "space": tea.KeySpace,
	"delete": tea.KeyDelete, "insert": tea.KeyInsert, "f1": tea.KeyF1,
}

func keyNamed(name string) tea.KeyPressMsg {
	var mod tea.KeyMod
	for prefix, m := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "shift+": tea.ModShift, "alt+": tea.ModAlt} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
			name, mod = rest, mod|m
		}
	}
	if code, ok := keyCodes[name]; ok {
		k := tea.KeyPressMsg{Code: code, Mod: mod}
		if name == "space" && mod == 0 {
			k.Text = " "
		}
		return k
	}
	r := []rune(name)[0]
	if mod != 0 {
		return tea.KeyPressMsg{Code: r, Mod: mod}
	}
	return tea.KeyPressMsg{Code: r, Text: name}
}

// wants fails the test unless the screen holds all texts.
func (d *driven) wants(texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		if !strings.Contains(d.screen(), text) {
			d.t.Fatalf("no %q on the screen:\n%s", text, d.screen())
		}
	}
}
