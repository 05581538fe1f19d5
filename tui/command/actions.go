package command

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
)

// action is what a command runs: a verb, an action of the table of keys, or a verb
// that is such an action without words.
type action struct {
	Verb
	row *keys.Binding // nil: it is a verb only
}

// needs reports whether words must follow.
func (x *action) needs() bool { return x.row == nil && x.Words != "" }

// aliases are names that hands know from other programs.
var aliases = map[string]string{
	"q": "quit", "q!": "quit", "qa": "quit", "qa!": "quit", "wq": "quit", "x": "quit", "exit": "quit", "w": "write", "h": keys.Help, "help": keys.Help,
}

// actions are all that can be run from the place one is in, those of the table
// of keys in its order, motions last.
func (l *Line) actions() []action {
	in := l.program.Place()
	var all []action
	known := func(name string) int { return slices.IndexFunc(all, func(x action) bool { return x.Name == name }) }
	for i := range l.keys.Rows {
		if b := &l.keys.Rows[i]; b.In&in != 0 && known(b.Name) < 0 && b.Name != keys.Command && b.Name != keys.Saved {
			all = append(all, action{Verb{Name: b.Name, Help: b.Help}, b})
		}
	}
	for _, v := range l.program.Verbs() {
		i := known(v.Name)
		switch {
		case v.In&in == 0:
		case i < 0:
			all = append(all, action{Verb: v})
		default:
			v.Help = all[i].Help
			all[i].Verb = v
		}
	}
	slices.SortStableFunc(all, func(x, y action) int { return cmp.Compare(rare(x.Name), rare(y.Name)) })
	return all
}

// rare is 1 for what nobody looks for in a command line: it stands last.
func rare(name string) int {
	if keys.Moves(name) || name == "write" {
		return 1
	}
	return 0
}

// parse finds what a command runs. A part of a name is enough if it is meant for
// one only.
func (l *Line) parse(text string) (run func() tea.Cmd, err error) {
	name, words := split(text)
	x, err := l.called(name)
	switch {
	case err != nil:
		return nil, err
	case words == "" && x.row != nil:
		return func() tea.Cmd { return l.program.Act(x.row) }, nil
	case x.Run == nil:
		return nil, fmt.Errorf("%s takes no arguments", x.Name)
	case words == "" && x.needs():
		return nil, errors.New(x.Name + " " + x.Words + ": " + x.Help)
	case x.Why != nil && x.Why() != "":
		reason := x.Why()
		return func() tea.Cmd { l.program.Say(reason); return nil }, nil
	}
	return x.Run(words)
}

// split returns the name of a command and what follows it. A number alone is a
// place to go to.
func split(text string) (name, words string) {
	text = strings.TrimSpace(strings.TrimLeft(text, ": "))
	if text != "" && strings.Trim(text, "0123456789") == "" {
		return "goto", text
	}
	name, words, _ = strings.Cut(text, " ")
	return strings.ToLower(name), strings.TrimSpace(words)
}

// called returns the action of a name, or of what is a part of one only. A name that
// only has the letters somewhere is not run unasked.
func (l *Line) called(name string) (action, error) {
	all := l.actions()
	full := cmp.Or(aliases[name], name)
	if i := slices.IndexFunc(all, func(x action) bool { return x.Name == full }); i >= 0 {
		return all[i], nil
	}
	found := matching(all, name)
	best := slices.DeleteFunc(slices.Clone(found), func(x action) bool { return likeness(x.Name, name) > likeness(found[0].Name, name) })
	switch sure := len(best) > 0 && likeness(best[0].Name, name) < scattered; {
	case sure && len(best) == 1:
		return best[0], nil
	case sure:
		return action{}, fmt.Errorf("%s could be %s: type more of it", clean.Line(name), strings.Join(namesOf(best[:min(3, len(best))]), ", "))
	}
	if b := l.elsewhere(full); b != "" {
		return action{}, fmt.Errorf("%s works in: %s", full, strings.ToLower(b))
	}
	return action{}, fmt.Errorf("no command %s%s", clean.Line(draw.Head(name)), keys.Meant(name, namesOf(all)))
}

func namesOf(all []action) []string {
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return names
}

// elsewhere returns the headings of the places an action works in, "" if there
// is none of that name.
func (l *Line) elsewhere(name string) string {
	var titles []string
	for _, s := range l.keys.Sections {
		row := func(b keys.Binding) bool {
			return b.Name == name && name != keys.Back && l.keys.Tells(s, b.In) && b.In&keys.InPages != 0
		}
		verb := func(v Verb) bool { return v.Name == name && l.keys.Tells(s, v.In) }
		if slices.ContainsFunc(l.keys.Rows, row) || slices.ContainsFunc(l.program.Verbs(), verb) {
			titles = append(titles, s.Title)
		}
	}
	return strings.Join(titles, "; ")
}

// The ways in which a name is like what was typed, the best first.
const (
	begins = iota
	wordBegins
	within
	scattered
	unlike
)

// likeness tells how a name is like what was typed.
func likeness(name, typed string) int {
	switch {
	case strings.HasPrefix(name, typed), strings.HasPrefix(strings.ReplaceAll(name, "-", ""), typed):
		return begins
	case strings.Contains(name, "-"+typed):
		return wordBegins
	case strings.Contains(name, typed):
		return within
	}
	rest := []rune(typed)
	for _, r := range name {
		if len(rest) > 0 && unicode.ToLower(rest[0]) == r {
			rest = rest[1:]
		}
	}
	if len(rest) == 0 && len(typed) > 1 {
		return scattered
	}
	return unlike
}

// matching returns the actions whose names are like what was typed, the best
// first: those that have its letters scattered only where no other is like it.
func matching(all []action, typed string) []action {
	best := unlike
	for i := range all {
		best = min(best, likeness(all[i].Name, typed))
	}
	found := slices.DeleteFunc(slices.Clone(all), func(x action) bool {
		l := likeness(x.Name, typed)
		return l == unlike || l == scattered && best < scattered
	})
	slices.SortStableFunc(found, func(x, y action) int { return cmp.Compare(likeness(x.Name, typed), likeness(y.Name, typed)) })
	return found
}

// offer returns what may be meant by a text: names, or words that follow one.
func (l *Line) offer(text string) line.Popup {
	p := line.Popup{Cur: -1, Show: true, To: len([]rune(text))}
	begin := func(rest string) { p.From = p.To - len([]rune(rest)) }
	trimmed := strings.TrimLeft(text, ": ")
	name, words, named := strings.Cut(trimmed, " ")
	name = strings.ToLower(name)
	if named {
		if act, err := l.called(name); err == nil && act.Complete != nil {
			words = strings.TrimLeft(words, " ")
			begin(words)
			p.Items = act.Complete(words)
		}
		return p
	}
	begin(trimmed)
	found := matching(l.actions(), name)
	if len(found) == 0 {
		found = l.helping(name)
	}
	for _, x := range found {
		c := line.Completion{Text: x.Name, Label: strings.TrimSpace(x.Name + " " + x.Words), Help: x.Help}
		if x.row != nil {
			c.Keys = strings.Join(x.row.Keys[:min(2, len(x.row.Keys))], " ")
		}
		if x.needs() {
			c.Text, c.Open = c.Text+" ", true
		}
		p.Items = append(p.Items, c)
	}
	return p
}

// helping are the actions whose help has a word: who does not know how an
// action is called types what it does.
func (l *Line) helping(word string) []action {
	return slices.DeleteFunc(l.actions(), func(x action) bool { return !strings.Contains(strings.ToLower(x.Help), word) })
}
