package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/command"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
	"winnow/tui/screens/sort"
)

// Verbs are the commands that take words.
func (p forCommand) Verbs() []command.Verb {
	a := p.App
	return []command.Verb{
		{Name: "filter", Words: "EXPR", Help: "show what passes a filter", In: keys.InSegment, Run: a.filterCommand, Complete: a.endOfFilter},
		{Name: "sort", Words: "ORDER", Help: "sort the list", In: keys.InSegment, Run: a.sortCommand, Complete: a.orderWords},
		{Name: "goto", Words: "ID|N", Help: "go to the segment of an id, or to the n-th message of the segment", In: keys.InSegment, Run: a.gotoCommand},
		{Name: "note", Words: "TEXT", Help: "write a note on the segment", In: keys.InSegment, Run: anyWords(a.noteSelected), Why: a.noVerdict},
		{Name: "undo", Words: "[ENTRY]", Help: "take back what the entry of this number did, as the journal numbers them", In: keys.InSegment | keys.InJournal, Run: a.undoCommand},
		{Name: "save", Words: "NAME", Help: "save the filter under a name, or a number and a name", In: keys.InSegment, Run: anyWords(a.saveAs), Why: a.noSave},
		{Name: keys.Saved, Words: "1-9", Help: "the filter saved under this number", In: keys.InSegment, Run: a.savedCommand, Complete: a.savedWords, Why: a.noSavedLib},
		{Name: "theme", Words: "NAME", Help: "use a theme", In: keys.InPages, Run: a.themeCommand, Complete: a.themeWords},
		{Name: "quit", Help: "quit; verdicts under way are saved", In: keys.InPages, Run: anyWords(func(string) tea.Cmd { return a.quit() })},
		{Name: "write", Help: "nothing is left to be written: every verdict is saved as it is given", In: keys.InPages, Run: anyWords(a.sayWritten)},
	}
}

// anyWords is how a verb runs that takes any words.
func anyWords(do func(words string) tea.Cmd) func(words string) (func() tea.Cmd, error) {
	return func(words string) (func() tea.Cmd, error) { return func() tea.Cmd { return do(words) }, nil }
}

func (a *App) sayWritten(string) tea.Cmd {
	a.Say("verdicts, notes and cuts are saved as they are given")
	return nil
}

// undoCommand takes an entry of the journal back, as the command undo does.
func (a *App) undoCommand(text string) (func() tea.Cmd, error) {
	id, err := strconv.ParseInt(strings.TrimPrefix(text, "#"), 10, 64)
	if err != nil || id < 1 {
		return nil, fmt.Errorf("%s is not the number of an entry: the journal numbers them", clean.Line(draw.Head(text)))
	}
	if reason := a.noJournal(); reason != "" {
		return nil, errors.New(reason)
	}
	return func() tea.Cmd { return a.undoNumbered(id) }, nil
}

// filterCommand puts a filter in force.
func (a *App) filterCommand(text string) (func() tea.Cmd, error) {
	s, err := a.sieveOf(text)
	if err != nil {
		e := asFilterError(err)
		return nil, errors.New(strings.TrimSuffix(e.Text+": "+e.Hint, ": "))
	}
	return func() tea.Cmd {
		a.leaveVisits()
		a.filters.Keep(text)
		if s.key == a.sieve.key {
			a.Say("filtered so already")
			return nil
		}
		a.focus, a.full = onList, false
		return a.take(s, wantStart)
	}, nil
}

// endOfFilter are the names and values of the language at the end of a filter.
func (a *App) endOfFilter(text string) []line.Completion {
	runes := []rune(text)
	c := filter.Complete(text, len(runes))
	words := filterWords(c)
	for i := range words {
		words[i].Text = string(runes[:c.From]) + words[i].Text
	}
	return words
}

// sortCommand sorts the list by an order: as list --sort names it, or in words.
func (a *App) sortCommand(text string) (func() tea.Cmd, error) {
	typed := strings.ToLower(text)
	var names []string
	for _, o := range review.Orders {
		if string(o) == typed || sort.Names[o] == typed {
			return func() tea.Cmd { return a.sortInto(o) }, nil
		}
		names = append(names, string(o))
	}
	return nil, fmt.Errorf("no order %s: there are %s", clean.Line(draw.Head(text)), strings.Join(names, ", "))
}

func (a *App) orderWords(text string) []line.Completion {
	var words []line.Completion
	for _, o := range review.Orders {
		help := "by " + sort.Names[o]
		if o == a.order {
			help += ", as it is now"
		}
		if t := strings.ToLower(text); strings.HasPrefix(string(o), t) || strings.HasPrefix(sort.Names[o], t) {
			words = append(words, line.Completion{Text: string(o), Label: string(o), Help: help})
		}
	}
	return words
}

