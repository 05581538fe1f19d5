package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/export"
	"winnow/core/metric"
)

// exporting is what "export" is told.
type exporting struct {
	export.Options
	filter   string
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
and the exit status is 3. The file appears when it is complete; - is standard
output, and what is to be said goes to standard error.

Formats (--as):
` + emitterLines(),
		Example: `  winnow export -o train.jsonl
  winnow export -o train.jsonl --as openai --force
  winnow export -o train.jsonl --filter 'tag:release -topic:secret'
  winnow export -o train.jsonl --any-verdict --min-score 0.8 --task-type code
  winnow export -o - | gzip > train.jsonl.gz
  winnow export --check`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if how.As == emitterHelp {
				return p.listEmitters(how.asJSON)
			}
			if err := how.check(cmd); err != nil {
				return err
			}
			var err error
			if how.Filter, err = p.parseFilter(how.filter); err != nil {
				return err
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				return p.export(cmd.Context(), s, &how)
			})
		},
	}
	f := cmd.Flags()
	f.StringVarP(&how.Path, "output", "o", "", "`FILE` to write, - for standard output")
	f.StringVar(&how.As, "as", "", "`FORMAT` of the records: "+strings.Join(emitterNames(), ", ")+" (default "+emitterNames()[0]+")")
	p.filterFlag(cmd, &how.filter, filterHelp)
	f.StringVar(&how.TaskType, "task-type", "", "only segments of that `TYPE`: "+strings.Join(taskTypeNames(), ", "))
	f.BoolVar(&how.AnyVerdict, "any-verdict", false, "take pending and unsure segments too, never rejected ones")
	f.Float64Var(&how.minScore, "min-score", 0, "only segments fit for training that score at least `X` (0 to 1)")
	f.IntVar(&how.Limit, "limit", 0, "write at most `N` samples (0: all)")
	f.BoolVar(&how.Stale, "stale", false, "take segments too whose content changed after their verdict")
	f.BoolVar(&how.Check, "check", false, "check everything, write nothing")
	f.BoolVar(&how.Force, "force", false, "replace an existing file")
	f.BoolVar(&how.asJSON, "json", false, "print the outcome as JSON")
	mustComplete(cmd.RegisterFlagCompletionFunc("as", completeEmitters))
	mustComplete(cmd.RegisterFlagCompletionFunc("task-type", completeWords(taskTypeNames())))
	return cmd
}

func taskTypeNames() []string {
	var names []string
	for _, t := range metric.TaskTypes() {
		names = append(names, string(t))
	}
	return names
}

func emitterNames() []string {
	var names []string
	for _, e := range export.Emitters() {
		names = append(names, e.Name)
	}
	return names
}

// emitterLines describes the formats, one in a line.
func emitterLines() string {
	var lines []string
	for _, e := range export.Emitters() {
		lines = append(lines, fmt.Sprintf("  %-8s %s", e.Name, e.Description))
	}
	return strings.Join(lines, "\n")
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
	if _, ok := metric.ParseTaskType(how.TaskType); !ok && how.TaskType != "" {
		return wrongUsage("--task-type %q: unknown: known are %s", how.TaskType, strings.Join(taskTypeNames(), ", "))
	}
	switch {
	case how.Path == "" && !how.Check:
		return wrongUsage("export needs -o FILE, or --check: see %s --help", cmd.CommandPath())
	case how.Limit < 0:
		return wrongUsage("--limit %d: must not be negative", how.Limit)
	}
	return nil
}

// streams reports whether the samples go to standard output.
func (how *exporting) streams() bool { return how.Path == streamPath && !how.Check }

func (p *cli) export(ctx context.Context, s *database, how *exporting) error {
	if err := p.searchable(ctx, s, how.Filter); err != nil {
		return err
	}
	if err := p.inMemory(ctx, s, how.Filter); err != nil {
		return err
	}
	line := p.progress()
	show := func(r export.Report) {
		line.show(fmt.Sprintf("%s, %s", plural(r.Written, "sample", "samples"), bytesText(r.Bytes)))
	}
	var report export.Report
	var err error
	if how.streams() {
		report, err = p.exportStream(ctx, s, how.Options, show)
	} else {
		report, err = export.Run(ctx, s.Store, how.Options, show)
	}
	line.done()
	if errors.Is(err, context.Canceled) {
		return &failure{exitInterrupted, errors.New("export: stopped: nothing was written")}
	}
	if err != nil {
		return err
	}
	if err := p.reportExport(&report, how); err != nil {
		return err
	}
	switch {
	case report.Candidates == 0:
		return p.nothingSelected(ctx, s, how)
	case len(report.LeftOut) > 0:
		return ended(exitPartly)
	}
	return nil
}
