package emit

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/core/export"
	"winnow/core/export/lineage"
	"winnow/core/review"
	"winnow/tui/draw"
)

// emitterHelp, given as the name of a format, lists the formats.
const emitterHelp = "help"

// Export returns the command that writes approved segments.
func (p *Program) Export() *cobra.Command {
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
func (p *Program) runExport(cmd *cobra.Command, args []string, how *exporting) error {
	switch {
	case how.As == emitterHelp:
		return p.listEmitters()
	case how.diff && len(args) == 2:
		return p.diffExports(cmd.Context(), args[0], args[1])
	case how.diff:
		return p.Wrong("--diff needs two exports: %s --diff OLD NEW", cmd.CommandPath())
	case len(args) > 0:
		return p.Wrong("%s takes no arguments, got %q: see %s --help", cmd.Name(), args[0], cmd.CommandPath())
	case how.lint != "":
		return p.lint(cmd.Context(), how)
	}
	if err := p.checkExport(cmd, how); err != nil {
		return err
	}
	var err error
	if how.Filter, err = p.Asked(); err != nil {
		return err
	}
	return p.Open(cmd.Context(), func(d *desk.Desk) error {
		return p.export(cmd.Context(), d, how)
	})
}

func (p *Program) export(ctx context.Context, d *desk.Desk, how *exporting) error {
	if err := p.Searchable(ctx, d, how.Filter); err != nil {
		return err
	}
	if how.Filter != nil {
		totals, err := d.Totals(ctx)
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
		how.approved = totals.ByVerdict[review.Approved]
	}
	line := p.Line()
	show := func(r export.Report) {
		line.Show(fmt.Sprintf("%s, %s", draw.Plural(r.Written, r.Unit()), draw.Bytes(r.Bytes)))
	}
	var report export.Report
	var err error
	if how.streams() {
		report, err = p.exportStream(ctx, d, how.Options, show)
	} else {
		report, err = d.Export(ctx, how.Options, show)
	}
	line.Done()
	if errors.Is(err, context.Canceled) {
		return p.Fail(exitInterrupted, errors.New("export: stopped: nothing was written"))
	}
	if err != nil {
		return err
	}
	if !how.Check && len(report.Files) > 0 {
		if err := d.Keep(ctx, &how.Options, &report); err != nil {
			p.Warn("export: the files are complete, but the database could not note it: %v", err)
		}
	}
	if err := p.reportExport(&report, how); err != nil {
		return err
	}
	switch {
	case report.Candidates == 0:
		return p.nothingSelected(ctx, d, how)
	case report.Pairs != nil && report.Written == 0 && report.Failed() == 0:
		return p.Fail(exitFailed, errors.New("export: no pair to export: no approved and rejected run fork at an answer, and no approved answer is rewritten that was not redacted since: --json names each segment with the reason"))
	case report.Failed() > 0 || how.Check && how.Redact == nil && len(report.Secrets) > 0:
		return p.Fail(exitPartly, nil)
	}
	return nil
}

// diffExports says which samples came, went and changed from one export to
// another, and why. What the manifests cannot know, why a segment is no longer
// selected, the database tells, if there is one.
func (p *Program) diffExports(ctx context.Context, before, after string) error {
	found, err := p.Exists()
	if err != nil {
		return err
	}
	if !found {
		return p.printDiff(before, after, nil)
	}
	return p.Open(ctx, func(d *desk.Desk) error {
		return p.printDiff(before, after, func(id string) string { return whyNot(ctx, d, id) })
	})
}

func (p *Program) printDiff(before, after string, explain func(string) string) error {
	d, err := lineage.Diff(before, after, explain)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if *p.JSON {
		return p.Out.JSON(d)
	}
	for i := range d.Options {
		p.Out.Printf("%s\n", d.Options[i].Text())
	}
	for i := range d.Changes {
		p.Out.Printf("%s\n", d.Changes[i].Text())
	}
	p.Out.Printf("%s before, %s now: %s came, %s went, %s changed, %s as they were\n", draw.Plural(d.Old, "sample"),
		draw.Grouped(d.New), draw.Grouped(d.Came), draw.Grouped(d.Went), draw.Grouped(d.Changed), draw.Grouped(d.Same))
	return nil
}

// whyNot says why a segment would not be exported now, "" if nothing is known.
func whyNot(ctx context.Context, d *desk.Desk, id string) string {
	seg, err := d.Segment(ctx, id)
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
