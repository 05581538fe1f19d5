package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/filter"
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
	l.popup.stopAsking()
	c := filter.Complete(l.text, l.at)
	p := popup{from: c.From, to: c.To, cur: -1, field: c.Field, prefix: c.Prefix, fields: c.Fields}
	for _, w := range c.Words {
		p.static = append(p.static, completion{text: w.Text, label: clean.Line(w.Text), help: clean.Line(w.Help)})
	}
	p.show = c.Prefix != "" || !c.Fields
	if strings.TrimSpace(l.text) == "" {
		p.static = append(a.savedCompletions(), p.static...)
		p.to = len([]rune(l.text))
	}
	p.items = p.static
	if old := &l.popup; old.field == p.field && old.from == p.from && p.field != "" && len(p.static) == 0 {
		p.items = startingWith(old.items, p.prefix) // until the right ones come
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
	if p.field == "" {
		return nil
	}
	p.stopAsking()
	ctx, stop := context.WithCancel(a.ctx)
	p.stop = stop
	lib, f, prefix, within := a.lib, p.field, p.prefix, filter.Without(a.sieve.node, p.field)
	if len(p.static) > 0 {
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
	if len(p.static) > 0 {
		p.offer(withCounts(p.static, m.values))
	} else {
		var items []completion
		for _, v := range m.values {
			if text, ok := typable(v.Value); ok {
				items = append(items, completion{text: text, label: v.Value, count: v.Count, counted: true})
			}
		}
		p.offer(items)
	}
}

// withCounts puts counts behind words of the language.
func withCounts(words []completion, values []filter.Candidate) []completion {
	out := slices.Clone(words)
	for i := range out {
		out[i].counted = true
		for _, v := range values {
			if v.Value == out[i].label {
				out[i].count = v.Count
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
		switch n := len(p.items); {
		case arrow && (!p.show || n == 0):
			return a.walkTyped(step)
		case n == 0:
			return nil
		}
		p.choose(step)
		p.show = true
		return nil
	}
}

// accept types the chosen completion.
func (a *App) accept() tea.Cmd {
	l := a.line
	c := l.popup.items[l.popup.cur]
	text := []rune(l.text)
	from, to := l.popup.from, min(l.popup.to, len(text))
	if c.whole {
		from, to = 0, len(text)
	}
	put := []rune(c.text)
	last := len(put) == 0 || !strings.ContainsRune(":<>=.!", put[len(put)-1])
	if last && to == len(text) {
		put = append(put, ' ') // the next term can be typed at once
	}
	return a.setLine(string(slices.Concat(text[:from], put, text[to:])), from+len(put))
}
