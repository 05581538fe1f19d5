package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/export"
	"winnow/core/review"
)

// exporting is what "export" is told.
type exporting struct {
	export.Options
	minScore float64
	asJSON   bool
}

// emitterHelp, given as the name of a format, lists the formats.
const emitterHelp = "help"

func (p *cli) exportCommand() *cobra.Command {
	var how exporting
	cmd := &cobra.Command{
		Use:   "export -o FILE",
		Short: "Write the approved segments as training data",
		Long: `Writes the approved segments as training data, in the order of their files.
Each sample is checked; one that fails is left out and named with the reason,
and the exit status is 3. The file appears when it is complete.`,
		Example: `  winnow export -o train.jsonl
  winnow export -o train.jsonl --as openai --force
  winnow export --check`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if how.As == emitterHelp {
				return p.listEmitters(how.asJSON)
			}
			if err := how.check(cmd); err != nil {
				return err
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				return p.export(cmd.Context(), s, &how)
			})
		},
	}
	f := cmd.Flags()
	f.StringVarP(&how.Path, "output", "o", "", "`FILE` to write")
	f.StringVar(&how.As, "as", "", "`FORMAT` of the records; help lists them (default "+export.Emitters()[0].Name+")")
	f.BoolVar(&how.AnyVerdict, "any-verdict", false, "take pending and unsure segments too, never rejected ones")
	f.Float64Var(&how.minScore, "min-score", 0, "only segments fit for training that score at least `X` (0 to 1)")
	f.IntVar(&how.Limit, "limit", 0, "write at most `N` samples (0: all)")
	f.BoolVar(&how.Stale, "stale", false, "take segments too whose content changed after their verdict")
	f.BoolVar(&how.Check, "check", false, "check everything, write nothing")
	f.BoolVar(&how.Force, "force", false, "replace an existing file")
	f.BoolVar(&how.asJSON, "json", false, "print the outcome as JSON")
	mustComplete(cmd.RegisterFlagCompletionFunc("as", completeEmitters))
	return cmd
}

func completeEmitters(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var offers []cobra.Completion
	for _, e := range export.Emitters() {
		offers = append(offers, cobra.CompletionWithDesc(e.Name, e.Description))
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// emitterRow is a format in JSON.
type emitterRow struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

func (p *cli) listEmitters(asJSON bool) error {
	t := p.out.table(left("FORMAT"), left("FOR"))
	for _, e := range export.Emitters() {
		if asJSON {
			if err := p.out.JSON(emitterRow{e.Name, e.Description}); err != nil {
				return err
			}
			continue
		}
		t.row(e.Name, e.Description)
	}
	t.flush()
	return nil
}

func (how *exporting) check(cmd *cobra.Command) error {
	if _, err := export.Find(how.As); err != nil {
		return &failure{exitUsage, fmt.Errorf("--as: %w", err)}
	}
	if cmd.Flags().Changed("min-score") {
		if !(how.minScore >= 0 && how.minScore <= 1) {
			return wrongUsage("--min-score %g: must be from 0 to 1", how.minScore)
		}
		how.MinScore = &how.minScore
	}
	switch {
	case how.Path == "" && !how.Check:
		return wrongUsage("export needs -o FILE, or --check: see %s --help", cmd.CommandPath())
	case how.Limit < 0:
		return wrongUsage("--limit %d: must not be negative", how.Limit)
	}
	return nil
}

func (p *cli) export(ctx context.Context, s *database, how *exporting) error {
	line := p.progress()
	report, err := export.Run(ctx, s.Store, how.Options, func(r export.Report) {
		line.show(fmt.Sprintf("%s, %s", plural(r.Written, "sample", "samples"), bytesText(r.Bytes)))
	})
	line.done()
	if errors.Is(err, context.Canceled) {
		return &failure{exitInterrupted, errors.New("export: stopped: nothing was written")}
	}
	if err != nil {
		return err
	}
	if how.asJSON {
		if err := p.out.JSON(report); err != nil {
			return err
		}
	} else {
		p.printExport(&report, how.Check)
	}
	for _, l := range report.LeftOut {
		p.warn("left out %s: %s: %s", review.Short(l.Segment), l.Check, l.Reason())
	}
	switch {
	case report.Candidates == 0:
		return &failure{exitFailed, errors.New("export: no segment to export: " + how.nothing())}
	case len(report.LeftOut) > 0:
		return ended(exitPartly)
	}
	return nil
}

// nothing says what to do if nothing was selected.
func (how *exporting) nothing() string {
	switch {
	case how.MinScore != nil:
		return "none is scored that high: lower --min-score"
	case how.AnyVerdict:
		return "load sessions with winnow import PATH"
	}
	return "approve some first, or take others too with --any-verdict"
}

func (p *cli) printExport(r *export.Report, check bool) {
	done := "exported"
	if check {
		done = "could export"
	}
	p.out.printf("%s %s as %s, about %s, %s\n", done, plural(r.Written, "sample", "samples"), r.As,
		plural(r.Tokens, "token", "tokens"), bytesText(r.Bytes))
	for _, f := range r.Files {
		p.out.printf("%s: %s\n", f.Path, plural(f.Rows, "row", "rows"))
	}
	if len(r.Repairs) > 0 {
		var parts []string
		for _, c := range r.Repairs {
			parts = append(parts, fmt.Sprintf("%s in %s", c.Check, plural(c.Samples, "sample", "samples")))
		}
		p.out.printf("repaired: %s\n", strings.Join(parts, ", "))
	}
	if len(r.LeftOut) > 0 {
		p.out.printf("%s left out\n", plural(len(r.LeftOut), "segment", "segments"))
	}
}
