package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/hub"
	"winnow/core/origin"
	"winnow/core/session"
	"winnow/store"
	"winnow/tui/draw"
)

func (p *cli) ledgerCommand() *cobra.Command {
	var lines, asJSON bool
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "List the imported files and what became of their lines",
		Long: `Lists every imported file: how many of its lines were read, skipped, bad or
unfinished, and why. --lines lists each line that was skipped, bad or
unfinished, with its line number and, if the file still exists, its beginning.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				show := p.ledgerTable
				switch {
				case lines:
					show = func(ctx context.Context, s *database) error { return p.ledgerLines(ctx, s, asJSON) }
				case asJSON:
					show = p.ledgerJSON
				}
				return show(cmd.Context(), s)
			})
		},
	}
	cmd.Flags().BoolVar(&lines, "lines", false, "list each line that was skipped, bad or unfinished")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per source, or line")
	return cmd
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
		copies, err := s.copyRemarks(ctx, src)
		if err != nil {
			return err
		}
		for _, remark := range copies {
			t.Remark(remark)
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
func (p *cli) ledgerLines(ctx context.Context, s *database, asJSON bool) error {
	return desk.EachSource(ctx, s.Store, func(src *hub.Source) error {
		lines := origin.OpenBeginnings(src)
		defer lines.Close()
		return s.eachIssue(ctx, src, func(is *session.Issue) error {
			row := tell.IssueOf(src.Path, is, lines)
			if asJSON {
				return p.out.JSON(row)
			}
			p.out.Hang("", fmt.Sprintf("%s:%d (byte %d) %s: %s", row.Path, row.Line, row.Offset, tell.SeverityText(row.Severity), row.Reason))
			if row.Excerpt != "" {
				p.out.Line(print.RemarkIndent + row.Excerpt)
			}
			return nil
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
	_, err := eachRow(src.Path, 0, func(want int) ([]store.IssueRow, error) {
		return s.Issues(ctx, src.ID, after, want)
	}, func(is *store.IssueRow) error {
		after = is.ID
		return f(&is.Issue)
	}, func() {})
	return err
}
