package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/ledger"
	"winnow/core/session"
	"winnow/tui/list"
)

// nextTrouble goes to the next source in trouble, or in a source to the next
// bad line.
func (a *App) nextTrouble() tea.Cmd {
	l := a.ledger
	if l.source == nil {
		for i := l.sources.Cur + 1; i < len(l.sources.Rows); i++ {
			if l.sources.Rows[i].Trouble() {
				l.sources.Pick(i)
				return nil
			}
		}
		return a.findTrouble()
	}
	p := &l.source.lines
	for i := p.Cur + 1; i < len(p.Rows); i++ {
		if p.Rows[i].Severity == session.Bad {
			p.Pick(i)
			l.source.onTop = false
			return a.reopenBytes()
		}
	}
	return a.findBad()
}

// findTrouble looks for the next source in trouble, from the top again if
// there is none below.
func (a *App) findTrouble() tea.Cmd {
	l, lib := a.ledger, a.ledgerLib
	q := ledger.SourceQuery{Limit: 1, Trouble: true}
	if s := l.sources.Selected(); s != nil {
		q.After = s.Key()
	}
	l.jump = l.nextSeq()
	m, ctx := troubleFound{seq: l.jump}, l.ctx
	return func() tea.Msg {
		p, err := lib.Sources(ctx, q)
		if err == nil && len(p.Sources) == 0 {
			q.After, m.wrapped = ledger.Key{}, true
			p, err = lib.Sources(ctx, q)
		}
		m.sources, m.err = p.Sources, err
		return m
	}
}

// findBad is findTrouble for the lines of the open source.
func (a *App) findBad() tea.Cmd {
	l, lib := a.ledger, a.ledgerLib
	v := l.source
	q := ledger.IssueQuery{Source: v.ID, Limit: 1, Only: v.only(), Bad: true}
	if s := v.lines.Selected(); s != nil {
		q.After = s.ID
	}
	l.jump = l.nextSeq()
	m, ctx := troubleFound{seq: l.jump}, v.ctx
	return func() tea.Msg {
		p, err := lib.Issues(ctx, q)
		if err == nil && len(p.Issues) == 0 {
			q.After, m.wrapped = 0, true
			p, err = lib.Issues(ctx, q)
		}
		m.issues, m.err = p.Issues, err
		return m
	}
}

// tookTrouble goes to the row that was looked for.
func (a *App) tookTrouble(m troubleFound) tea.Cmd {
	l := a.ledger
	if m.seq != l.jump {
		return nil
	}
	l.jump = 0
	switch {
	case m.err != nil:
		a.failLedger("no next one", m.err)
		return nil
	case l.foundSelected(m):
		a.say("no other problem")
		return nil
	case m.wrapped:
		a.say("from the top again")
	}
	if len(m.sources) > 0 {
		return a.askSources(list.Ask[ledger.Key]{Want: list.Around, Key: m.sources[0].Key()})
	}
	v := l.source
	v.onTop = false
	if l.bytes != nil {
		return tea.Batch(a.askIssues(list.Ask[int64]{Want: list.Around, Key: m.issues[0].ID}), a.showBytes(m.issues[0]))
	}
	return a.askIssues(list.Ask[int64]{Want: list.Around, Key: m.issues[0].ID})
}

// foundSelected reports whether there is no row but the selected one that is
// looked for.
func (l *ledgerScreen) foundSelected(m troubleFound) bool {
	switch {
	case len(m.sources) > 0:
		s := l.sources.Selected()
		return s != nil && s.ID == m.sources[0].ID
	case len(m.issues) > 0 && l.source != nil:
		s := l.source.lines.Selected()
		return s != nil && s.ID == m.issues[0].ID
	}
	return true
}

func (a *App) noTrouble() string {
	switch l := a.ledger; {
	case l.source == nil && l.totals.Trouble == 0 && l.sources.Ready:
		return "every file gave sessions, and no line is bad"
	case l.source != nil && l.source.Lines.Bad == 0:
		return "no line of this file is bad"
	}
	return ""
}
