package ledger

import (
	"cmp"
	"context"
	"slices"

	"winnow/core/ledger"
	"winnow/core/session"
	"winnow/tui/list"
	"winnow/tui/screen"
)

// counts are the reasons why lines of a source were not simply read.
type counts struct {
	original string // what the source holds a part or a copy of, "" if that is not known
	reasons  []ledger.ReasonCount
}

// fetchSources reads sources.
func fetchSources(lib Library) list.Fetch[ledger.Source, ledger.Key] {
	return func(ctx context.Context, after ledger.Key, back bool, limit int) ([]ledger.Source, bool, error) {
		p, err := lib.LedgerSources(ctx, ledger.SourceQuery{After: after, Back: back, Limit: limit})
		return p.Sources, p.More, err
	}
}

// fetchIssues reads lines of the open source.
func (l *Screen) fetchIssues() list.Fetch[ledger.Issue, int64] {
	lib, id, only := l.lib, l.source.ID, l.source.only()
	return func(ctx context.Context, after int64, back bool, limit int) ([]ledger.Issue, bool, error) {
		p, err := lib.LedgerIssues(ctx, ledger.IssueQuery{Source: id, After: after, Back: back, Limit: limit, Only: only})
		return p.Issues, p.More, err
	}
}

func (l *Screen) count() {
	l.totals.Ask(&l.Seat, l.lib.LedgerTotals, func(_ ledger.Totals, err error) { l.Fail("counting", err) })
}

func (l *Screen) countReasons() {
	v, lib := l.source, l.lib
	id, copies := v.ID, v.Copies+v.Joined > 0
	v.counted.Ask(&l.Seat, func(ctx context.Context) (m counts, err error) {
		if copies {
			m.original, err = lib.Original(ctx, id)
		}
		if err == nil {
			m.reasons, err = lib.Reasons(ctx, id)
		}
		return m, err
	}, l.tookReasons)
}

// Changed reads again what is shown: somebody changed the database.
func (l *Screen) Changed(int64) {
	l.count()
	l.sources.Renew()
}

// renewSource gives the open source what its row says now. It reads its lines and
// reasons again only if the row is another one or they could not be read: counting
// a million lines takes seconds.
func (l *Screen) renewSource() {
	v := l.source
	if v == nil {
		return
	}
	for i := range l.sources.Rows {
		row := &l.sources.Rows[i]
		if row.ID != v.ID || *row == v.Source && v.lines.Failed() == nil {
			continue
		}
		v.Source = *row
		l.countReasons()
		v.lines.Renew()
	}
}

// Awaits has keys wait for the rows of the level that is open.
func (l *Screen) Awaits() bool {
	return l.sources.Awaited() || l.source != nil && l.source.lines.Awaited()
}

// Follow sizes the lists for the next frame and asks for the rows that are
// needed next.
func (l *Screen) Follow(f screen.Frame) {
	if l.height = f.Height; !l.totals.Asked() {
		l.count()
	}
	l.sources.Follow(&l.Seat, l.sourceRows(), fetchSources(l.lib), func() {
		if len(l.sources.Rows) > 0 || l.source != nil { // else it is told in their place
			l.Fail("the sources could not be listed", l.sources.Failed())
		}
		l.renewSource()
	})
	if v := l.source; v != nil {
		v.lines.Follow(&l.Seat, l.lineRows(), l.fetchIssues(), func() {
			if len(v.lines.Rows) > 0 { // else it is told in their place
				l.Fail("the lines could not be listed", v.lines.Failed())
			}
		})
		v.scrollReasons(l.reasonRows())
	}
	if l.bytes != nil {
		l.bytes.layOut(f.Width, max(1, f.Height-len(l.bytesHead(f.Width))))
	}
}

// tookReasons lists the reasons, what is worth a look first. The one whose
// lines are shown stays the one.
func (l *Screen) tookReasons(m counts, err error) {
	v := l.source
	if err != nil {
		l.Fail("the reasons could not be counted", err)
		return
	}
	only := v.only()
	v.setReasons(m.reasons)
	if only == nil {
		return
	}
	for i, r := range v.reasons {
		if i > 0 && r.Reason == *only {
			v.reason = i
			return
		}
	}
	v.reason = 0 // its lines were read meanwhile
	v.lines.Restart()
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