// shortID is the number of digits from which a number is an id: segments are
// named by eight.
const shortID = 8

// gotoCommand goes to a segment, or to a message of the one that is selected.
func (a *App) gotoCommand(text string) (func() tea.Cmd, error) {
	if n, err := strconv.Atoi(text); err == nil && len(text) < shortID {
		return a.gotoMessage(n)
	}
	if strings.Trim(strings.ToLower(text), "0123456789abcdef-") != "" {
		return nil, fmt.Errorf("%s is neither the number of a message nor the id of a segment", clean.Line(draw.Head(text)))
	}
	return func() tea.Cmd { return a.gotoSegment(strings.ToLower(text), 0) }, nil
}

func (a *App) gotoMessage(n int) (func() tea.Cmd, error) {
	s := a.list.Selected()
	if a.visiting() {
		s = &a.visits[len(a.visits)-1].seg
	}
	switch {
	case s == nil:
		return nil, errors.New(a.noSegment())
	case n < 1 || n > s.End-s.Start+1:
		return nil, fmt.Errorf("there are messages 1 to %s", draw.Grouped(s.End-s.Start+1))
	}
	return func() tea.Cmd {
		a.reading = true
		return a.readAt(s.ID, s.Start+n-1)
	}, nil
}

// segmentFound answers where a segment is, a zero one if it has left and so has
// its heir; at is the message to be read, 0 for where reading was left.
type segmentFound struct {
	id      string
	at      int
	segment review.Segment
	err     error
}

// gotoSegment selects a segment by its id or the beginning of it. Keys wait for
// it.
func (a *App) gotoSegment(id string, at int) tea.Cmd {
	a.leaveVisits()
	a.wait.finding = true
	ctx, lib := a.ctx, a.lib
	return func() tea.Msg {
		s, err := findSegment(ctx, lib, id)
		return segmentFound{id, at, s, err}
	}
}

func findSegment(ctx context.Context, lib Library, id string) (review.Segment, error) {
	s, err := lib.Segment(ctx, id)
	switch {
	case errors.Is(err, review.ErrNotFound):
		err = errors.New("there is no such segment, at least not any more")
	case errors.Is(err, review.ErrAmbiguous):
		err = errors.New("several segments begin so: type more of it")
	}
	return s, err
}

// tookFound goes to the segment that was found, also where the filter does not
// let it through.
func (a *App) tookFound(m segmentFound) tea.Cmd {
	if !a.wait.finding {
		return nil // the curator has gone on
	}
	if m.err != nil {
		a.Fail(clean.Line(draw.Head(m.id)), m.err)
		return a.nowhere()
	}
	if m.segment.ID == "" {
		return a.goOn(false)
	}
	if m.at > 0 {
		a.landing = landing{m.segment.ID, m.at}
	}
	return a.goTo(&m.segment, "")
}

// noteSelected writes a note on the selected segment.
func (a *App) noteSelected(text string) tea.Cmd {
	s := a.list.Selected()
	return a.keepNote(*s, a.nameOf(s), text)
}

// saveAs saves the filter under a number, a name, or both.
func (a *App) saveAs(text string) tea.Cmd {
	return a.readSaved(func(m *savedRead) { m.offer, m.typed = true, text })
}

// savedCommand filters by a saved filter.
func (a *App) savedCommand(text string) (func() tea.Cmd, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 9 {
		return nil, errors.New("filters are saved under numbers from 1 to 9")
	}
	return func() tea.Cmd { return a.useNumbered(n) }, nil
}

func (a *App) savedWords(text string) []line.Completion {
	var words []line.Completion
	for i := range a.saved {
		if f := &a.saved[i]; f.Number > 0 && strings.HasPrefix(f.title(), text) {
			words = append(words, line.Completion{Text: strconv.Itoa(f.Number), Label: f.title(), Help: clean.Line(draw.Head(f.Text))})
		}
	}
	return words
}

// themeCommand uses a theme by its name.
func (a *App) themeCommand(text string) (func() tea.Cmd, error) {
	names := []string{"auto"}
	for i := range a.themes {
		names = append(names, a.themes[i].Name)
	}
	if !slices.Contains(names, text) {
		return nil, fmt.Errorf("no theme %s: there are %s", clean.Line(draw.Head(text)), clean.Line(strings.Join(names, ", ")))
	}
	return func() tea.Cmd { return a.useTheme(text) }, nil
}

func (a *App) themeWords(text string) []line.Completion {
	var words []line.Completion
	for i := range a.themes {
		name, help := a.themes[i].Name, ""
		if i == a.theme {
			help = "in use"
		}
		if strings.HasPrefix(name, text) {
			words = append(words, line.Completion{Text: name, Label: clean.Line(name), Help: help})
		}
	}
	return words
}
