package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/core/export"
	"winnow/core/export/lineage"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/tui/draw"
)

// emitterHelp, given as the name of a format, lists the formats.
const emitterHelp = "help"

func (p *cli) exportCommand() *cobra.Command {
	var how exporting
	cmd := &cobra.Command{
		Use:   "export -o FILE|FOLDER/",
		Short: "Write the approved segments as training data",
		Long: `Writes the approved segments as training data, in the order of their files.
Each sample is checked. A sample that fails is left out, standard error names it
with the reason, and the exit status is 3. The file appears only when it is
complete. With -o - the samples go to standard output and the report to standard
error. A FOLDER/ becomes a data set: files, a card, recipes for trainers, and
the lineage of every row. Formats whose name ends in dpo write preference pairs:
an answer that you approved and one that you rejected, given to the same prompt,
or one that you rewrote and approved, and what the model wrote there.

Formats (--as):
` + emitterLines(false),
		Example: `  winnow export -o train.jsonl
  winnow export -o train.jsonl --as openai --force
  winnow export -o train.jsonl --filter 'tag:release -topic:secret'
  winnow export -o train.jsonl --any-verdict --min-score 0.8 --task-type code
  winnow export -o pairs.jsonl --as dpo --pairs 2
  winnow export -o dataset/ --split train=0.95,validation=0.05 --redact --dedupe near
  winnow export -o - | gzip > train.jsonl.gz
  winnow export --check
  winnow export --lint their.jsonl
  winnow export --diff dataset-may/ dataset-june/`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return p.runExport(cmd, args, &how) },
	}
	p.exportFlags(cmd, &how)
	return cmd
}

// runExport runs what the flags ask for: a list of formats, a file to check, two
// exports to compare, or an export.
func (p *cli) runExport(cmd *cobra.Command, args []string, how *exporting) error {
	switch {
	case how.As == emitterHelp:
		return p.listEmitters()
	case how.diff && len(args) == 2:
		return p.diffExports(cmd.Context(), args[0], args[1])
	case how.diff:
		return wrongUsage("--diff needs two exports: %s --diff OLD NEW", cmd.CommandPath())
	case len(args) > 0:
		return noArguments(cmd, args)
	case how.lint != "":
		return p.lint(cmd.Context(), how)
	}
	if err := p.checkExport(cmd, how); err != nil {
		return err
	}
	var err error
	if how.Filter, err = p.parseFilter(); err != nil {
		return err
	}
	return p.withDatabase(cmd.Context(), false, func(s *database) error {
		return p.export(cmd.Context(), s, how)
	})
}

// emitterLines describes the formats, one in a line: all of them, or those that
// files can be converted to.
func emitterLines(convertible bool) string {
	var lines []string
	for _, e := range emittersFor(convertible) {
		lines = append(lines, fmt.Sprintf("  %-16s %s", e.Name, e.Description))
	}
	return strings.Join(lines, "\n")
}

func emittersFor(convertible bool) []export.Emitter {
	return slices.DeleteFunc(slices.Clone(export.Emitters()), func(e export.Emitter) bool { return convertible && e.Converts() != nil })
}

// completeEmitters offers the formats that emitterLines describes.
func completeEmitters(convertible bool) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) (offers []cobra.Completion, _ cobra.ShellCompDirective) {
		for _, e := range emittersFor(convertible) {
			offers = append(offers, cobra.CompletionWithDesc(e.Name, e.Description))
		}
		return offers, cobra.ShellCompDirectiveNoFileComp
	}
}

// emitterRow is a format in JSON.
type emitterRow struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Losses      string `json:"losses"` // what it cannot carry
}

func (p *cli) listEmitters() error {
	if p.asJSON {
		for _, e := range export.Emitters() {
			if err := p.out.JSON(emitterRow{e.Name, e.Description, e.Losses}); err != nil {
				return err
			}
		}
		return nil
	}
	for _, e := range export.Emitters() {
		p.out.Hang(fmt.Sprintf("%-16s  ", e.Name), e.Description)
	}
	p.out.Printf("\nNone can carry %s. What else is lost:\n\n", export.NoneCarries)
	for _, e := range export.Emitters() {
		p.out.Hang(fmt.Sprintf("%-16s  ", e.Name), e.Losses)
	}
	return nil
}

