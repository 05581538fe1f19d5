package review

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/tui/line"
)

const (
	// valuesMost is how many values of a field are asked for: more than one
	// looks through.
	valuesMost = 40
	// valueBytes bounds what is offered: a longer one is sooner found by a part
	// of it.
	valueBytes = 200
)

// complete finds what may be meant at the cursor. Values that segments have
// come later.
func (l *filterLine) complete() {
	c := filter.Complete(l.Text(), l.Cursor())
	old, p := l.Popup, line.Popup{From: c.From, To: c.To, Cur: -1, Show: c.Prefix != "" || !c.Fields, Items: filterWords(c)}
	if strings.TrimSpace(l.Text()) == "" {
		p.Items = append(l.room.savedCompletions(), p.Items...)
		p.To = len([]rune(l.Text()))
	}
	l.static = p.Items
	if l.field == c.Field && old.From == p.From && c.Field != "" && len(l.static) == 0 {
		p.Items = line.StartingWith(old.Items, c.Prefix) // until the right ones come
	}
	l.Popup, l.fields, l.field, l.prefix = p, c.Fields, c.Field, c.Prefix
}

// filterWords are the names and values of the language that may stand somewhere.
func filterWords(c filter.Completion) []line.Completion {
	var words []line.Completion
	for _, w := range c.Words {
		words = append(words, line.Completion{
			Text: w.Text, Label: clean.Line(w.Text), Help: clean.Line(w.Help),
			Open: w.Text != "" && strings.ContainsRune(":<>=.!", rune(w.Text[len(w.Text)-1])),
		})
	}
	return words
}

// askValues asks which values of a field there are: in what passes the filter
// but for its terms on this field, as the word that is typed is one of them.
func (l *filterLine) askValues() tea.Cmd {
	if l.field == "" {
		return nil
	}
	lib, f, prefix, static, within := l.room.Lib, l.field, l.prefix, l.static, filter.Without(l.room.Filter.Node, l.field)
	if len(static) > 0 {
		prefix = "" // those of the language, whose prefix is known
	}
	return l.Ask(l.room.Ctx, func(ctx context.Context) ([]line.Completion, error) {
		values, err := lib.Values(ctx, f, prefix, within, valuesMost)
		if len(static) > 0 {
			return withCounts(static, values), err
		}
		var items []line.Completion
		for _, v := range values {
			if text, ok := typable(v.Value); ok {
				items = append(items, line.Completion{Text: text, Label: v.Value, Count: v.Count, Counted: true})
			}
		}
		return items, err
	})
}

// withCounts puts counts after words of the language.
func withCounts(words []line.Completion, values []filter.Candidate) []line.Completion {
	out := slices.Clone(words)
	for i := range out {
		out[i].Counted = true
		for _, v := range values {
			if v.Value == out[i].Label {
				out[i].Count = v.Count
			}
		}
	}
	return out
}

// typable returns how a value is typed. One with characters that nobody can
// type, or that would not show as what they are, is not offered.
func typable(value string) (text string, ok bool) {
	if value == "" || len(value) > valueBytes || clean.Line(value) != value {
		return "", false
	}
	return filter.Quote(value), true
}
