package tui

import (
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/tui/keys"
	"winnow/tui/line"
)

// typingPause is how long nothing is typed before the list follows: shorter
// than one notices, longer than between two keys of a fast hand.
const typingPause = 80 * time.Millisecond

// filterLine is the filter being typed: results follow, and esc brings back
// what was before.
type filterLine struct {
	before beforeLine
	text   string // as it is now
	at     int    // where the cursor is, in characters
	err    *filter.Error
	popup  line.Popup
	walk   line.Walk // among the filters of before
}

// beforeLine is what esc brings back.
type beforeLine struct {
	sieve   sieve
	list    window
	kept    []string
	tally   tally
	focus   focus
	full    bool
	ready   bool
	stalled bool
}

// lineTyped says that nothing was typed for a moment.
type lineTyped struct{ number int }

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
		keys.Key("tab down", "next-completion", "choose a completion, the next one; down also the next filter", "complete", keys.InFilter, with((*App).choose, +1), nil),
		keys.Key("shift+tab up", "previous-completion", "the completion before; up where none is shown: the filters of before", "", keys.InFilter, with((*App).choose, -1), nil),
		keys.Key("ctrl+u", "clear", "clear the line", "clear", keys.InFilter, (*App).clearLine, nil),
		keys.Key("ctrl+c", "put-away", "close the line; the text is there again the next time", "", keys.InFilter, (*App).putLineAway, nil),
		keys.Key("esc", "restore", "bring back the filter, the list and the selection that were", "restore", keys.InFilter, (*App).escLine, nil),
	}
}

// openFilter begins to type the filter.
func (a *App) openFilter() tea.Cmd {
	text := a.filters.Draft
	if text == "" {
		text = a.sieve.text
	}
	if text != "" {
		text += " " // the next term can be typed at once
	}
	a.line = &filterLine{
		before: beforeLine{a.sieve, a.list, slices.Clone(a.kept), a.tally, a.focus, a.full, a.ready, a.stalled},
		popup:  line.Popup{Cur: -1}, at: -1,
	}
	a.leaveVisits()
	a.focus, a.full = onList, false
	cmd := a.openField(line.Field{Label: "filter", Away: func(string) {}}, "")
	a.field.Input.SetValue(text)
	a.field.Input.CursorEnd()
	return tea.Batch(cmd, a.lineChanged())
}

// typeIn types into the line that is open.
func (a *App) typeIn(msg tea.Msg) tea.Cmd {
	cmd := a.field.Update(msg)
	switch {
	case a.line != nil:
		return tea.Batch(cmd, a.lineChanged())
	case a.command != nil:
		a.commandChanged()
	case a.tags != nil:
		return tea.Batch(cmd, a.tagLineChanged())
	case a.field.Typed != nil:
		a.field.Typed(a.field.Input.Value())
	}
	return cmd
}

// lineChanged follows the text and the cursor: completions at once, the list
// when the hand pauses.
func (a *App) lineChanged() tea.Cmd {
	l, text, at := a.line, a.field.Input.Value(), a.field.Input.Position()
	if text == l.text && at == l.at {
		return nil
	}
	if text != l.text {
		l.err, a.message = nil, message{} // its column may be another one now
	}
	l.text, l.at = text, at
	a.complete()
	a.typings++
	return a.after(typingPause, lineTyped{a.typings})
}

// setLine replaces the text.
func (a *App) setLine(text string, at int) tea.Cmd {
	a.field.Input.SetValue(text)
	a.field.Input.SetCursor(at)
	return a.lineChanged()
}

func (a *App) tookTyped(m lineTyped) tea.Cmd {
	if a.line == nil || m.number != a.typings {
		return nil
	}
	return tea.Batch(a.followTyping(), a.askValues(m.number))
}

