// Package ledgertest is a ledger in memory, for tests.
package ledgertest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"winnow/core/ledger"
	"winnow/core/session"
	"winnow/tui/screen/screentest"
)

// Fake is a ledger in memory. It counts what it is asked.
type Fake struct {
	Mu       sync.Mutex
	All      []ledger.Source // by path
	Lines    map[int64][]ledger.Issue
	Bytes    func(source int64, is ledger.Issue) (ledger.Excerpt, error)
	Rows     int   // handed out
	Searches int   // for what is in trouble
	Err      error // of every question
}

// LedgerSources implements ledger.Library.
func (l *Fake) LedgerSources(ctx context.Context, q ledger.SourceQuery) (p ledger.SourcePage, err error) {
	l.Mu.Lock()
	defer l.Mu.Unlock()
	rows := l.All
	if q.Trouble {
		l.Searches++
		rows = slices.DeleteFunc(slices.Clone(rows), func(s ledger.Source) bool { return !s.Trouble() })
	}
	at, found := slices.BinarySearchFunc(rows, q.After, func(s ledger.Source, k ledger.Key) int { return strings.Compare(s.Path, k.Path) })
	p.Sources, p.More = screentest.After(rows, at, found, q.After == ledger.Key{}, q.Back, q.Limit)
	p.Sources = slices.Clone(p.Sources)
	l.Rows += len(p.Sources)
	if l.Err != nil {
		return ledger.SourcePage{}, l.Err
	}
	return p, ctx.Err()
}

// LedgerTotals implements ledger.Library.
func (l *Fake) LedgerTotals(context.Context) (ledger.Totals, error) {
	l.Mu.Lock()
	defer l.Mu.Unlock()
	t := ledger.Totals{Sources: len(l.All)}
	for i := range l.All {
		if l.All[i].Trouble() {
			t.Trouble++
		}
	}
	return t, nil
}

// Reasons implements ledger.Library.
func (l *Fake) Reasons(_ context.Context, source int64) ([]ledger.ReasonCount, error) {
	l.Mu.Lock()
	defer l.Mu.Unlock()
	counts := map[ledger.Reason]int{}
	for _, is := range l.Lines[source] {
		counts[ledger.Reason{Severity: is.Severity, Text: is.Issue.Reason}]++
	}
	var list []ledger.ReasonCount
	for r, n := range counts {
		list = append(list, ledger.ReasonCount{Reason: r, Lines: n})
	}
	slices.SortFunc(list, func(a, b ledger.ReasonCount) int { return strings.Compare(a.Text, b.Text) })
	return list, l.Err
}

// LedgerIssues implements ledger.Library.
func (l *Fake) LedgerIssues(ctx context.Context, q ledger.IssueQuery) (p ledger.IssuePage, err error) {
	l.Mu.Lock()
	defer l.Mu.Unlock()
	if q.Bad {
		l.Searches++
	}
	rows := slices.DeleteFunc(slices.Clone(l.Lines[q.Source]), func(is ledger.Issue) bool {
		return q.Bad && is.Severity != session.Bad ||
			q.Only != nil && (ledger.Reason{Severity: is.Severity, Text: is.Issue.Reason}) != *q.Only
	})
	at, found := slices.BinarySearchFunc(rows, q.After, func(is ledger.Issue, id int64) int { return int(is.ID - id) })
	p.Issues, p.More = screentest.After(rows, at, found, q.After == 0, q.Back, q.Limit)
	l.Rows += len(p.Issues)
	if l.Err != nil {
		return ledger.IssuePage{}, l.Err
	}
	return p, ctx.Err()
}

// Original implements ledger.Library.
func (l *Fake) Original(context.Context, int64) (string, error) {
	return "/home/ann/whole\x1b[2J.jsonl", nil
}

// Excerpt implements ledger.Library.
func (l *Fake) Excerpt(_ context.Context, source int64, is ledger.Issue) (ledger.Excerpt, error) {
	return l.Bytes(source, is)
}

// Add appends a source with its issues.
func (l *Fake) Add(path, format string, sessions int, read int64, issues ...session.Issue) {
	s := ledger.Source{ID: int64(len(l.All) + 1), AgentID: "default", Path: path, Format: format, Size: 1200 * read, Sessions: sessions}
	s.Lines.Read = read
	if sessions == 0 {
		s.Reason = fmt.Sprint(len(issues), " lines: nothing known")
	}
	if l.Lines == nil {
		l.Lines = map[int64][]ledger.Issue{}
	}
	for i, is := range issues {
		l.Lines[s.ID] = append(l.Lines[s.ID], ledger.Issue{ID: int64(i + 1), Issue: is})
		switch is.Severity {
		case session.Bad:
			s.Lines.Bad++
		case session.Skipped:
			s.Lines.Skipped++
		case session.Pending:
			s.Lines.Pending++
		}
	}
	l.All = append(l.All, s)
	slices.SortFunc(l.All, func(a, b ledger.Source) int { return strings.Compare(a.Path, b.Path) })
}

// IssueAt is what became of a line.
func IssueAt(line int64, s session.Severity, reason string) session.Issue {
	return session.Issue{Line: line, Offset: 100 * (line - 1), Length: 99, Severity: s, Reason: reason}
}

// Sample has files of every kind, and hostile ones.
func Sample() *Fake {
	l := &Fake{}
	l.Add("/home/ann/sessions/2026-05-01-parser.jsonl", "openai", 1, 14)
	l.Add("/home/ann/sessions/2026-05-02-docker.jsonl", "claude-code", 3, 1204,
		IssueAt(7, session.Skipped, "file-history-snapshot"), IssueAt(12, session.Bad, "not JSON"),
		IssueAt(13, session.Skipped, "blank"), IssueAt(400, session.Bad, "not an object: number"),
		IssueAt(401, session.Note, "invalid UTF-8 replaced by U+FFFD"), IssueAt(1209, session.Pending, "unfinished line"))
	l.Add("/home/ann/sessions/README.md", "", 0, 0, IssueAt(1, session.Bad, "not JSON"), IssueAt(2, session.Bad, "not JSON"))
	l.Add("/home/ann/sessions/\x1b]0;owned\x07\u202egnp.jsonl", "openai\x1b[2J", 1, 3, IssueAt(1, session.Skipped, "no message: keys \x1b]0;owned\x07"))
	l.Add("/home/ann/会话/把数据库迁移到新的服务器并检查所有索引是否正确的完整记录.jsonl", "sharegpt", 12_345, 1_234_567)
	l.Add("/home/ann/sessions/empty.jsonl", "", 0, 0)
	l.Bytes = func(_ int64, is ledger.Issue) (ledger.Excerpt, error) {
		return ledger.Excerpt{
			Cut: true, Before: []byte("\xa0tail of an earlier line\n{\"role\":\"user\",\"content\":\"hi\"}\n"),
			Head:  []byte("nonsense \x1b[2J\x1b]0;owned\a 把数据库 \u202e here\xff " + strings.Repeat("long ", 60)),
			After: []byte("\r\n{\"role\":\"assistant\",\"content\":\"done\"}\nand mo\xe2\x82"), More: true,
		}, nil
	}
	return l
}
