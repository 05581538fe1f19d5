package tui

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
	"winnow/tui/screen"
)

// typingPause is how long nothing is typed before the list follows: shorter
// than one notices, longer than between two keys of a fast hand.
const typingPause = 80 * time.Millisecond

// filterLine is the filter being typed: results follow, and esc brings back
// what was before.
type filterLine struct {
	line.Line
	app    *App
	before Room // as list and reader were when it was opened

	// What is typed at the cursor, see filter.Complete.
	fields bool // the name of a field
	field  filter.Field
	prefix string            // of its value
	static []line.Completion // that are known
}

// lineTyped says that nothing was typed for a moment.
type lineTyped struct {
	line   *filterLine
	number int // what was typed before it
}

func filterKeys() []keyRow {
	return []keyRow{
		keys.Key("]", "threshold-up", "only scores 0.05 higher; the first time those from 0.70", "", keys.InSegment, with((*App).moveThreshold, +1), (*App).noThreshold),
		keys.Key("[", "threshold-down", "scores 0.05 lower, too", "", keys.InSegment, with((*App).moveThreshold, -1), (*App).noLower),
		keys.Key("1 2 3 4 5 6 7 8 9", keys.Saved, "the filter saved under this number", "", keys.InSegment, (*App).useSaved, (*App).noSavedLib),
		keys.Key("0", "no-filter", "no filter: all segments", "", keys.InSegment, (*App).clearSieve, (*App).noSieve),
		keys.Key("W", "save-filter", "save the filter under a number and a name", "", keys.InSegment, (*App).askSave, (*App).noSave),
	}
}

func filterLineKeys() []keyRow {
	return []keyRow{
		keys.Key("enter", "keep-filter", "keep the filter; with a completion chosen, take it", "keep", keys.InFilter, (*App).enterLine, nil),
		keys.Key("tab down", "next-completion", "choose a completion, the next one; down also the next filter", "complete", keys.InFilter, with((*App).stepLine, +1), nil),
		keys.Key("shift+tab up", "previous-completion", "the completion before; up where none is shown: the filters of before", "", keys.InFilter, with((*App).stepLine, -1), nil),
		keys.Key("ctrl+u", "clear", "clear the line", "clear", keys.InFilter, (*App).clearLine, nil),
		keys.Key("ctrl+c", "put-away", "close the line; the text is there again the next time", "", keys.InFilter, (*App).putLineAway, nil),
		keys.Key("esc", "restore", "bring back the filter, the list and the selection that were", "restore", keys.InFilter, (*App).dropLine, nil),
	}
}

// openFilter begins to type the filter.
func (a *App) openFilter() tea.Cmd {
	text := cmp.Or(a.filters.Draft, a.sieve.text)
	if text != "" {
		text += " " // the next term can be typed at once
	}
	l := &filterLine{app: a, before: *a.Room}
	l.before.kept = slices.Clone(a.kept)
	l.Line = line.Line{Label: " filter ", In: keys.InFilter, Depth: filterDepth, Memory: &a.filters, Use: l}
	a.leaveVisits()
	a.focus, a.full = onList, false
	return a.openLine(&l.Line, text)
}

// Changed follows the text and the cursor: completions at once, the list when the
// hand pauses.
func (l *filterLine) Changed(typed bool) tea.Cmd {
	if typed {
		l.app.Message = screen.Message{}
	}
	l.complete()
	return l.app.after(typingPause, lineTyped{l, l.Typings})
}

// paused follows what was typed when the hand paused.
func (l *filterLine) paused(number int) tea.Cmd {
	if l.app.field != &l.Line || number != l.Typings {
		return nil
	}
	return tea.Batch(l.followTyping(), l.askValues())
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
	a := l.app
	s, err := a.sieveOf(text)
	if err != nil { // perhaps a phrase that is not finished yet
		if closed, fails := a.sieveOf(text + `"`); fails == nil {
			s, err = closed, nil
		}
	}
	if l.Err = err; err != nil || !a.setSieve(s) {
		return nil
	}
	a.Message = screen.Message{}
	return a.askSieved(wantStart)
}

func asFilterError(err error) *filter.Error {
	var e *filter.Error
	if errors.As(err, &e) {
		return e
	}
	return &filter.Error{Column: 1, Text: err.Error()}
}

// Keep keeps the filter.
func (l *filterLine) Keep(text string) (func() tea.Cmd, error) {
	a := l.app
	cmd := l.follow(text)
	return func() tea.Cmd {
		a.sieve.text = strings.TrimSpace(a.sieve.text)
		if l.before.sieve.key != a.sieve.key {
			a.former, a.kept = l.before.sieve, nil
		}
		if a.sieve.text != "" {
			a.filters.Keep(a.sieve.text)
		}
		a.filters.Draft = ""
		return a.awaitRows(cmd)
	}, l.Err
}

// PutAway keeps the text for the next time.
func (l *filterLine) PutAway(text string) {
	l.Drop()
	a := l.app
	if text = strings.TrimSpace(text); text != "" && text != strings.TrimSpace(l.before.sieve.text) {
		a.filters.Draft = text
		a.Say("filter put away: " + a.keyIn("filter", keys.InList) + " goes on with it")
	}
}

// Drop brings back what was before the line was opened.
func (l *filterLine) Drop() {
	a, b := l.app, &l.before
	a.filters.Draft = ""
	a.focus, a.full = b.focus, b.full
	if b.sieve.key == a.sieve.key && b.list.key == a.list.key && !a.list.hasty {
		a.sieve = b.sieve // nothing else was asked for
		return
	}
	a.stopAsking()
	a.asked++
	a.asking = false
	if a.tally.busy {
		a.tally.stop()
	}
	number := a.tally.asked + 1
	a.sieve, a.list, a.kept, a.tally, a.ready, a.stalled = b.sieve, b.list, b.kept, b.tally, b.ready, b.stalled
	a.tally.asked, a.tally.busy, a.tally.want = number, false, true
	a.reload = true // as it is now
}
