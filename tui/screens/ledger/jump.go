package ledger

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/ledger"
	"winnow/core/session"
	"winnow/tui/list"
)

// nextTrouble goes to the next source in trouble, or in a source to the next
// bad line.
func (l *Screen) nextTrouble() tea.Cmd {
	if l.source == nil {
		for i := l.sources.Cur + 1; i < len(l.sources.Rows); i++ {
			if l.sources.Rows[i].Trouble() {
				l.sources.Pick(i)
				return nil
			}
		}
		return l.findTrouble()
	}
	p := &l.source.lines
	for i := p.Cur + 1; i < len(p.Rows); i++ {
		if p.Rows[i].Severity == session.Bad {
			p.Pick(i)
			l.source.onTop = false
			return l.reopenBytes()
		}
	}
	return l.findBad()
}

// findTrouble looks for the next source in trouble, from the top again if
// there is none below.
func (l *Screen) findTrouble() tea.Cmd {
	lib := l.lib
	q := ledger.SourceQuery{Limit: 1, Trouble: true}
	if s := l.sources.Selected(); s != nil {
		q.After = s.Key()
	}
	l.jump = l.nextSeq()
	m, ctx := troubleFound{seq: l.jump}, l.Ctx
	return func() tea.Msg {
		p, err := lib.LedgerSources(ctx, q)
		if err == nil && len(p.Sources) == 0 {
			q.After, m.wrapped = ledger.Key{}, true
			p, err = lib.LedgerSources(ctx, q)
		}
		m.sources, m.err = p.Sources, err
		return m
	}
}

// findBad is findTrouble for the lines of the open source.
func (l *Screen) findBad() tea.Cmd {
	lib := l.lib
	v := l.source
	q := ledger.IssueQuery{Source: v.ID, Limit: 1, Only: v.only(), Bad: true}
	if s := v.lines.Selected(); s != nil {
		q.After = s.ID
	}
	l.jump = l.nextSeq()
	m, ctx := troubleFound{seq: l.jump}, v.ctx
	return func() tea.Msg {
		p, err := lib.LedgerIssues(ctx, q)
		if err == nil && len(p.Issues) == 0 {
			q.After, m.wrapped = 0, true
			p, err = lib.LedgerIssues(ctx, q)
		}
		m.issues, m.err = p.Issues, err
		return m
	}
}

// tookTrouble goes to the row that was looked for.
func (l *Screen) tookTrouble(m troubleFound) tea.Cmd {
	if m.seq != l.jump {
		return nil
	}
	l.jump = 0
	switch {
	case m.err != nil:
		l.Fail("the next problem was not found", m.err)
		return nil
	case l.foundSelected(m):
		l.Say("no other problem")
		return nil
	case m.wrapped:
		l.Say("from the top again")
	}
	if len(m.sources) > 0 {
		return l.askSources(list.Ask[ledger.Key]{Want: list.Around, Key: m.sources[0].Key()})
	}
	v := l.source
	v.onTop = false
	if l.bytes != nil {
		return tea.Batch(l.askIssues(list.Ask[int64]{Want: list.Around, Key: m.issues[0].ID}), l.showBytes(m.issues[0]))
	}
	return l.askIssues(list.Ask[int64]{Want: list.Around, Key: m.issues[0].ID})
}

// foundSelected reports whether there is no row but the selected one that is
// looked for.
func (l *Screen) foundSelected(m troubleFound) bool {
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

func (l *Screen) noTrouble() string {
	switch {
	case l.source == nil && l.totals.Trouble == 0 && l.sources.Ready:
		return "every file gave sessions, and no line is bad"
	case l.source != nil && l.source.Lines.Bad == 0:
		return "this file has no bad line"
	}
	return ""
}
