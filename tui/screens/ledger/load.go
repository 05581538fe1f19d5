package ledger

import (
	"cmp"
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/ledger"
	"winnow/core/session"
	"winnow/tui/list"
	"winnow/tui/screen"
)

type (
	sourcesCame = list.Page[ledger.Source, ledger.Key]
	issuesCame  = list.Page[ledger.Issue, int64]

	totalsCame struct {
		totals ledger.Totals
		err    error
	}
	reasonsCame struct {
		source   int64
		original string
		reasons  []ledger.ReasonCount
		err      error
	}
	// troubleFound is the next row in trouble, at most one.
	troubleFound struct {
		seq     int
		wrapped bool // it is above where the search began
		sources []ledger.Source
		issues  []ledger.Issue
		err     error
	}
	excerptCame struct {
		seq     int
		excerpt ledger.Excerpt
		err     error
	}
)

// nextSeq numbers the questions of the screen.
func (l *Screen) nextSeq() int {
	l.seq++
	return l.seq
}

// askSources asks for sources; an older question is forgotten.
func (l *Screen) askSources(q list.Ask[ledger.Key]) tea.Cmd {
	lib := l.lib
	return l.sources.Ask(l.Ctx, q, func(ctx context.Context, after ledger.Key, back bool, limit int) ([]ledger.Source, bool, error) {
		p, err := lib.LedgerSources(ctx, ledger.SourceQuery{After: after, Back: back, Limit: limit})
		return p.Sources, p.More, err
	})
}

// askIssues asks for lines of the open source.
func (l *Screen) askIssues(q list.Ask[int64]) tea.Cmd {
	v, lib := l.source, l.lib
	id, only := v.ID, v.only()
	return v.lines.Ask(v.ctx, q, func(ctx context.Context, after int64, back bool, limit int) ([]ledger.Issue, bool, error) {
		p, err := lib.LedgerIssues(ctx, ledger.IssueQuery{Source: id, After: after, Back: back, Limit: limit, Only: only})
		return p.Issues, p.More, err
	})
}

func (l *Screen) askTotals() tea.Cmd {
	ctx, lib := l.Ctx, l.lib
	return func() tea.Msg {
		t, err := lib.LedgerTotals(ctx)
		return totalsCame{t, err}
	}
}

func (l *Screen) askReasons() tea.Cmd {
	v, lib := l.source, l.lib
	if v.stopCounting != nil {
		v.stopCounting()
	}
	ctx, stop := context.WithCancel(v.ctx)
	v.stopCounting = stop
	m, copies := reasonsCame{source: v.ID}, v.Copies+v.Joined > 0
	return func() tea.Msg {
		if copies {
			m.original, m.err = lib.Original(ctx, m.source)
		}
		if m.err == nil {
			m.reasons, m.err = lib.Reasons(ctx, m.source)
		}
		return m
	}
}

// Changed reads again what is shown: somebody changed the database.
func (l *Screen) Changed(int64) tea.Cmd {
	return tea.Batch(l.askTotals(), l.askSources(l.sources.Again()))
}

// renewSource gives the open source what its row says now. It reads its lines and
// reasons again only if the row is another one or they could not be read: counting
// a million lines takes seconds.
func (l *Screen) renewSource() tea.Cmd {
	v := l.source
	if v == nil {
		return nil
	}
	for i := range l.sources.Rows {
		row := &l.sources.Rows[i]
		if row.ID != v.ID || *row == v.Source && v.lines.Failed == nil {
			continue
		}
		v.Source = *row
		return tea.Batch(l.askReasons(), l.askIssues(v.lines.Again()))
	}
	return nil
}

// Follow sizes the lists for the next frame and asks for the rows that are
// needed next.
func (l *Screen) Follow(f screen.Frame) tea.Cmd {
	var cmds []tea.Cmd
	if l.height = f.Height; !l.begun {
		l.begun = true
		cmds = append(cmds, l.askTotals())
	}
	l.sources.Resize(l.sourceRows())
	if q, ok := l.sources.Needs(); ok {
		cmds = append(cmds, l.askSources(q))
	}
	if v := l.source; v != nil {
		v.lines.Resize(l.lineRows())
		v.scrollReasons(l.reasonRows())
		if q, ok := v.lines.Needs(); ok {
			cmds = append(cmds, l.askIssues(q))
		}
	}
	if l.bytes != nil {
		l.bytes.layOut(f.Width, max(1, f.Height-len(l.bytesHead(f.Width))))
	}
	return tea.Batch(cmds...)
}

// Update takes an answer. The one to a question that is not asked any more is
// dropped.
func (l *Screen) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case sourcesCame:
		if l.sources.Take(m) {
			if len(l.sources.Rows) > 0 || l.source != nil { // else it is told in their place
				l.Fail("the sources could not be listed", m.Err)
			}
			return l.renewSource()
		}
	case issuesCame:
		if l.source != nil && l.source.lines.Take(m) {
			l.Fail("the lines could not be listed", m.Err)
		}
	case totalsCame:
		l.Fail("counting", m.err)
		if m.err == nil {
			l.totals = m.totals
		}
	case reasonsCame:
		return l.tookReasons(m)
	case troubleFound:
		return l.tookTrouble(m)
	case excerptCame:
		if l.bytes != nil && l.bytes.seq == m.seq {
			l.bytes.took(m)
		}
	}
	return nil
}

// tookReasons lists the reasons, what is worth a look first. The one whose
// lines are shown stays the one.
func (l *Screen) tookReasons(m reasonsCame) tea.Cmd {
	v := l.source
	if v == nil || v.ID != m.source {
		return nil
	}
	if errors.Is(m.err, context.Canceled) {
		return nil // somebody counts anew
	}
	if v.counted = true; m.err != nil {
		l.Fail("the reasons could not be counted", m.err)
		return nil
	}
	only := v.only()
	v.original = m.original
	v.setReasons(m.reasons)
	if only == nil {
		return nil
	}
	for i, r := range v.reasons {
		if i > 0 && r.Reason == *only {
			v.reason = i
			return nil
		}
	}
	v.reason = 0 // its lines were read meanwhile
	return l.askIssues(list.Ask[int64]{Want: list.Start})
}

// setReasons takes the reasons of a source, what is worth a look first. More
// than one have the sum of all in front.
func (v *sourceView) setReasons(all []ledger.ReasonCount) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(x, y ledger.ReasonCount) int {
		return cmp.Or(cmp.Compare(severityOrder[x.Severity], severityOrder[y.Severity]), cmp.Compare(y.Lines, x.Lines))
	})
	v.more = max(0, len(all)-mostReasons)
	v.reasons = all[:len(all)-v.more]
	if len(all) > 1 {
		sum := ledger.ReasonCount{}
		for _, r := range all {
			sum.Lines += r.Lines
		}
		v.reasons = append([]ledger.ReasonCount{sum}, v.reasons...)
	}
}

// severityOrder is how severities are listed: what asks for a look first.
var severityOrder = map[session.Severity]int{session.Bad: 0, session.Pending: 1, session.Note: 2, session.Skipped: 3}
