package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/print"
	"winnow/core/clean"
	"winnow/core/hub"
	"winnow/core/origin"
	"winnow/core/session"
	"winnow/tui/draw"
)

// sourceRow is a source in JSON.
type sourceRow struct {
	Path     string         `json:"path"`
	AgentID  string         `json:"agent_id"`
	Format   string         `json:"format"` // "" if nothing was recognized
	Size     int64          `json:"size"`
	Lines    session.Counts `json:"lines"`
	Sessions int            `json:"sessions"`
	Copies   int            `json:"copies,omitzero"` // sessions in it that others hold all of
	Joined   int            `json:"joined,omitzero"` // sessions in it that are parts of others
	Reason   string         `json:"reason,omitzero"` // why it gave no session
	Reasons  []reasonRow    `json:"reasons"`
}

// reasonRow counts the lines of a source that were not simply read.
type reasonRow struct {
	Severity session.Severity `json:"severity"`
	Reason   string           `json:"reason"`
	Count    int              `json:"count"`
}

// issueRow is one such line.
type issueRow struct {
	Path     string           `json:"path"`
	Line     int64            `json:"line"`
	Offset   int64            `json:"offset"`
	Length   int64            `json:"length"`
	Severity session.Severity `json:"severity"`
	Reason   string           `json:"reason"`
	Excerpt  string           `json:"excerpt,omitzero"` // "" if the source is not there as it was
}

func (p *cli) ledgerCommand() *cobra.Command {
	var lines, asJSON bool
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "List the imported files and what became of their lines",
		Long: `Lists every file that was imported: how many of its lines were read, skipped,
bad or unfinished, and why. --lines lists each such line with its place and,
if the file is still there, how it begins.`,
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
	cmd.Flags().BoolVar(&lines, "lines", false, "list each line that was not simply read")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per source, or line")
	return cmd
}

func (p *cli) ledgerTable(ctx context.Context, s *database) error {
	t := p.out.Table(print.Left("FORMAT"), print.Right("READ"), print.Right("SKIPPED"), print.Right("BAD"), print.Right("UNFINISHED"), print.Right("SESSIONS"), print.Path("SOURCE"))
	var all ledgerSum
	err := desk.EachSource(ctx, s.Store, func(src *hub.Source) error {
		reasons, err := s.reasons(ctx, src)
		if err != nil {
			return err
		}
		c := src.Counts()
		all.add(src)
		format := src.State.Format
		if format == "" {
			format = "–"
		}
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
				t.Remark(restText(reasons[i:]))
				break
			}
			t.Remark(fmt.Sprintf("%s %s: %s", draw.Grouped(r.Count), severityText(r.Severity), r.Reason))
		}
		return nil
	}, t.Flush)
	if err == nil && all.sources > 0 {
		p.out.Printf("\n%s\n", all.text())
	}
	return err
}

// mostReasons is how many reasons of a source are told to people: a file that
// is no session at all may have one for each of its lines.
const mostReasons = 12

// restText says of reasons how many there are.
func restText(reasons []reasonRow) string {
	lines := 0
	for _, r := range reasons {
		lines += r.Count
	}
	return fmt.Sprintf("%s for %s: see --json", draw.Plural(len(reasons), "more reason"), draw.Plural(lines, "line"))
}

// severityText names what became of a line for people.
func severityText(s session.Severity) string {
	if s == session.Pending {
		return "unfinished"
	}
	return string(s)
}

// ledgerSum adds up sources.
type ledgerSum struct {
	sources, empty, sessions int // empty ones gave no session
	lines                    session.Counts
}

func (l *ledgerSum) add(src *hub.Source) {
	l.sources++
	l.sessions += src.Sessions
	l.lines = l.lines.Plus(src.Counts())
	if src.Sessions+src.Copies == 0 {
		l.empty++
	}
}

// text says in one line what there is: the parts add up.
func (l *ledgerSum) text() string {
	text := draw.Plural(l.sources, "file")
	if l.empty > 0 {
		text += fmt.Sprintf(" (%s without a session)", draw.Grouped(l.empty))
	}
	return text + ", " + draw.Plural(l.sessions, "session") + "; " + linesText(l.lines)
}

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
		return p.out.JSON(sourceRow{
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
			row := issueRow{src.Path, is.Line, is.Offset, is.Length, is.Severity, is.Reason, excerpt(lines.At(is, excerptBytes))}
			if asJSON {
				return p.out.JSON(row)
			}
			p.out.Hang("", fmt.Sprintf("%s:%d (byte %d) %s: %s", row.Path, row.Line, row.Offset, severityText(row.Severity), row.Reason))
			if row.Excerpt != "" {
				p.out.Line(print.RemarkIndent + row.Excerpt)
			}
			return nil
		})
	}, func() {})
}

// excerptWidth is how many cells of a line are shown.
const excerptWidth = 80

// excerptBytes is how much of a line is looked at: four bytes per cell are the
// most that UTF-8 takes.
const excerptBytes = 4 * excerptWidth

// excerpt shows the beginning of a line, cleaned.
func excerpt(line []byte) string {
	return ansi.Truncate(clean.Line(strings.ToValidUTF8(string(line), "\uFFFD")), excerptWidth, "…")
}

// reasons counts the issues of a source by kind.
func (s *database) reasons(ctx context.Context, src *hub.Source) ([]reasonRow, error) {
	counts, err := s.IssueCounts(ctx, src.ID)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.Path, err)
	}
	rows := make([]reasonRow, len(counts))
	for i, c := range counts {
		rows[i] = reasonRow(c)
	}
	return rows, nil
}

// eachIssue calls f for every issue of a source in the order they were found.
func (s *database) eachIssue(ctx context.Context, src *hub.Source, f func(*session.Issue) error) error {
	for after := int64(0); ; {
		issues, err := s.Issues(ctx, src.ID, after, pageSize)
		if err != nil {
			return fmt.Errorf("%s: %w", src.Path, err)
		}
		for i := range issues {
			if err := f(&issues[i].Issue); err != nil {
				return err
			}
			after = issues[i].ID
		}
		if len(issues) < pageSize {
			return nil
		}
	}
}
