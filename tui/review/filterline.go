package review

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/tui/keys"
	"winnow/tui/line"
	"winnow/tui/rows"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// TypingPause is how long nothing is typed before the list follows: shorter
// than one notices, longer than between two keys of a fast hand.
const TypingPause = 80 * time.Millisecond

// filterLine is the filter being typed: results follow, and esc brings back
// what was before.
type filterLine struct {
	line.Line
	room   *Room
	before Room // as list and reader were when it was opened
	secret bool // the filter before does not show, and stays while nothing is typed

	// What is typed at the cursor, see filter.Complete.
	fields bool // the name of a field
	field  filter.Field
	prefix string            // of its value
	static []line.Completion // that are known
}

// FilterKeys are the keys that filter the list without a line that is typed.
func FilterKeys() []roomRow {
	return []roomRow{
		keys.Key("]", "threshold-up", "raise the score threshold by 0.05; it starts at 0.70", "", keys.InSegment, withRoom((*Room).moveThreshold, +1), (*Room).noThreshold),
		keys.Key("[", "threshold-down", "lower the score threshold by 0.05", "", keys.InSegment, withRoom((*Room).moveThreshold, -1), (*Room).noLower),
		keys.Key("1 2 3 4 5 6 7 8 9", keys.Saved, "use the filter saved under this number", "", keys.InSegment, (*Room).useSaved, (*Room).noSavedLib),
		keys.Key("0", "no-filter", "clear the filter: show all segments", "", keys.InSegment, (*Room).clearFilter, (*Room).noFilter),
		keys.Key("W", "save-filter", "save the filter under a number and a name", "", keys.InSegment, (*Room).askSave, (*Room).noSave),
	}
}

// openFilter begins to type the filter.
func (r *Room) openFilter() tea.Cmd {
	text := cmp.Or(r.filters.Draft, r.Filter.Text)
	l := &filterLine{room: r, before: *r}
	if l.secret = r.filters.Draft == "" && r.G.Secret(text); l.secret {
		r.Say("the filter tells a model, so it does not show: what is typed takes its place")
		text = ""
	}
	if text != "" {
		text += " " // the next term can be typed at once
	}
	l.before.Kept = slices.Clone(r.Kept)
	l.Line = line.Line{Label: " filter ", In: keys.InFilter, Depth: filterDepth, Memory: &r.filters, Use: l}
	r.leaveVisits()
	r.ToList()
	return r.app.OpenLine(&l.Line, text)
}

// Changed follows the text and the cursor: completions at once, the list when the
// hand pauses.
func (l *filterLine) Changed(typed bool) tea.Cmd {
	if typed {
		l.room.Message = screen.Message{}
	}
	l.complete()
	number := l.Typings
	return l.room.after(TypingPause, work.Then(func() tea.Cmd {
		if !l.room.app.Types(&l.Line) || number != l.Typings {
			return nil
		}
		return tea.Batch(l.followTyping(), l.askValues())
	}))
}

// followTyping shows what passes the filter as it is typed by now: without the
// term at the cursor while that says nothing yet.
func (l *filterLine) followTyping() tea.Cmd {
	rest, begin := l.withoutTerm()
	if l.beginsField() {
		cmd := l.follow(rest)
		l.Err = nil
		return cmd
	}
	cmd := l.follow(l.Text())
	err := l.Err
	if err == nil || asFilterError(err).Column-1 < begin {
		return cmd
	}
	cmd = l.follow(rest)
	l.Err = err
	return cmd
}

// beginsField reports whether the word at the cursor may become the name of a
// field. Until it is finished it is searched for as little as one half of a
// name would be: most words that begin so are meant as one.
func (l *filterLine) beginsField() bool {
	if !l.fields || l.prefix == "" || l.Popup.To != len([]rune(l.Text())) {
		return false
	}
	typed := strings.ToLower(l.prefix)
	return slices.ContainsFunc(l.static, func(c line.Completion) bool { return strings.HasPrefix(c.Text, typed) })
}

// withoutTerm returns the text without the term at the cursor, and where that
// begins.
func (l *filterLine) withoutTerm() (rest string, begin int) {
	runes := []rune(l.Text())
	begin = min(l.Popup.From, len(runes))
	for begin > 0 && !unicode.IsSpace(runes[begin-1]) && runes[begin-1] != '(' {
		begin--
	}
	return string(runes[:begin]) + string(runes[min(l.Popup.To, len(runes)):]), begin
}

// shownError is the error that the line shows, nil for none: that of the term at
// the cursor where no completions show, which say what may come.
func (l *filterLine) shownError() *filter.Error {
	if l.Err == nil {
		return nil
	}
	e := asFilterError(l.Err)
	if _, begin := l.withoutTerm(); l.Popup.Show && len(l.Popup.Items) > 0 && e.Column-1 >= begin {
		return nil
	}
	return e
}

// follow shows what passes a filter. One that says nothing yet shows its error
// instead.
func (l *filterLine) follow(text string) tea.Cmd {
	r := l.room
	s, err := r.ParseFilter(text)
	if l.secret && strings.TrimSpace(text) == "" {
		s = l.before.Filter
	}
	if err != nil { // perhaps a phrase that is not finished yet
		if closed, fails := r.ParseFilter(text + `"`); fails == nil {
			s, err = closed, nil
		}
	}
	if l.Err = err; err != nil || !r.setFilter(s) {
		return nil
	}
	r.Message = screen.Message{}
	return r.askFiltered(rows.WantStart)
}

func asFilterError(err error) *filter.Error {
	var e *filter.Error
	if errors.As(err, &e) {
		return e
	}
	return &filter.Error{Column: 1, Text: err.Error()}
}

// Keep keeps the filter. What is wrong with one that is not finished shows in place
// of the completions.
func (l *filterLine) Keep(text string) (func() tea.Cmd, error) {
	r := l.room
	cmd := l.follow(text)
	if l.Err != nil {
		l.Popup.Show = false
	}
	return func() tea.Cmd {
		r.Filter.Text = strings.TrimSpace(r.Filter.Text)
		if l.before.Filter.Key != r.Filter.Key {
			r.former, r.Kept = l.before.Filter, nil
		}
		if r.Filter.Text != "" {
			r.filters.Keep(r.Filter.Text)
		}
		r.filters.Draft = ""
		return r.awaitRows(cmd)
	}, l.Err
}

// PutAway keeps the text for the next time.
func (l *filterLine) PutAway(text string) {
	l.Drop()
	r := l.room
	if text = strings.TrimSpace(text); text != "" && text != strings.TrimSpace(l.before.Filter.Text) {
		r.filters.Draft = text
		r.Say("filter put away: " + r.keys.Key("filter", keys.InList) + " brings it back")
	}
}

// Drop brings back what was before the line was opened.
func (l *filterLine) Drop() {
	r, b := l.room, &l.before
	r.filters.Draft = ""
	r.Focus, r.full = b.Focus, b.full
	if b.Filter.Key == r.Filter.Key && b.List.Key == r.List.Key && !r.List.Hasty {
		r.Filter = b.Filter // nothing else was asked for
		return
	}
	r.stopAsking()
	r.asked++
	r.asking = false
	r.counts.giveUp()
	number := r.counts.asked + 1
	r.Filter, r.List, r.Kept, r.counts, r.ready, r.stalled = b.Filter, b.List, b.Kept, b.counts, b.ready, b.stalled
	r.counts.asked, r.counts.stop, r.counts.want = number, nil, true
	r.reload = true // as it is now
}