// followTyping shows what passes the filter as it is typed by now: without the
// term at the cursor while that says nothing yet.
func (a *App) followTyping() tea.Cmd {
	l := a.line
	p := &l.popup
	rest, begin := p.WithoutTerm(l.text)
	if p.BeginsField(l.text) {
		cmd := a.followLine(rest)
		l.err = nil
		return cmd
	}
	cmd := a.followLine(l.text)
	e := l.err
	if e == nil || e.Column-1 < begin {
		return cmd
	}
	cmd = a.followLine(rest)
	l.err = e
	return cmd
}

// shownError is the error that the line shows: that of the term at the cursor
// where no completions show, which say what may come.
func (l *filterLine) shownError() *filter.Error {
	p := &l.popup
	if l.err == nil || !p.Show || len(p.Items) == 0 {
		return l.err
	}
	if _, begin := p.WithoutTerm(l.text); l.err.Column-1 < begin {
		return l.err
	}
	return nil
}

// followLine shows what passes a filter. One that says nothing yet shows its
// error instead.
func (a *App) followLine(text string) tea.Cmd {
	l := a.line
	s, err := a.sieveOf(text)
	if err != nil { // perhaps a phrase that is not finished yet
		if closed, fails := a.sieveOf(text + `"`); fails == nil {
			s, err = closed, nil
		}
	}
	if err != nil {
		l.err = asFilterError(err)
		return nil
	}
	l.err = nil
	if !a.setSieve(s) {
		return nil
	}
	a.message = message{}
	return a.askSieved(wantStart)
}

func asFilterError(err error) *filter.Error {
	var e *filter.Error
	if errors.As(err, &e) {
		return e
	}
	return &filter.Error{Column: 1, Text: err.Error()}
}

// enterLine takes the completion that is chosen, or keeps the filter.
func (a *App) enterLine() tea.Cmd {
	l := a.line
	if l.popup.Cur >= 0 {
		return a.accept()
	}
	l.text = a.field.Input.Value()
	cmd := a.followLine(l.text)
	if l.err != nil {
		return nil
	}
	text := strings.TrimSpace(a.sieve.text)
	a.sieve.text = text
	if l.before.sieve.key != a.sieve.key {
		a.former, a.kept = l.before.sieve, nil
	}
	if text != "" {
		a.filters.Keep(text)
	}
	a.filters.Draft = ""
	a.closeLine()
	return a.awaitRows(cmd)
}

func (a *App) closeLine() {
	a.line.popup.StopAsking()
	a.line, a.field = nil, nil
	a.typings++
}

// escLine closes the choice of a completion, else the line.
func (a *App) escLine() tea.Cmd {
	if a.line.popup.Unchoose() {
		return nil
	}
	a.filters.Draft = ""
	return a.restoreLine()
}

// putLineAway closes the line; what was typed is there again the next time.
func (a *App) putLineAway() tea.Cmd {
	text := strings.TrimSpace(a.field.Input.Value())
	a.filters.Draft = ""
	if text != "" && text != strings.TrimSpace(a.line.before.sieve.text) {
		a.filters.Draft = text
		a.say("filter put away: " + a.keyIn("filter", keys.InList) + " goes on with it")
	}
	return a.restoreLine()
}

// restoreLine brings back what was before the line was opened.
func (a *App) restoreLine() tea.Cmd {
	b := a.line.before
	a.closeLine()
	a.focus, a.full = b.focus, b.full
	if b.sieve.key == a.sieve.key && b.list.key == a.list.key && !a.list.hasty {
		a.sieve = b.sieve // nothing else was asked for
		return nil
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
	return nil
}

func (a *App) clearLine() tea.Cmd { return a.setLine("", 0) }

// walks reports whether a step leads to another filter of before.
func (a *App) walks(step int) bool {
	_, ok := a.filters.To(a.line.walk, a.line.text, step)
	return ok
}

// walkTyped shows the filters that were kept before, from the last one on, and
// then again what was typed.
func (a *App) walkTyped(step int) tea.Cmd {
	if !a.walks(step) {
		return nil
	}
	l, text := a.line, ""
	l.walk, text = a.filters.Walk(l.walk, l.text, step)
	cmd := a.setLine(text, len([]rune(text)))
	l.popup.Show = false
	return cmd
}
