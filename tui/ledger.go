package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"winnow/core/ledger"
	"winnow/tui/keys"
	"winnow/tui/list"
)

// Ledger is what the ledger screen needs. Every method may take long and is
// called from commands only.
type Ledger interface {
	// Sources returns a page of the imported files.
	Sources(ctx context.Context, q ledger.SourceQuery) (ledger.SourcePage, error)
	// Totals counts them.
	Totals(ctx context.Context) (ledger.Totals, error)
	// Reasons counts the lines of a source that were not simply read by why.
	Reasons(ctx context.Context, source int64) ([]ledger.ReasonCount, error)
	// Issues returns a page of these lines.
	Issues(ctx context.Context, q ledger.IssueQuery) (ledger.IssuePage, error)
	// Original returns the place of the first session that a source holds a
	// part of, else of the first that it holds a copy of; "" if it holds none.
	Original(ctx context.Context, source int64) (string, error)
	// Excerpt reads one of them from the file.
	Excerpt(ctx context.Context, source int64, is ledger.Issue) (ledger.Excerpt, error)
}

// ledgerScreen shows what became of the imported files. It has three levels,
// one in the other: the sources, one of them with its lines, one of these with
// its bytes.
type ledgerScreen struct {
	ctx  context.Context // ends with the screen
	stop context.CancelFunc
	seq  int // number of the last question

	totals  ledger.Totals
	sources list.Paged[ledger.Source, ledger.Key]
	jump    int // question for the next row in trouble, 0 for none

	source *sourceView
	bytes  *bytesView
}

// sourceView is a source that was opened.
type sourceView struct {
	ledger.Source
	ctx  context.Context
	stop context.CancelFunc

	original string // what the source holds a part or a copy of, "" if that is not known

	reasons []ledger.ReasonCount // those in sight of the screen; the first stands for all lines
	more    int                  // further reasons
	counted bool                 // reasons are known, or cannot be
	// stopCounting ends the question for reasons.
	stopCounting context.CancelFunc
	reason       int  // index of the one whose lines are shown, 0 for all
	top          int  // first reason on screen
	onTop        bool // the reasons have the keys
	lines        list.Paged[ledger.Issue, int64]
}

// mostReasons bounds the reasons that are listed: a hostile file has one for
// each line.
const mostReasons = 500

// toggleLedger opens the ledger, or goes back to the list from wherever in it.
func (a *App) toggleLedger() tea.Cmd {
	if a.ledger != nil {
		a.closeLedger()
		return nil
	}
	l := &ledgerScreen{sources: list.New((*ledger.Source).Key)}
	l.ctx, l.stop = context.WithCancel(a.ctx)
	a.ledger = l
	return tea.Batch(a.askSources(list.Ask[ledger.Key]{Want: list.Start}), a.askLedgerTotals())
}

func (a *App) closeLedger() {
	a.ledger.stop()
	a.ledger = nil
}

// backInLedger closes the innermost level.
func (a *App) backInLedger() {
	l := a.ledger
	switch {
	case l.bytes != nil:
		l.bytes.stop()
		l.bytes = nil
	case l.source != nil:
		l.source.stop()
		l.source = nil
		l.jump = 0
	default:
		a.closeLedger()
	}
}

// lookInLedger opens what the cursor is on.
func (a *App) lookInLedger() tea.Cmd {
	l := a.ledger
	switch {
	case l.source == nil:
		return a.openSource(*l.sources.Selected())
	case l.source.onTop:
		l.source.onTop = false
		return nil
	}
	return a.openBytes()
}

// openSource shows a source: all its lines that were not simply read.
func (a *App) openSource(src ledger.Source) tea.Cmd {
	l := a.ledger
	l.jump = 0
	v := &sourceView{Source: src, lines: list.New(func(i *ledger.Issue) int64 { return i.ID })}
	v.ctx, v.stop = context.WithCancel(l.ctx)
	l.source = v
	return tea.Batch(a.askIssues(list.Ask[int64]{Want: list.Start}), a.askReasons())
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
func (a *App) narrow(i int) tea.Cmd {
	v := a.ledger.source
	if i = max(0, min(i, len(v.reasons)-1)); i == v.reason {
		return nil
	}
	v.reason, a.ledger.jump = i, 0
	return a.askIssues(list.Ask[int64]{Want: list.Start})
}

// moveLedger moves the cursor, or scrolls the bytes of a line.
func (a *App) moveLedger(m keys.Motion) tea.Cmd {
	l := a.ledger
	l.jump = 0
	switch {
	case l.bytes != nil:
		l.bytes.move(m)
		return nil
	case l.source == nil:
		if want, ok := l.sources.Move(m); !ok {
			return a.askSources(list.Ask[ledger.Key]{Want: want})
		}
		return nil
	}
	return a.moveInSource(m)
}

// moveInSource moves through reasons and lines as if they were one list.
func (a *App) moveInSource(m keys.Motion) tea.Cmd {
	v := a.ledger.source
	above := len(v.reasons) > 1 && v.lines.AtTop && v.lines.Cur == 0
	switch {
	case v.onTop && m == keys.ToEnd, v.onTop && m == keys.PageDown, v.onTop && m == keys.HalfDown,
		v.onTop && m == keys.LineDown && v.reason == len(v.reasons)-1:
		v.onTop = false
		if m != keys.ToEnd {
			return nil
		}
	case v.onTop:
		return a.narrow(map[keys.Motion]int{keys.LineDown: v.reason + 1, keys.LineUp: v.reason - 1}[m])
	case above && (m == keys.LineUp || m == keys.PageUp || m == keys.HalfUp || m == keys.ToStart):
		v.onTop = true
		return nil
	}
	if want, ok := v.lines.Move(m); !ok {
		return a.askIssues(list.Ask[int64]{Want: want})
	}
	return nil
}

// otherLedgerPane moves between reasons and lines.
func (a *App) otherLedgerPane() tea.Cmd {
	a.ledger.source.onTop = !a.ledger.source.onTop
	return nil
}

// nextLine shows the bytes of a line further down or up.
func (a *App) nextLine(by int) func() tea.Cmd {
	return func() tea.Cmd {
		p := &a.ledger.source.lines
		before := p.Cur
		p.Pick(p.Cur + by)
		switch {
		case p.Cur != before:
			return a.openBytes()
		case by > 0 && !p.AtEnd, by < 0 && !p.AtTop:
			a.say("loading")
		default:
			a.say("no further line")
		}
		return nil
	}
}

// Why keys of the ledger do nothing.

func (a *App) noLedger() string {
	if a.ledgerLib == nil {
		return "there is no ledger here"
	}
	return ""
}

func (a *App) nothingToLook() string {
	switch l := a.ledger; {
	case l.bytes != nil:
		return "this is the line"
	case l.source == nil && !l.sources.Ready, l.source != nil && !l.source.lines.Ready:
		return "loading"
	case l.source == nil && l.sources.Selected() == nil:
		return "nothing was imported yet"
	case l.source != nil && !l.source.onTop && l.source.lines.Selected() == nil:
		return "every line was read"
	}
	return ""
}

func (a *App) noLinePane() string {
	if l := a.ledger; l.source == nil || l.bytes != nil || len(l.source.reasons) < 2 {
		return "there is one pane only"
	}
	return ""
}

func (a *App) noOpenLine() string {
	if a.ledger.bytes == nil {
		return "no line is open: " + a.keyFor("look") + " opens one"
	}
	return ""
}
