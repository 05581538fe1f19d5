package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/core/spell"
)

// selection is what "list" shows.
type selection struct {
	verdicts []string
	sort     string
	seed     uint64
	stale    bool
}

func (p *cli) listCommand() *cobra.Command {
	var sel selection
	cmd := with(&cobra.Command{
		Use:   "list",
		Short: "List the segments",
		Long: `Lists the segments that pass a filter, or all segments if there is none. Words
without a field search the text of the messages; "winnow help filters" explains
filters.`,
		Example: `  winnow list --filter 'status:pending score>=0.8' --sort -tokens --limit 20
  winnow list --filter '"connection refused" tool:terminal'
  winnow list --filter has:error --json | jq -r .id`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q, err := p.selected(cmd, &sel)
			if err != nil {
				return err
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				if err := p.desk(s).Ordered(cmd.Context(), &q); err != nil {
					return err
				}
				if err := p.searchable(cmd.Context(), s, q.Filter); err != nil {
					return err
				}
				return p.lister(s).Segments(cmd.Context(), q)
			})
		},
	}, p.filterFlag(filterHelp), p.limitFlag("segments"), p.jsonFlag("print one JSON object per segment"),
		boolFlag(&sel.stale, "stale", "only segments whose content changed after their verdict"))
	f := cmd.Flags()
	f.StringVar(&sel.sort, "sort", string(review.Natural), "`ORDER`: "+strings.Join(orderNames(), ", ")+" (- is descending)")
	f.Uint64Var(&sel.seed, "seed", 0, "with --sort random: each `N` gives another order")
	f.StringSliceVar(&sel.verdicts, "verdict", nil, "only these `VERDICTS`: "+strings.Join(verdictNames(), ", "))
	mustComplete(cmd.RegisterFlagCompletionFunc("sort", completeWords(orderNames())))
	mustComplete(cmd.RegisterFlagCompletionFunc("verdict", completeWords(verdictNames())))
	return cmd
}

func orderNames() []string { return names(review.Orders[:]) }

func verdictNames() []string { return names(review.Verdicts[:]) }

func names[T ~string](list []T) []string {
	texts := make([]string, len(list))
	for i, name := range list {
		texts[i] = string(name)
	}
	return texts
}

// selected checks what was asked for.
func (p *cli) selected(cmd *cobra.Command, sel *selection) (review.Query, error) {
	order, ok := review.OrderNamed(sel.sort)
	q := review.Query{Order: order, Seed: sel.seed}
	if !ok {
		return q, wrongUsage("--sort %q: unknown order: %s", sel.sort, spell.Known(sel.sort, orderNames()))
	}
	var verdicts []review.Verdict
	for _, name := range sel.verdicts {
		v := review.Verdict(name)
		if !slices.Contains(review.Verdicts[:], v) {
			return q, wrongUsage("--verdict %q: unknown verdict: %s", name, spell.Known(name, verdictNames()))
		}
		verdicts = append(verdicts, v)
	}
	if err := p.checkLimit(); err != nil {
		return q, err
	}
	if cmd.Flags().Changed("seed") && q.Order != review.Random {
		return q, wrongUsage("--seed is only for --sort random")
	}
	asked, err := p.parseFilter()
	if err != nil {
		return q, err
	}
	q.Filter = filter.All(review.HasVerdict(verdicts...), asked)
	if sel.stale {
		q.Filter = filter.All(q.Filter, review.Has("stale"))
	}
	return q, nil
}
