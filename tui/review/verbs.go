package review

import (
	"context"
	"errors"
	"fmt"
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
	"winnow/tui/rows"
	"winnow/tui/work"
)

// Verbs are the commands of list and reader that take words.
func (r *Room) Verbs() []command.Verb {
	return []command.Verb{
		{Name: "filter", Words: "EXPR", Help: "show what passes a filter", In: keys.InSegment, Run: r.filterCommand, Complete: endOfFilter},
		{Name: "sort", Words: "ORDER", Help: "sort the list", In: keys.InSegment, Run: r.sortCommand, Complete: r.orderWords},
		{Name: "goto", Words: "ID|N", Help: "go to the segment with this id, or to message N of the segment", In: keys.InSegment, Run: r.gotoCommand},
		{Name: "note", Words: "TEXT", Help: "write a note on the segment", In: keys.InSegment, Run: command.Any(r.noteSelected), Why: r.NoVerdict},
		{Name: "undo", Words: "[ENTRY]", Help: "undo the entry of the journal with this number", In: keys.InSegment | keys.InJournal, Run: r.undoCommand, Why: r.NoChange},
		{Name: "save", Words: "NAME", Help: "save the filter under a name, or a number and a name", In: keys.InSegment, Run: command.Any(r.saveAs), Why: r.noSave},
		{Name: keys.Saved, Words: "1-9", Help: "use the filter saved under this number", In: keys.InSegment, Run: r.savedCommand, Complete: r.savedWords, Why: r.noSavedLib},
	}
}

// undoCommand takes an entry of the journal back, as the command undo does.
func (r *Room) undoCommand(text string) (func() tea.Cmd, error) {
	id, err := strconv.ParseInt(strings.TrimPrefix(text, "#"), 10, 64)
	if err != nil || id < 1 {
		return nil, fmt.Errorf("%s is not the number of an entry of the journal", clean.Line(draw.Head(text)))
	}
	if reason := r.app.Lacks(keys.InJournal); reason != "" {
		return nil, errors.New(reason)
	}
	return func() tea.Cmd { return r.UndoNumbered(id) }, nil
}

// filterCommand puts a filter in force.
func (r *Room) filterCommand(text string) (func() tea.Cmd, error) {
	s, err := r.ParseFilter(text)
	if err != nil {
		e := asFilterError(err)
		return nil, errors.New(strings.TrimSuffix(e.Text+": "+e.Hint, ": "))
	}
	return func() tea.Cmd {
		r.leaveVisits()
		r.filters.Keep(text)
		if s.Key == r.Filter.Key {
			r.Say("this filter is already set")
			return nil
		}
		r.ToList()
		return r.Take(s, rows.WantStart)
	}, nil
}

// endOfFilter are the names and values of the language at the end of a filter.
func endOfFilter(text string) []line.Completion {
	runes := []rune(text)
	c := filter.Complete(text, len(runes))
	words := filterWords(c)
	for i := range words {
		words[i].Text = string(runes[:c.From]) + words[i].Text
	}
	return words
}

// sortCommand sorts the list by an order: as list --sort names it, or in words.
func (r *Room) sortCommand(text string) (func() tea.Cmd, error) {
	if o, ok := review.OrderNamed(strings.ToLower(text)); ok {
		return func() tea.Cmd { return r.SortInto(o) }, nil
	}
	var names []string
	for _, o := range review.Orders {
		names = append(names, string(o))
	}
	return nil, fmt.Errorf("no order %s: choose one of %s", clean.Line(draw.Head(text)), strings.Join(names, ", "))
}

func (r *Room) orderWords(text string) []line.Completion {
	var words []line.Completion
	for _, o := range review.Orders {
		help := o.First()
		if o == r.Order {
			help += ", the current order"
		}
		if t := strings.ToLower(text); strings.HasPrefix(string(o), t) || strings.HasPrefix(o.Words(), t) {
			words = append(words, line.Completion{Text: string(o), Label: string(o), Help: help})
		}
	}
	return words
}

// shortID is the number of digits from which a number is an id: segments are
// named by eight.
const shortID = 8

// gotoCommand goes to a segment, or to a message of the one that is selected.
func (r *Room) gotoCommand(text string) (func() tea.Cmd, error) {
	if n, err := strconv.Atoi(text); err == nil && len(text) < shortID {
		return r.gotoMessage(n)
	}
	if strings.Trim(strings.ToLower(text), "0123456789abcdef-") != "" {
		return nil, fmt.Errorf("%s is neither the number of a message nor the id of a segment", clean.Line(draw.Head(text)))
	}
	return func() tea.Cmd { return r.GotoSegment(strings.ToLower(text)) }, nil
}

func (r *Room) gotoMessage(n int) (func() tea.Cmd, error) {
	s := r.List.Selected()
	if r.Visiting() {
		s = &r.visits[len(r.visits)-1].seg
	}
	switch {
	case s == nil:
		return nil, errors.New(r.NoSegment())
	case n < 1 || n > s.End-s.Start+1:
		return nil, fmt.Errorf("the segment has messages 1 to %s", draw.Grouped(s.End-s.Start+1))
	}
	return func() tea.Cmd {
		r.reading = true
		return r.ReadAt(s.ID, s.Start+n-1)
	}, nil
}

// GotoSegment selects a segment by its id or the beginning of it.
func (r *Room) GotoSegment(id string) tea.Cmd {
	r.leaveVisits()
	return r.goToFound(id, func(ctx context.Context, lib rows.Library) (review.Segment, error) {
		s, err := lib.Segment(ctx, id)
		switch {
		case errors.Is(err, review.ErrNotFound):
			err = errors.New("there is no segment with this id, or no longer")
		case errors.Is(err, review.ErrAmbiguous):
			err = errors.New("the ids of several segments begin like this: type more of it")
		}
		return s, err
	})
}

// goToFound goes to the segment that is found, also where the filter does not let it
// through; to the next one if there is none (a zero one). Keys wait for it.
func (r *Room) goToFound(name string, find func(context.Context, rows.Library) (review.Segment, error)) tea.Cmd {
	r.wait.finding = true
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		s, err := find(ctx, lib)
		return func() tea.Cmd {
			switch {
			case !r.wait.finding:
				return nil // the curator has gone on
			case err != nil:
				r.Fail(clean.Line(draw.Head(name)), err)
				return r.Nowhere()
			case s.ID == "":
				return r.goOn(false)
			}
			return r.GoTo(&s, "")
		}
	})
}

// noteSelected writes a note on the selected segment.
func (r *Room) noteSelected(text string) tea.Cmd {
	s := r.List.Selected()
	return r.keepNote(*s, r.NameOf(s), text)
}

// savedCommand filters by a saved filter.
func (r *Room) savedCommand(text string) (func() tea.Cmd, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 9 {
		return nil, errors.New("filters are saved under numbers from 1 to 9")
	}
	return func() tea.Cmd { return r.useNumbered(n) }, nil
}

func (r *Room) savedWords(text string) []line.Completion {
	var words []line.Completion
	for i := range r.saved {
		if f := &r.saved[i]; f.Number > 0 && strings.HasPrefix(f.Title(r.G), text) {
			words = append(words, line.Completion{Text: strconv.Itoa(f.Number), Label: f.Title(r.G), Help: r.G.Told(f.Text)})
		}
	}
	return words
}
