package tui

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
	// popupLines is how many completions show at once.
	popupLines = 8
	// valuesMost is how many values of a field are asked for: more than one
	// looks through.
	valuesMost = 40
	// valueBytes bounds what is offered: a longer one is sooner found by a part
	// of it.
	valueBytes = 200
)

// complete finds what may be meant at the cursor. Values that segments have
// come later.
func (a *App) complete() {
	l := a.line
	l.popup.StopAsking()
	c := filter.Complete(l.text, l.at)
	p := line.Popup{From: c.From, To: c.To, Cur: -1, Field: c.Field, Prefix: c.Prefix, Fields: c.Fields}
	for _, w := range c.Words {
		p.Static = append(p.Static, line.Completion{Text: w.Text, Label: clean.Line(w.Text), Help: clean.Line(w.Help)})
	}
	p.Show = c.Prefix != "" || !c.Fields
	if strings.TrimSpace(l.text) == "" {
		p.Static = append(a.savedCompletions(), p.Static...)
		p.To = len([]rune(l.text))
	}
	p.Items = p.Static
	if old := &l.popup; old.Field == p.Field && old.From == p.From && p.Field != "" && len(p.Static) == 0 {
		p.Items = line.StartingWith(old.Items, p.Prefix) // until the right ones come
	}
	l.popup = p
}

// valuesLoaded brings values of a field.
type valuesLoaded struct {
	number int
	values []filter.Candidate
	err    error
}

// askValues asks which values of a field there are: in what passes the filter
// but for its terms on this field, as the word that is typed is one of them.
func (a *App) askValues(number int) tea.Cmd {
	p := &a.line.popup
	if p.Field == "" {
		return nil
	}
	p.StopAsking()
	ctx, stop := context.WithCancel(a.ctx)
	p.Stop = stop
	lib, f, prefix, within := a.lib, p.Field, p.Prefix, filter.Without(a.sieve.node, p.Field)
	if len(p.Static) > 0 {
		prefix = "" // those of the language, whose prefix is known
	}
	return func() tea.Msg {
		defer stop()
		values, err := lib.Values(ctx, f, prefix, within, valuesMost)
		return valuesLoaded{number, values, err}
	}
}

// tookValues shows values with how many segments have them. What could not be
// found out is not worth a word while one types.
func (a *App) tookValues(m valuesLoaded) {
	if a.line == nil || m.number != a.typings || m.err != nil {
		return
	}
	p := &a.line.popup
	if len(p.Static) > 0 {
		p.Offer(withCounts(p.Static, m.values))
	} else {
		var items []line.Completion
		for _, v := range m.values {
			if text, ok := typable(v.Value); ok {
				items = append(items, line.Completion{Text: text, Label: v.Value, Count: v.Count, Counted: true})
			}
		}
		p.Offer(items)
	}
}

// withCounts puts counts behind words of the language.
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

// choose goes to the next completion, or the one before. Where none is shown,
// tab shows them and the arrows walk through the filters of before.
func (a *App) choose(step int) func() tea.Cmd {
	return func() tea.Cmd {
		p := &a.line.popup
		arrow := a.key == "up" || a.key == "down"
		switch n := len(p.Items); {
		case arrow && (!p.Show || n == 0):
			return a.walkTyped(step)
		case n == 0:
			return nil
		}
		p.Choose(step)
		p.Show = true
		return nil
	}
}

// accept types the chosen completion.
func (a *App) accept() tea.Cmd {
	l := a.line
	c := l.popup.Items[l.popup.Cur]
	text := []rune(l.text)
	from, to := l.popup.From, min(l.popup.To, len(text))
	if c.Whole {
		from, to = 0, len(text)
	}
	put := []rune(c.Text)
	last := len(put) == 0 || !strings.ContainsRune(":<>=.!", put[len(put)-1])
	if last && to == len(text) {
		put = append(put, ' ') // the next term can be typed at once
	}
	return a.setLine(string(slices.Concat(text[:from], put, text[to:])), from+len(put))
}
