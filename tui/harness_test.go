package tui

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"winnow/themes"
	room "winnow/tui/review"
	"winnow/tui/work"
)

// harness runs a screen without a terminal and without waiting: it feeds
// messages, runs the commands that come back until none is left, and keeps
// timers for the test to fire.
type harness struct {
	t       *testing.T
	app     *App
	options Options
	lib     *fakeLibrary
	pane    *fakePane
	timers  []timer
	quit    bool
	// clipboard is what was copied last.
	clipboard string
	held      []tea.Cmd // commands kept back while hold is set
	hold      bool
	moving    bool // the selection has no rest until a tick
}

type timer struct {
	after time.Duration
	msg   tea.Msg
}

func start(t *testing.T, lib *fakeLibrary, w, h int, with ...func(*Options)) *harness {
	t.Helper()
	x := prepare(t, lib, with...)
	x.run(x.app.Init())
	x.send(tea.WindowSizeMsg{Width: w, Height: h})
	return x
}

func prepare(t *testing.T, lib *fakeLibrary, with ...func(*Options)) *harness {
	t.Helper()
	x := &harness{t: t, lib: lib, pane: &fakePane{lib: lib}}
	o := Options{
		Library: lib, Curator: "ann", Place: "~/sessions", Theme: "dark",
		Now: func() time.Time { return someday },
		After: func(d time.Duration, msg tea.Msg) tea.Cmd {
			if d == room.RestAfter && !x.moving {
				return func() tea.Msg { return msg }
			}
			x.timers = append(x.timers, timer{d, msg})
			return nil
		},
	}
	for _, name := range []string{"dark", "light"} {
		s, _, err := themes.Load(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		o.Themes = append(o.Themes, s)
	}
	for _, f := range with {
		f(&o)
	}
	x.app, x.options = newApp(o, x.pane), o
	return x
}

// send delivers a message and everything that follows from it.
func (x *harness) send(msg tea.Msg) {
	_, cmd := x.app.Update(msg)
	x.run(cmd)
}

func (x *harness) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if x.hold {
		x.held = append(x.held, cmd)
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			x.run(c)
		}
	case tea.QuitMsg:
		x.quit = true
	default:
		if reflect.TypeOf(msg) == reflect.TypeOf(tea.SetClipboard("")()) {
			x.clipboard = reflect.ValueOf(msg).String()
		}
		if strings.HasPrefix(reflect.TypeOf(msg).PkgPath(), "charm.land/") {
			return // for the runtime: clear, suspend, ask the terminal
		}
		x.send(msg)
	}
}

// progress is when the jobs are looked at.
func (x *harness) progress() {
	timers := x.timers
	x.timers = nil
	for _, t := range timers {
		if _, job := t.msg.(work.Then); job && t.after < time.Second {
			x.send(t.msg)
		} else {
			x.timers = append(x.timers, t)
		}
	}
}

// workBehind runs in a goroutine what is looked for; the function it returns delivers
// its end.
func (x *harness) workBehind(look tea.Cmd) (finish func()) {
	job := look().(work.Then)() // the harness has no timer beside it
	ended := make(chan tea.Msg)
	go func() { ended <- job() }()
	return func() { x.send(<-ended) }
}

// answers are what commands bring, which nobody is told yet.
func answers(cmds ...tea.Cmd) (all []tea.Msg) {
	for _, cmd := range cmds {
		if cmd == nil {
			continue
		}
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			all = append(all, answers(msg...)...)
		default:
			all = append(all, msg)
		}
	}
	return all
}

// release runs the commands that were held back, in the order given.
func (x *harness) release() {
	x.hold = false
	cmds := x.held
	x.held = nil
	for _, c := range cmds {
		x.run(c)
	}
}

// press types keys, named as Bubble Tea names them, separated by spaces.
func (x *harness) press(keys string) {
	x.t.Helper()
	for k := range strings.FieldsSeq(keys) {
		x.send(keyOf(k))
	}
}

// write types text into a field.
func (x *harness) write(text string) {
	for _, r := range text {
		x.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

var namedKeys = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "left": tea.KeyLeft, "right": tea.KeyRight, "backspace": tea.KeyBackspace, "space": tea.KeySpace,
}

func keyOf(name string) tea.KeyPressMsg {
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: []rune(rest)[0], Mod: tea.ModCtrl}
	}
	if rest, ok := strings.CutPrefix(name, "shift+"); ok {
		return tea.KeyPressMsg{Code: namedKeys[rest], Mod: tea.ModShift}
	}
	if code, ok := namedKeys[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	r := []rune(name)[0]
	return tea.KeyPressMsg{Code: r, Text: name}
}

// tick fires the timers that are set, once.
func (x *harness) tick() {
	timers := x.timers
	x.timers = nil
	for _, t := range timers {
		x.send(t.msg)
	}
}

// screen returns what is shown, without styles.
func (x *harness) screen() string { return ansi.Strip(x.app.View().Content) }

// uncoloured returns what a terminal shows that is asked for no colours.
func (x *harness) uncoloured() []byte {
	x.t.Helper()
	var out bytes.Buffer
	w := colorprofile.Writer{Forward: &out, Profile: colorprofile.ASCII}
	if _, err := w.WriteString(x.app.View().Content); err != nil {
		x.t.Fatal(err)
	}
	return out.Bytes()
}

// wantsASCII fails the test if the screen draws anything but ASCII characters
// beside the recorded text of the samples.
func (x *harness) wantsASCII() {
	x.t.Helper()
	for _, r := range x.screen() {
		if r > unicode.MaxASCII && !strings.ContainsRune("␛数据库", r) {
			x.t.Fatalf("%q on an ASCII screen:\n%s", r, x.screen())
		}
	}
}

// lines returns the lines of the screen without styles.
func (x *harness) lines() []string { return strings.Split(x.screen(), "\n") }

func (x *harness) footer() string {
	l := x.lines()
	return l[len(l)-1]
}

// selected returns the short id of the selected segment.
func (x *harness) selected() string {
	if s := x.app.List.Selected(); s != nil {
		return s.Short()
	}
	return ""
}

// wants fails the test unless the screen holds all texts.
func (x *harness) wants(texts ...string) {
	x.t.Helper()
	for _, text := range texts {
		if !strings.Contains(x.screen(), text) {
			x.t.Errorf("no %q on the screen:\n%s", text, x.screen())
		}
	}
}

// marked returns the line with the mark of the cursor, without it.
func (x *harness) marked() string {
	for _, l := range x.lines() {
		if rest, ok := strings.CutPrefix(l, x.app.G.Mark); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}
