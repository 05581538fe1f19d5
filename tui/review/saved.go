package review

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
	"winnow/tui/rows"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// Saved keeps filters that curators come back to. Its methods may take long
// and are called from commands only.
type Saved interface {
	// Saved returns all filters that are kept, those with a number first.
	Saved(ctx context.Context) ([]SavedFilter, error)
	// Save keeps a filter under a number from 1 to 9, in place of the one that
	// had it, and a name.
	Save(ctx context.Context, f SavedFilter) error
}

// SavedFilter is a filter with a name.
type SavedFilter = rows.SavedFilter

// longestName bounds the name of a saved filter, in bytes.
const longestName = 80

// readSaved reads the saved filters, which other programs write, too, and goes on with
// them or with why they could not be read.
func (r *Room) readSaved(then func(error) tea.Cmd) tea.Cmd {
	return r.askNow(func(ctx context.Context, _ rows.Library) work.Show {
		filters, err := r.savedLib.Saved(ctx)
		return func() tea.Cmd {
			if err == nil {
				r.saved = filters
			}
			return then(err)
		}
	})
}

// useSaved filters by the saved filter whose number was pressed. Keys wait: they
// are meant for what it shows.
func (r *Room) useSaved() tea.Cmd {
	n := 0
	for i := range r.keys.Rows {
		if b := &r.keys.Rows[i]; b.Name == keys.Saved {
			n = slices.Index(b.Keys, r.Key) + 1
		}
	}
	if n == 0 {
		return nil
	}
	return r.useNumbered(n)
}

// useNumbered filters by the saved filter of a number.
func (r *Room) useNumbered(n int) tea.Cmd {
	r.wait.finding = true
	return r.readSaved(func(err error) tea.Cmd {
		f, ok := rows.Numbered(r.saved, n)
		switch {
		case err != nil:
			r.Fail("saved filters", err)
			return r.Nowhere()
		case !ok:
			r.Say("no filter is saved as " + strconv.Itoa(n) + ": " + r.keys.Key("save-filter", keys.InList) + " saves the current one")
			return r.Nowhere()
		}
		s, err := r.ParseFilter(f.Text)
		switch {
		case err != nil:
			r.Fail("saved filter "+f.Title(r.G), err)
			return r.Nowhere()
		case s.Key == r.Filter.Key:
			r.Say("already filtered by " + f.Title(r.G))
			return r.Arrived()
		}
		r.Say("filtered by " + f.Title(r.G))
		r.wait.finding = false
		return r.thenKeys(r.Take(s, rows.WantStart))
	})
}

func (r *Room) noSavedLib() string {
	return keys.Reason(r.savedLib == nil, "filters cannot be saved here")
}

func (r *Room) noSave() string { return cmp.Or(r.noSavedLib(), r.noFilter()) }

// askSave asks under which number and name the filter is to be saved.
func (r *Room) askSave() tea.Cmd {
	return r.offerSave(func(offer SavedFilter) tea.Cmd {
		if r.app.Context()&keys.InSegment == 0 {
			return nil // the curator has gone on
		}
		keep := func(typed string) tea.Cmd { return r.keepSaved(typed, offer) }
		title := ""
		if offer.Number > 0 {
			title = offer.Title(r.G)
		}
		return r.app.Type(screen.Line{Label: "save filter as (1-9, name)", Offer: title}, keep)
	})
}

// saveAs saves the filter under a number, a name, or both.
func (r *Room) saveAs(text string) tea.Cmd {
	return r.offerSave(func(offer SavedFilter) tea.Cmd { return r.keepSaved(text, offer) })
}

// offerSave finds a free number for the filter, or that under which it is saved
// already. The offer holds as far as nothing else is typed.
func (r *Room) offerSave(to func(SavedFilter) tea.Cmd) tea.Cmd {
	return r.readSaved(func(err error) tea.Cmd {
		switch {
		case err != nil:
			r.Fail("saved filters", err)
			return nil
		case r.noSave() != "":
			return nil // the filter was cleared meanwhile
		}
		return to(r.saveOffer())
	})
}

// saveOffer is under what the filter would be saved if nothing was typed.
func (r *Room) saveOffer() SavedFilter {
	offer := SavedFilter{Name: draw.CutWords(r.Filter.Pretty, nameWidth, ""), Text: r.Filter.Text}
	for n := 9; n >= 1; n-- {
		f, used := rows.Numbered(r.saved, n)
		if !used {
			offer.Number = n
		} else if s, err := r.ParseFilter(f.Text); err == nil && s.Key == r.Filter.Key {
			offer.Number, offer.Name = n, cmp.Or(strings.TrimSpace(clean.Line(f.Name)), offer.Name)
			break
		}
	}
	return offer
}

// keepSaved saves a filter under what was typed: a number, a name, or both. What
// is left out is that of the offer.
func (r *Room) keepSaved(typed string, f SavedFilter) tea.Cmd {
	typed = strings.TrimSpace(typed)
	name := strings.TrimLeft(typed, "0123456789")
	if digits := typed[:len(typed)-len(name)]; digits != "" {
		f.Number, _ = strconv.Atoi(digits)
		if f.Number < 1 || f.Number > 9 {
			r.Say("not saved: choose a number from 1 to 9, as in: 3 good code")
			return nil
		}
	}
	if name = strings.TrimSpace(name); name != "" {
		f.Name = name
	}
	switch {
	case f.Number == 0:
		r.Say("not saved: all numbers are taken; start with the one to replace, as in: 3 good code")
		return nil
	case len(f.Name) > longestName:
		r.Say("not saved: the name is too long")
		return nil
	}
	replaced, _ := rows.Numbered(r.saved, f.Number)
	return r.askNow(func(ctx context.Context, _ rows.Library) work.Show {
		err := r.savedLib.Save(ctx, f)
		return func() tea.Cmd {
			if err != nil {
				r.Fail("the filter was not saved", err)
				return nil
			}
			text := "saved: " + f.Title(r.G)
			if replaced.Number > 0 && replaced.Text != f.Text {
				text += ", in place of " + r.G.Told(replaced.Text)
			}
			r.Say(text)
			return r.readSaved(func(error) tea.Cmd { return nil })
		}
	})
}

// savedCompletions offers the saved filters on an empty line.
func (r *Room) savedCompletions() []line.Completion {
	var all []line.Completion
	for i := range r.saved {
		f := &r.saved[i]
		if text := clean.Line(f.Text); text == f.Text && len(text) < line.MaxNote && !r.G.Secret(text) {
			all = append(all, line.Completion{Text: text, Label: f.Title(r.G), Help: text, Whole: true})
		}
	}
	return all
}
