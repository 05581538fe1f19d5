// Package command is the command line: every action of the table of keys by its
// name, and the verbs, which are commands that words may follow. A part of a name
// is enough if it is meant for one only.
//
// It imports tui/line, tui/keys, tui/draw and core, and knows no screen: what verbs
// there are, and how an action is done, it asks the program (Program). Tests of what
// a text means are beside it, those of the verbs are in tui.
package command

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
)

// Program is what the command line needs of the program.
type Program interface {
	// Place is where one is, below the line: the actions of it can be run.
	Place() keys.Place
	// Verbs are the commands that words may follow, in all places.
	Verbs() []Verb
	// Act does an action, as its key would.
	Act(*keys.Binding) tea.Cmd
	// Say shows a text in the footer until the next key.
	Say(text string)
}

// Verb is a command that words may follow. One that is called as an action of the
// table of keys is that without them.
type Verb struct {
	Name, Words, Help string
	In                keys.Place
	Run               func(words string) (func() tea.Cmd, error) // an error stays on the line
	Complete          func(words string) []line.Completion       // nil: nothing
	Why               func() string                              // nil: it always does something
}

// Any is how a verb runs that takes any words.
func Any(do func(words string) tea.Cmd) func(words string) (func() tea.Cmd, error) {
	return func(words string) (func() tea.Cmd, error) { return func() tea.Cmd { return do(words) }, nil }
}

// Line is a command being typed.
type Line struct {
	line.Line
	pen     *draw.Pen
	keys    *keys.Table
	program Program
}

// New returns the command line; memory has the commands of before.
func New(pen *draw.Pen, table *keys.Table, memory *line.Memory, program Program) *Line {
	l := &Line{pen: pen, keys: table, program: program}
	l.Line = line.Line{Label: " :", In: keys.InCommand, Depth: 1, Menu: true, Memory: memory, Use: l}
	return l
}

// Changed offers what may be meant.
func (l *Line) Changed(bool) tea.Cmd {
	l.Err, l.Popup = nil, l.offer(l.Text())
	return nil
}

// Keep runs the command.
func (l *Line) Keep(text string) (func() tea.Cmd, error) {
	if text = strings.TrimSpace(text); text == "" {
		return func() tea.Cmd { l.Drop(); return nil }, nil
	}
	run, err := l.parse(text)
	return func() tea.Cmd {
		l.Drop()
		l.Memory.Keep(text)
		return run()
	}, err
}

// PutAway keeps the text for the next time.
func (l *Line) PutAway(text string) {
	if l.Memory.Draft = strings.TrimSpace(text); l.Memory.Draft != "" {
		l.program.Say("command put away: " + l.keys.Key(keys.Command, l.program.Place()) + " brings it back")
	}
}

// Drop leaves nothing for the next time.
func (l *Line) Drop() { l.Memory.Draft = "" }

// Below says why a command was not run, else names the keys of the line, and
// where there is room what enter would run.
func (l *Line) Below(w int) []string {
	return []string{draw.Fit(" "+l.says(w-2), w, l.pen.G.More)}
}

func (l *Line) says(w int) string {
	if l.Err != nil {
		said, clear := clean.Line(draw.Head(l.Err.Error())), ""
		if k := l.keys.Key("clear", keys.InCommand); k != "" { // what is typed next goes on with the text
			clear = "  " + k + " clears"
		}
		room := max(0, w-ansi.StringWidth(clear))
		return l.pen.Ink.Fail.On(draw.Fit(said, min(room, ansi.StringWidth(said)), l.pen.G.More)) + l.pen.Ink.Muted.On(draw.Fit(clear, min(w, ansi.StringWidth(clear)), ""))
	}
	shown := [][2]string{{l.keys.Key("run", keys.InCommand), "run"}, {l.keys.Key("drop", keys.InCommand), "close"}, {l.keys.Key("next-command", keys.InCommand), "complete"}}
	if len(l.Memory.Kept) > 0 && l.Text() == "" {
		shown = append(shown, [2]string{line.WalkKey(l.keys, "previous-command", keys.InCommand), "earlier commands"})
	}
	if l.Popup.Cur >= 0 {
		shown[0][1], shown[1][1], shown[2][1] = "take it", "back", "next"
	}
	text, used := line.Hints(l.pen, shown, w)
	if runs := l.wouldRun(); runs != "" && w-used > 30 {
		text += l.pen.Ink.Muted.On(draw.Fit("  "+l.pen.G.Arrow+" "+runs, w-used, l.pen.G.More))
	}
	return text
}

// wouldRun says what enter would run, "" if that is not clear.
func (l *Line) wouldRun() string {
	if strings.TrimSpace(l.Text()) == "" || l.Popup.Cur >= 0 {
		return ""
	}
	name, _ := split(l.Text())
	x, err := l.called(name)
	if err != nil {
		return ""
	}
	return x.Name + ": " + x.Help
}
