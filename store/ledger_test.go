package store

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/core/hub"
	"winnow/core/ledger"
	"winnow/core/review"
	"winnow/core/session"
)

// imported is a source of two read lines and the given issues, without a
// session.
func imported(path string, issues ...session.Issue) hub.ImportWrite {
	w := hub.ImportWrite{Source: hub.Source{AgentID: "main", Path: path, Size: 10, Sessions: 1}, Issues: issues}
	w.Source.State = session.State{Format: "openai", Counts: session.Counts{Read: 2}}
	for _, is := range issues {
		switch is.Severity {
		case session.Bad:
			w.Source.State.Counts.Bad++
		case session.Skipped:
			w.Source.State.Counts.Skipped++
		case session.Pending:
			w.Source.Pending++
		}
	}
	return w
}

func found(line int64, s session.Severity, reason string) session.Issue {
	return session.Issue{Line: line, Offset: 10 * line, Length: 9, Severity: s, Reason: reason}
}

// mixedLedger stores twelve sources, of which those with a number divisible by
// three are in trouble.
func mixedLedger(t *testing.T, s *Store) {
	t.Helper()
	for i := range 12 {
		w := imported(fmt.Sprintf("/s/%02d", i))
		switch i % 6 {
		case 0:
			w = imported(w.Source.Path, found(1, session.Bad, "not JSON"), found(3, session.Skipped, "blank"))
		case 1:
			w = imported(w.Source.Path, found(3, session.Skipped, "blank"), found(4, session.Pending, "unfinished line"))
		case 3:
			w.Source.Sessions, w.Source.Reason, w.Source.State.Format = 0, "2 lines: no message", ""
		}
		put(t, s, w)
	}
}

func TestPagesOfTheLedgerLoseNoSource(t *testing.T) {
	s := openTemp(t)
	mixedLedger(t, s)
	for _, trouble := range []bool{false, true} {
		all, err := s.LedgerSources(t.Context(), ledger.SourceQuery{Limit: 99, Trouble: trouble})
		if err != nil || all.More {
			t.Fatalf("%v, more: %v", err, all.More)
		}
		want := 12
		if trouble {
			want = 4
		}
		if len(all.Sources) != want || !slices.IsSortedFunc(all.Sources, func(a, b ledger.Source) int { return strings.Compare(a.Path, b.Path) }) {
			t.Errorf("trouble %v: %+v", trouble, all.Sources)
		}
		for _, back := range []bool{false, true} {
			var got []ledger.Source
			q := ledger.SourceQuery{Limit: 3, Trouble: trouble, Back: back}
			for more := true; more; {
				p, err := s.LedgerSources(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				if back {
					got, q.After = append(p.Sources, got...), p.Sources[0].Key()
				} else {
					got, q.After = append(got, p.Sources...), p.Sources[len(p.Sources)-1].Key()
				}
				more = p.More
			}
			if !reflect.DeepEqual(got, all.Sources) {
				t.Errorf("back %v: %+v", back, got)
			}
		}
	}
	totals, err := s.LedgerTotals(t.Context())
	if err != nil || totals != (ledger.Totals{Sources: 12, Trouble: 4}) {
		t.Errorf("%+v, %v", totals, err)
	}
	if _, err := s.LedgerSources(t.Context(), ledger.SourceQuery{}); err == nil {
		t.Error("a page of no rows")
	}
}

func TestTheLedgerTellsWhatBecameOfASource(t *testing.T) {
	s := openTemp(t)
	mixedLedger(t, s)
	p, err := s.LedgerSources(t.Context(), ledger.SourceQuery{Limit: 9})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at      int
		lines   session.Counts
		trouble bool
	}{
		{0, session.Counts{Read: 2, Skipped: 1, Bad: 1}, true},
		{1, session.Counts{Read: 2, Skipped: 1, Pending: 1}, false},
		{2, session.Counts{Read: 2}, false},
		{3, session.Counts{Read: 2}, true},
	} {
		if got := p.Sources[c.at]; got.Lines != c.lines || got.Trouble() != c.trouble || got.AgentID != "main" || got.Size != 10 {
			t.Errorf("source %d: %+v", c.at, got)
		}
	}
	if got := p.Sources[3]; got.Reason != "2 lines: no message" || got.Format != "" || p.Sources[0].Format != "openai" {
		t.Errorf("%+v", got)
	}
	src, err := s.Source(t.Context(), p.Sources[1].ID)
	if err != nil || src.Path != "/s/01" || src.Counts() != p.Sources[1].Lines {
		t.Errorf("%+v, %v", src, err)
	}
	if _, err := s.Source(t.Context(), 999); !errors.Is(err, review.ErrNotFound) {
		t.Error(err)
	}
}