func (p *cli) export(ctx context.Context, s *database, how *exporting) error {
	if err := p.searchable(ctx, s, how.Filter); err != nil {
		return err
	}
	if how.Filter != nil {
		totals, err := s.Totals(ctx)
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
		how.approved = totals.ByVerdict[review.Approved]
	}
	line := p.progress()
	show := func(r export.Report) {
		line.Show(fmt.Sprintf("%s, %s", draw.Plural(r.Written, r.Unit()), draw.Bytes(r.Bytes)))
	}
	var report export.Report
	var err error
	if how.streams() {
		report, err = p.exportStream(ctx, s, how.Options, show)
	} else {
		report, err = p.desk(s).Export(ctx, how.Options, show)
	}
	line.Done()
	if errors.Is(err, context.Canceled) {
		return &failure{exitInterrupted, errors.New("export: stopped: nothing was written")}
	}
	if err != nil {
		return err
	}
	if !how.Check && len(report.Files) > 0 {
		if err := p.desk(s).Keep(ctx, &how.Options, &report); err != nil {
			p.warn("export: the files are complete, but the database could not note it: %v", err)
		}
	}
	if err := p.reportExport(&report, how); err != nil {
		return err
	}
	switch {
	case report.Candidates == 0:
		return p.nothingSelected(ctx, s, how)
	case report.Pairs != nil && report.Written == 0 && report.Failed() == 0:
		return &failure{exitFailed, errors.New("export: no pair to export: no approved and rejected run fork at an answer, and no approved answer is rewritten that was not redacted since: --json names each segment with the reason")}
	case report.Failed() > 0 || how.Check && how.Redact == nil && len(report.Secrets) > 0:
		return ended(exitPartly)
	}
	return nil
}

// diffExports says which samples came, went and changed from one export to
// another, and why. What the manifests cannot know, why a segment is no longer
// selected, the database tells, if there is one.
func (p *cli) diffExports(ctx context.Context, before, after string) error {
	found, err := p.hasDatabase()
	if err != nil {
		return err
	}
	if !found {
		return p.printDiff(before, after, nil)
	}
	return p.withDatabase(ctx, false, func(s *database) error {
		return p.printDiff(before, after, func(id string) string { return whyNot(ctx, s, id) })
	})
}

func (p *cli) printDiff(before, after string, explain func(string) string) error {
	d, err := lineage.Diff(before, after, explain)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return p.report(d, func() {
		for i := range d.Options {
			p.out.Printf("%s\n", d.Options[i].Text())
		}
		for i := range d.Changes {
			p.out.Printf("%s\n", d.Changes[i].Text())
		}
		p.out.Printf("%s before, %s now: %s came, %s went, %s changed, %s as they were\n", draw.Plural(d.Old, "sample"),
			draw.Grouped(d.New), draw.Grouped(d.Came), draw.Grouped(d.Went), draw.Grouped(d.Changed), draw.Grouped(d.Same))
	})
}

// whyNot says why a segment would not be exported now, "" if nothing is known.
func whyNot(ctx context.Context, s *database, id string) string {
	seg, err := s.Segment(ctx, id)
	switch {
	case err != nil:
		return "" // it left, as an edited boundary makes it
	case seg.Stale:
		return "its content changed after it was " + string(seg.Was)
	case seg.Verdict == review.Approved:
		return ""
	case seg.Reviewer != "":
		return fmt.Sprintf("%s by %s", seg.Verdict, seg.Reviewer)
	}
	return "its verdict was taken back: it is " + string(seg.Verdict)
}

// lint reads a file of training data and says what trainers break on.
func (p *cli) lint(ctx context.Context, how *exporting) error {
	if _, err := export.Find(how.As); err != nil {
		return &failure{exitUsage, fmt.Errorf("--as: %w", err)}
	}
	c, err := p.config()
	if err != nil {
		return err
	}
	var in io.Reader = p.env.stdin
	if how.lint != print.Stream {
		f, err := os.Open(how.lint)
		if err != nil {
			return fmt.Errorf("--lint: %w", err)
		}
		defer f.Close()
		in = f
	}
	text, _, err := session.Decode(in)
	if err != nil {
		return fmt.Errorf("--lint: %s: %w", how.lint, err)
	}
	found := 0
	done, err := export.LintFile(ctx, text, export.Linting{As: how.As, MaxValue: c.Size("max_value")}, func(f export.LintFinding) {
		found++
		if p.asJSON {
			_ = p.out.JSON(f) // a failed write shows when the output is flushed
			return
		}
		p.out.Printf("%s\n", findingText(how.lint, &f))
	})
	switch {
	case err != nil:
		return fmt.Errorf("--lint: %s: %w", how.lint, err)
	case p.asJSON:
		if err := p.out.JSON(done); err != nil {
			return err
		}
	case done.As != "":
		p.out.Printf("%s read as %s: %s clean, %s\n", draw.Plural(done.Rows, "record"), done.As,
			draw.Grouped(done.Clean), draw.Plural(found, "finding"))
	}
	switch {
	case done.Rows == 0:
		return &failure{exitFailed, fmt.Errorf("--lint: %s: it holds no record", how.lint)}
	case found > 0:
		return ended(exitPartly)
	}
	return nil
}
