package ledger

import (
	"context"

	"winnow/core/ledger"
	"winnow/core/session"
)

// trouble is the next row in trouble, at most one.
type trouble struct {
	wrapped bool // it is above where the search began
	sources []ledger.Source
	issues  []ledger.Issue
}

// nextTrouble goes to the next source in trouble, or in a source to the next
// bad line.
func (l *Screen) nextTrouble() {
	if l.source == nil {
		for i := l.sources.Cur + 1; i < len(l.sources.Rows); i++ {
			if l.sources.Rows[i].Trouble() {
				l.sources.Pick(i)
				return
			}
		}
		l.findTrouble()
		return
	}
	p := &l.source.lines
	for i := p.Cur + 1; i < len(p.Rows); i++ {
		if p.Rows[i].Severity == session.Bad {
			p.Pick(i)
			l.source.onTop = false
			l.reopenBytes()
			return
		}
	}
	l.findBad()
}

// findTrouble looks for the next source in trouble, from the top again if
// there is none below.
func (l *Screen) findTrouble() {
	lib := l.lib
	q := ledger.SourceQuery{Limit: 1, Trouble: true}
	if s := l.sources.Selected(); s != nil {
		q.After = s.Key()
	}
	l.jump.Ask(&l.Seat, func(ctx context.Context) (m trouble, err error) {
		p, err := lib.LedgerSources(ctx, q)
		if err == nil && len(p.Sources) == 0 {
			q.After, m.wrapped = ledger.Key{}, true
			p, err = lib.LedgerSources(ctx, q)
		}
		m.sources = p.Sources
		return m, err
	}, l.tookTrouble)
}

// findBad is findTrouble for the lines of the open source.
func (l *Screen) findBad() {
	lib := l.lib
	v := l.source
	q := ledger.IssueQuery{Source: v.ID, Limit: 1, Only: v.only(), Bad: true}
	if s := v.lines.Selected(); s != nil {
		q.After = s.ID
	}
	l.jump.Ask(&l.Seat, func(ctx context.Context) (m trouble, err error) {
		p, err := lib.LedgerIssues(ctx, q)
		if err == nil && len(p.Issues) == 0 {
			q.After, m.wrapped = 0, true
			p, err = lib.LedgerIssues(ctx, q)
		}
		m.issues = p.Issues
		return m, err
	}, l.tookTrouble)
}

// tookTrouble goes to the row that was looked for.
func (l *Screen) tookTrouble(m trouble, err error) {
	switch {
	case err != nil:
		l.Fail("the next problem was not found", err)
		return
	case l.foundSelected(&m):
		l.Say("no other problem")
		return
	case m.wrapped:
		l.Say("from the top again")
	}
	if len(m.sources) > 0 {
		l.sources.GoTo(m.sources[0].Key())
		return
	}
	l.source.onTop = false
	l.source.lines.GoTo(m.issues[0].ID)
	if l.bytes != nil {
		l.showBytes(m.issues[0])
	}
}

// foundSelected reports whether there is no row but the selected one that is
// looked for.
func (l *Screen) foundSelected(m *trouble) bool {
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
	case l.source == nil && l.totals.Got.Trouble == 0 && l.sources.Ready():
		return "every file gave sessions, and no line is bad"
	case l.source != nil && l.source.Lines.Bad == 0:
		return "this file has no bad line"
	}
	return ""
}
