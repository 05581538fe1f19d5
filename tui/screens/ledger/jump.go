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

// find goes to the next row that look finds, from the top again if there is none
// below.
func (l *Screen) find(look func(ctx context.Context, again bool) (trouble, error)) {
	l.jump.Ask(&l.Seat, func(ctx context.Context) (trouble, error) {
		m, err := look(ctx, false)
		if err == nil && len(m.sources)+len(m.issues) == 0 {
			m, err = look(ctx, true)
			m.wrapped = true
		}
		return m, err
	}, l.tookTrouble)
}

// findTrouble looks for the next source in trouble.
func (l *Screen) findTrouble() {
	q := ledger.SourceQuery{Limit: 1, Trouble: true}
	if s := l.sources.Selected(); s != nil {
		q.After = s.Key()
	}
	lib := l.lib
	l.find(func(ctx context.Context, again bool) (trouble, error) {
		if again {
			q.After = ledger.Key{}
		}
		p, err := lib.LedgerSources(ctx, q)
		return trouble{sources: p.Sources}, err
	})
}

// findBad looks for the next bad line of the open source.
func (l *Screen) findBad() {
	q := ledger.IssueQuery{Source: l.source.ID, Limit: 1, Only: l.source.only(), Bad: true}
	if s := l.source.lines.Selected(); s != nil {
		q.After = s.ID
	}
	lib := l.lib
	l.find(func(ctx context.Context, again bool) (trouble, error) {
		if again {
			q.After = 0
		}
		p, err := lib.LedgerIssues(ctx, q)
		return trouble{issues: p.Issues}, err
	})
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