func TestPagesOfIssuesLoseNone(t *testing.T) {
	s := openTemp(t)
	var issues []session.Issue
	for i := range int64(20) {
		is := found(i+1, session.Skipped, "blank")
		switch i % 5 {
		case 1:
			is.Severity, is.Reason = session.Bad, "not JSON"
		case 2:
			is.Reason = "not JSON"
		}
		issues = append(issues, is)
	}
	put(t, s, imported("/s/other", found(1, session.Bad, "not JSON")), imported("/s/this", issues...))
	src, err := s.LedgerSources(t.Context(), ledger.SourceQuery{Limit: 9})
	if err != nil {
		t.Fatal(err)
	}
	id := src.Sources[1].ID
	for name, c := range map[string]struct {
		q    ledger.IssueQuery
		want int
	}{
		"all":         {ledger.IssueQuery{}, 20},
		"bad":         {ledger.IssueQuery{Bad: true}, 4},
		"one reason":  {ledger.IssueQuery{Only: &ledger.Reason{Severity: session.Skipped, Text: "not JSON"}}, 4},
		"bad of one":  {ledger.IssueQuery{Bad: true, Only: &ledger.Reason{Severity: session.Bad, Text: "not JSON"}}, 4},
		"contradicts": {ledger.IssueQuery{Bad: true, Only: &ledger.Reason{Severity: session.Skipped, Text: "blank"}}, 0},
	} {
		for _, c.q.Back = range []bool{false, true} {
			c.q.Source, c.q.Limit, c.q.After = id, 3, 0
			var got []ledger.Issue
			for more := true; more; {
				p, err := s.LedgerIssues(t.Context(), c.q)
				if err != nil {
					t.Fatal(err)
				}
				if n := len(p.Issues); c.q.Back && n > 0 {
					got, c.q.After = append(p.Issues, got...), p.Issues[0].ID
				} else if n > 0 {
					got, c.q.After = append(got, p.Issues...), p.Issues[n-1].ID
				}
				more = p.More
			}
			if len(got) != c.want || !slices.IsSortedFunc(got, func(a, b ledger.Issue) int { return int(a.Line - b.Line) }) {
				t.Errorf("%s, back %v: %+v", name, c.q.Back, got)
			}
		}
	}
	if _, err := s.LedgerIssues(t.Context(), ledger.IssueQuery{Source: id}); err == nil {
		t.Error("a page of no rows")
	}
}

// The ledger is read from indexes: what is in trouble is found without a look
// at the rest.
func TestTheLedgerUsesIndexes(t *testing.T) {
	s := openTemp(t)
	mixedLedger(t, s)
	check := func(text string, args []any, index string) {
		t.Helper()
		if plan := planOf(t, s, text, args...); !strings.Contains(plan, index) || strings.Contains(plan, "B-TREE") {
			t.Errorf("%s:\n%s", text, plan)
		}
	}
	for _, back := range []bool{false, true} {
		for _, after := range []ledger.Key{{}, {Path: "/s/03", ID: 4}} {
			for index, trouble := range map[string]bool{"sources_path": false, "sources_trouble": true} {
				text, args, err := sourcePageSQL(&ledger.SourceQuery{After: after, Back: back, Limit: 3, Trouble: trouble})
				if err != nil {
					t.Fatal(err)
				}
				check(text, args, index)
			}
		}
		only := &ledger.Reason{Severity: session.Bad, Text: "not JSON"}
		for _, c := range []struct {
			index string
			q     ledger.IssueQuery
		}{
			{"import_issues_source", ledger.IssueQuery{}},
			{"import_issues_bad", ledger.IssueQuery{Bad: true}},
			{"import_issues_bad", ledger.IssueQuery{Only: only}},
		} {
			c.q.Source, c.q.After, c.q.Back, c.q.Limit = 1, 3, back, 3
			text, args, err := issuePageSQL(&c.q)
			if err != nil {
				t.Fatal(err)
			}
			check(text, args, c.index)
		}
	}
	check(ledgerTotalsSQL, nil, "sources_trouble")
}
