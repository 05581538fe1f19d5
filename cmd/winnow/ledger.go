package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/list"
	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/filter"
	"winnow/core/hub"
	"winnow/core/inbox"
	"winnow/core/origin"
	"winnow/core/session"
	"winnow/store"
	"winnow/tui/draw"
)

func (p *cli) ledgerCommand() *cobra.Command {
	var lines, uploads bool
	return with(&cobra.Command{
		Use:   "ledger",
		Short: "List the imported files and what became of their lines",
		Long: `Lists every imported file: how many of its lines were read, skipped, bad or
unfinished, and why. --lines lists each line that was skipped, bad or
unfinished, with its line number and, if the file still exists, its beginning.
--uploads lists what was sent to "winnow serve" instead, the newest first: the
last 10,000 are kept.`,
		RunE: p.selecting(func(ctx context.Context, s *database, _ filter.Node) error {
			switch {
			case uploads && lines:
				return wrongUsage("--lines is for files: leave it or --uploads out")
			case p.limit > 0 && !uploads:
				return wrongUsage("--limit is for --uploads")
			case uploads:
				return p.uploads(ctx, s)
			case lines:
				return p.ledgerLines(ctx, s)
			case p.asJSON:
				return p.ledgerJSON(ctx, s)
			}
			return p.ledgerTable(ctx, s)
		}),
	}, boolFlag(&lines, "lines", "list each line that was skipped, bad or unfinished"), boolFlag(&uploads, "uploads", "list uploads instead, the newest first"),
		p.limitFlag("uploads"), p.jsonFlag("print one JSON object per source, line or upload"))
}

// uploads lists what was sent to the server.
func (p *cli) uploads(ctx context.Context, s *database) error {
	t := p.out.List(p.asJSON, tell.UploadColumns()...)
	before := int64(0)
	return list.Rows(p.lister(s), t, "reading the uploads", func(want int) ([]inbox.Arrival, error) {
		return s.Ingests(ctx, before, want)
	}, func(a *inbox.Arrival) error {
		before = a.N
		return tell.PutUpload(t, a)
	}, "nothing was uploaded yet: "+p.command("serve")+" takes sessions")
}

func (p *cli) ledgerTable(ctx context.Context, s *database) error {
	t := p.out.Table(print.Left("FORMAT"), print.Right("READ"), print.Right("SKIPPED"), print.Right("BAD"), print.Right("UNFINISHED"), print.Right("SESSIONS"), print.Path("SOURCE"))
	var all tell.LedgerSum
	err := desk.EachSource(ctx, s.Store, func(src *hub.Source) error {
		reasons, err := s.reasons(ctx, src)
		if err != nil {
			return err
		}
		c := src.Counts()
		all.Add(src)
		format := cmp.Or(src.State.Format, "–")
		t.Row(format, draw.Grouped(int(c.Read)), draw.Grouped(int(c.Skipped)), draw.Grouped(int(c.Bad)), draw.Grouped(int(c.Pending)), draw.Grouped(src.Sessions), src.Path)
		if src.Reason != "" {
			t.Remark("no session: " + src.Reason)
		}
		if err := s.remarkCopies(ctx, t, src); err != nil {
			return err
		}
		for i, r := range reasons {
			if i == mostReasons && len(reasons) > mostReasons+1 {
				t.Remark(tell.RestText(reasons[i:]))
				break
			}
			t.Remark(fmt.Sprintf("%s %s: %s", draw.Grouped(r.Count), tell.SeverityText(r.Severity), r.Reason))
		}
		return nil
	}, t.Flush)
	if err == nil && all.Sources > 0 {
		p.out.Printf("\n%s\n", all.Text())
	}
	return err
}

// mostReasons is how many reasons of a source are told to people: a file that
// is no session at all may have one for each of its lines.
const mostReasons = 12

func (p *cli) ledgerJSON(ctx context.Context, s *database) error {
	return desk.EachSource(ctx, s.Store, func(src *hub.Source) error {
		reasons, err := s.reasons(ctx, src)
		if err != nil {
			return err
		}
		joined, err := s.JoinedIn(ctx, src.ID)
		if err != nil {
			return fmt.Errorf("%s: %w", src.Path, err)
		}
		return p.out.JSON(tell.Source{
			Path: src.Path, AgentID: src.AgentID, Format: src.State.Format, Size: src.Size,
			Lines: src.Counts(), Sessions: src.Sessions, Copies: src.Copies - joined, Joined: joined, Reason: src.Reason, Reasons: reasons,
		})
	}, func() {})
}

// ledgerLines prints each line of each source that has an issue.
func (p *cli) ledgerLines(ctx context.Context, s *database) error {
	return desk.EachSource(ctx, s.Store, func(src *hub.Source) error {
		lines := origin.OpenBeginnings(src)
		defer lines.Close()
		return s.eachIssue(ctx, src, func(is *session.Issue) error {
			row := tell.IssueOf(src.Path, is, lines)
			return p.report(row, func() {
				p.out.Hang("", fmt.Sprintf("%s:%d (byte %d) %s: %s", row.Path, row.Line, row.Offset, tell.SeverityText(row.Severity), row.Reason))
				if row.Excerpt != "" {
					p.out.Line(print.RemarkIndent + row.Excerpt)
				}
			})
		})
	}, func() {})
}

// reasons counts the issues of a source by kind.
func (s *database) reasons(ctx context.Context, src *hub.Source) ([]store.IssueCount, error) {
	counts, err := s.IssueCounts(ctx, src.ID)
	if err != nil {
		err = fmt.Errorf("%s: %w", src.Path, err)
	}
	return counts, err
}

// eachIssue calls f for every issue of a source in the order they were found.
func (s *database) eachIssue(ctx context.Context, src *hub.Source, f func(*session.Issue) error) error {
	after := int64(0)
	_, err := list.EachRow(src.Path, 0, func(want int) ([]store.IssueRow, error) {
		return s.Issues(ctx, src.ID, after, want)
	}, func(is *store.IssueRow) error {
		after = is.ID
		return f(&is.Issue)
	}, func() {})
	return err
}

// mostCopies is how many sessions of a source that are kept as others are told
// to people.
const mostCopies = 3

// remarkCopies tells which sessions a source holds copies or parts of.
func (s *database) remarkCopies(ctx context.Context, t *print.Table, src *hub.Source) error {
	if src.Copies == 0 {
		return nil
	}
	list, err := s.CopiedBy(ctx, src.ID, mostCopies)
	if err != nil {
		return fmt.Errorf("%s: %w", src.Path, err)
	}
	for _, c := range list {
		if c.Joined {
			t.Remark("joined with " + c.File)
		} else {
			t.Remark("copy of " + c.File)
		}
	}
	if more := src.Copies - len(list); more > 0 {
		t.Remark(draw.Grouped(more) + " more kept as other sessions")
	}
	return nil
}
