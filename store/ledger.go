package store

import (
	"context"
	"fmt"
	"slices"

	"winnow/core/hub"
	"winnow/core/ledger"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
)

// troubleSQL is the condition of the index of the same name, word for word:
// SQLite uses the index only then.
const troubleSQL = "((sessions = 0 AND copies = 0) OR bad > 0)"

// LedgerSources returns one page of the sources of all agents.
func (s *Store) LedgerSources(ctx context.Context, q ledger.SourceQuery) (ledger.SourcePage, error) {
	var p ledger.SourcePage
	text, args, err := sourcePageSQL(&q)
	if err != nil {
		return p, s.fail("list sources", err)
	}
	list, err := sqlite.List(s.db.Rows(ctx, text, args...), func(r *ledger.Source) []any {
		return []any{
			&r.ID, &r.AgentID, &r.Path, &r.Format, &r.Size, &r.Sessions, &r.Copies, &r.Joined, &r.Reason,
			&r.Lines.Pending, &r.Lines.Bad, &r.Lines.Read, &r.Lines.Skipped,
		}
	})
	for i := range list {
		list[i].Copies -= list[i].Joined
	}
	p.Sources, p.More = trimPage(list, q.Limit, q.Back)
	return p, s.fail("list sources", err)
}

// sourcePageSQL puts the statement of a page together from fixed pieces. One
// more row is asked for than the page holds.
func sourcePageSQL(q *ledger.SourceQuery) (text string, args []any, err error) {
	if q.Limit < 1 {
		return "", nil, fmt.Errorf("limit %d: must be at least 1", q.Limit)
	}
	text = `SELECT id, agent_id, path, coalesce(json_extract(state, '$.format'), ''), size, sessions, copies,
		(SELECT count(*) FROM copies c WHERE c.source_id = sources.id AND ` + filtersql.CopyJoined + `), reason, pending, bad,
		coalesce(json_extract(state, '$.counts.read'), 0), coalesce(json_extract(state, '$.counts.skipped'), 0) FROM sources WHERE `
	if q.Trouble {
		text += troubleSQL
	} else {
		text += "1"
	}
	if q.After != (ledger.Key{}) {
		text += " AND (path, id) " + beyond(q.Back) + " (?, ?)"
		args = append(args, q.After.Path, q.After.ID)
	}
	d := direction(q.Back)
	return text + " ORDER BY path " + d + ", id " + d + " LIMIT ?", append(args, q.Limit+1), nil
}

// beyond is the comparison that a row after a key passes.
func beyond(back bool) string {
	if back {
		return "<"
	}
	return ">"
}

func direction(back bool) string {
	if back {
		return "DESC"
	}
	return "ASC"
}

// trimPage cuts the row that only tells that there are more, and puts a page
// that was read backwards in order.
func trimPage[T any](rows []T, limit int, back bool) ([]T, bool) {
	more := len(rows) > limit
	if more {
		rows = rows[:limit]
	}
	if back {
		slices.Reverse(rows)
	}
	return rows, more
}

// LedgerTotals counts the sources.
func (s *Store) LedgerTotals(ctx context.Context) (ledger.Totals, error) {
	var t ledger.Totals
	err := s.db.Rows(ctx, ledgerTotalsSQL).One(&t.Sources, &t.Trouble)
	return t, s.fail("count sources", err)
}

const ledgerTotalsSQL = "SELECT (SELECT count(*) FROM sources), (SELECT count(*) FROM sources WHERE " + troubleSQL + ")"

// LedgerIssues returns one page of the issues of a source.
func (s *Store) LedgerIssues(ctx context.Context, q ledger.IssueQuery) (ledger.IssuePage, error) {
	var p ledger.IssuePage
	text, args, err := issuePageSQL(&q)
	if err != nil {
		return p, s.fail("read the ledger", err)
	}
	list, err := sqlite.List(s.db.Rows(ctx, text, args...), func(r *ledger.Issue) []any {
		return []any{&r.ID, &r.Line, &r.Offset, &r.Length, &r.Severity, &r.Reason}
	})
	p.Issues, p.More = trimPage(list, q.Limit, q.Back)
	return p, s.fail("read the ledger", err)
}

func issuePageSQL(q *ledger.IssueQuery) (text string, args []any, err error) {
	if q.Limit < 1 {
		return "", nil, fmt.Errorf("limit %d: must be at least 1", q.Limit)
	}
	text = "SELECT id, line, offset, length, severity, reason FROM import_issues WHERE source_id = ?"
	args = []any{q.Source}
	if q.Bad || q.Only != nil && q.Only.Severity == session.Bad {
		text += " AND severity = 'bad'"
	}
	if q.Only != nil {
		text += " AND severity = ? AND reason = ?"
		args = append(args, string(q.Only.Severity), q.Only.Text)
	}
	if q.After != 0 {
		text += " AND id " + beyond(q.Back) + " ?"
		args = append(args, q.After)
	}
	return text + " ORDER BY id " + direction(q.Back) + " LIMIT ?", append(args, q.Limit+1), nil
}

// Source returns a source by its id, with all that reading it again needs.
func (s *Store) Source(ctx context.Context, id int64) (hub.Source, error) {
	var one hub.Source
	err := eachSource(s.db.Rows(ctx, "SELECT "+sourceColumns+" FROM sources WHERE id = ?", id), func(src *hub.Source) { one = *src })
	if err == nil && one.ID == 0 {
		err = fmt.Errorf("source %d: %w", id, review.ErrNotFound)
	}
	return one, s.fail("read a source", err)
}
