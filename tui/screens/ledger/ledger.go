package ledger

import (
	"context"

	"winnow/core/ledger"
	"winnow/tui/keys"
	"winnow/tui/list"
	"winnow/tui/screen"
)

// Library is what the ledger needs of the database. Every method may take long and is
// called from commands only.
type Library interface {
	// LedgerSources returns a page of the imported files.
	LedgerSources(ctx context.Context, q ledger.SourceQuery) (ledger.SourcePage, error)
	// LedgerTotals counts them.
	LedgerTotals(ctx context.Context) (ledger.Totals, error)
	// Reasons counts the lines of a source that were not simply read by why.
	Reasons(ctx context.Context, source int64) ([]ledger.ReasonCount, error)
	// LedgerIssues returns a page of these lines.
	LedgerIssues(ctx context.Context, q ledger.IssueQuery) (ledger.IssuePage, error)
	// Original returns the place of the first session that a source holds a
	// part of, else of the first that it holds a copy of; "" if it holds none.
	Original(ctx context.Context, source int64) (string, error)
	// Excerpt reads one of them from the file.
	Excerpt(ctx context.Context, source int64, is ledger.Issue) (ledger.Excerpt, error)
}

// Screen shows what became of the imported files. It has three levels,
// one in the other: the sources, one of them with its lines, one of these with
// its bytes.
type Screen struct {
	screen.Seat
	lib    Library
	height int // of the screen, in lines

	totals  screen.Question[ledger.Totals]
	sources list.Paged[ledger.Source, ledger.Key]
	jump    screen.Question[trouble]

	source *sourceView
	bytes  *bytesView
}

// sourceView is a source that was opened.
type sourceView struct {
	ledger.Source
	counted screen.Question[counts]

	reasons []ledger.ReasonCount // those in sight of the screen; the first stands for all lines
	more    int                  // further reasons
	reason  int                  // index of the one whose lines are shown, 0 for all
	top     int                  // first reason on screen
	onTop   bool                 // the reasons have the keys
	lines   list.Paged[ledger.Issue, int64]
}

// mostReasons bounds the reasons that are listed: a hostile file has one for
// each line.
const mostReasons = 500

// New opens the ledger.
func New(seat screen.Seat, lib Library) *Screen {
	return &Screen{Seat: seat, lib: lib, sources: list.New((*ledger.Source).Key)}
}

// Rows returns the keys of the ledger.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("enter", "look", "open the file; in a file, show the bytes of the line", "look", (*Screen).look, (*Screen).nothingToLook),
		screen.Key("!", "next-problem", "go to the next file with a problem; in a file, to the next bad line", "problem", (*Screen).nextTrouble, (*Screen).noTrouble),
		screen.Key("J", "next-line", "show the bytes of the next line", "next", func(l *Screen) { l.nextLine(+1) }, (*Screen).noOpenLine),
		screen.Key("K", "previous-line", "show the bytes of the previous line", "previous", func(l *Screen) { l.nextLine(-1) }, (*Screen).noOpenLine),
		screen.Key("tab shift+tab", "reasons", "go to the reasons, or to the lines of the reason under the cursor", "reasons", (*Screen).otherPane, (*Screen).noLinePane),
		screen.Key("L", "list", "go back to the list from anywhere in the ledger", "", (*Screen).Leave, nil),
		screen.Key("q esc", keys.Back, "go back: from a line to its file, to all files, to the list", "back", (*Screen).Back, nil),
	}
}

// Back closes the innermost level.
func (l *Screen) Back() {
	switch {
	case l.bytes != nil:
		l.bytes.asked.GiveUp()
		l.bytes = nil
	case l.source != nil:
		l.source.counted.GiveUp()
		l.source.lines.GiveUp()
		l.source = nil
		l.jump.GiveUp()
	default:
		l.Leave()
	}
}

// look opens what the cursor is on.
func (l *Screen) look() {
	switch {
	case l.source == nil:
		l.openSource(*l.sources.Selected())
	case l.source.onTop:
		l.source.onTop = false
	default:
		l.openBytes()
	}
}

// openSource shows a source: all its lines that were not simply read.
func (l *Screen) openSource(src ledger.Source) {
	l.jump.GiveUp()
	l.source = &sourceView{Source: src, lines: list.New(func(i *ledger.Issue) int64 { return i.ID })}
	l.countReasons()
}

// only is the reason whose lines are shown, nil for all.
func (v *sourceView) only() *ledger.Reason {
	if v.reason == 0 {
		return nil
	}
	r := v.reasons[v.reason].Reason
	return &r
}

// narrow shows the lines of another reason.
func (l *Screen) narrow(i int) {
	v := l.source
	if i = max(0, min(i, len(v.reasons)-1)); i != v.reason {
		v.reason = i
		v.lines.Restart()
	}
}

// Move moves the cursor, or scrolls the bytes of a line.
func (l *Screen) Move(m keys.Motion) {
	l.jump.GiveUp()
	switch {
	case l.bytes != nil:
		l.bytes.move(m)
	case l.source == nil:
		l.sources.Move(m)
	default:
		l.moveInSource(m)
	}
}

// moveInSource moves through reasons and lines as if they were one list.
func (l *Screen) moveInSource(m keys.Motion) {
	v := l.source
	above := len(v.reasons) > 1 && v.lines.AtTop && v.lines.Cur == 0
	switch {
	case v.onTop && m == keys.ToEnd, v.onTop && m == keys.PageDown, v.onTop && m == keys.HalfDown,
		v.onTop && m == keys.LineDown && v.reason == len(v.reasons)-1:
		v.onTop = false
		if m == keys.ToEnd {
			v.lines.Move(m)
		}
	case v.onTop:
		l.narrow(map[keys.Motion]int{keys.LineDown: v.reason + 1, keys.LineUp: v.reason - 1}[m])
	case above && (m == keys.LineUp || m == keys.PageUp || m == keys.HalfUp || m == keys.ToStart):
		v.onTop = true
	default:
		v.lines.Move(m)
	}
}

// otherPane moves between reasons and lines.
func (l *Screen) otherPane() { l.source.onTop = !l.source.onTop }

// nextLine shows the bytes of a line further down or up.
func (l *Screen) nextLine(by int) {
	p := &l.source.lines
	before := p.Cur
	p.Pick(p.Cur + by)
	switch {
	case p.Cur != before:
		l.openBytes()
	case by > 0 && !p.AtEnd, by < 0 && !p.AtTop:
		l.Say("loading")
	default:
		l.Say("there is no other line")
	}
}

// Why keys of the ledger do nothing.

func (l *Screen) nothingToLook() string {
	switch {
	case l.bytes != nil:
		return "the line is already open"
	case l.source == nil && !l.sources.Ready(), l.source != nil && !l.source.lines.Ready():
		return "loading"
	case l.source == nil && l.sources.Selected() == nil:
		return "nothing is imported yet"
	case l.source != nil && !l.source.onTop && l.source.lines.Selected() == nil:
		return "every line was read"
	}
	return ""
}

func (l *Screen) noLinePane() string {
	if l.source == nil || l.bytes != nil || len(l.source.reasons) < 2 {
		return "there is only one pane"
	}
	return ""
}

func (l *Screen) noOpenLine() string {
	if l.bytes == nil {
		return "no line is open: " + l.Key("look") + " opens one"
	}
	return ""
}
