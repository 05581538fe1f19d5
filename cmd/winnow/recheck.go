package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/tell"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui"
	"winnow/tui/screens/recheck"
)

// maxRecheck is how many decided segments one recheck may have: with as many
// pending ones it is an hour of reading, and all of it is in memory.
const maxRecheck = 100

// reviewing is what "review" was asked for.
type reviewing struct {
	recheck int
	seed    uint64
	any     bool
	results bool
	blind   bool
}

const reviewHelp = `Opens the review screen, as winnow without a command does.

With --recheck N it shows N segments that you judged earlier, without their
verdict, mixed with as many pending ones, in random order. Your new answers do
not change the old verdicts; they are kept beside them. When all are judged, or
you leave, the screen shows how often you agreed with yourself, and lets you
replace an old verdict with the new answer (u takes that back). Until then
the filter, statistics and everything else that would reveal a verdict are off.
Stale segments are left out. Cohen's kappa measures how much more you agree than
by chance: 1 is always, 0 no more than by chance.

--blind hides which models wrote what, so that no name decides a verdict: names of
models are in no row, message, statistic, filter or completion, and what shows records
as they were, what models made, or runs is off. A filter may ask for models all the
same. What texts, paths and tags say stays.

--recheck-report prints the results of all your rechecks.`

func (p *cli) reviewCommand() *cobra.Command {
	var how reviewing
	cmd := with(&cobra.Command{
		Use:   "review",
		Short: "Open the review screen, or recheck earlier verdicts",
		Long:  reviewHelp,
		Example: `  winnow review --filter 'type:code score>=0.7'
  winnow review --blind
  winnow review --recheck 20
  winnow review --recheck-report --json | jq .kappa`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			n, err := p.parseFilter()
			if err != nil {
				return err
			}
			return p.reviewAs(cmd.Context(), &how, n, cmd.Flags().Changed("recheck"))
		},
	}, p.filterFlag(filterHelp), p.jsonFlag("with --recheck-report: print it as JSON"),
		boolFlag(&how.any, "any-curator", "with --recheck: also segments that other curators judged"),
		boolFlag(&how.blind, "blind", "hide which models wrote what"),
		boolFlag(&how.results, "recheck-report", "print the results of earlier rechecks"))
	f := cmd.Flags()
	f.IntVar(&how.recheck, "recheck", 0, "show `N` judged segments again, without their verdict")
	f.Uint64Var(&how.seed, "seed", 0, "choose and order the segments by the seed `S` (default from the clock)")
	return cmd
}

// reviewAs opens the screen that was asked for, or prints the report.
func (p *cli) reviewAs(ctx context.Context, how *reviewing, n filter.Node, again bool) error {
	switch {
	case how.results && how.blind:
		return wrongUsage("--recheck-report opens no screen: leave out --blind")
	case how.results && again:
		return wrongUsage("--recheck-report prints earlier rechecks: leave out --recheck")
	case how.results:
		return p.withDatabase(ctx, false, func(s *database) error { return p.recheckReport(ctx, s, "") })
	case p.asJSON:
		return wrongUsage("--json is only for --recheck-report")
	case !again && (how.any || how.seed != 0):
		return wrongUsage("--any-curator and --seed are only for --recheck")
	case again && (how.recheck < 1 || how.recheck > maxRecheck):
		return wrongUsage("--recheck %d: must be from 1 to %d", how.recheck, maxRecheck)
	case !p.env.screen():
		return noScreen("winnow list shows the segments, winnow approve, reject, … judge them")
	}
	text, err := p.env.Filters().Expand(p.filter)
	if err != nil {
		return err
	}
	return p.withDatabase(ctx, true, func(s *database) error {
		if !again {
			return p.openScreen(ctx, s, p.env.ShortPath(s.path), nil, true, "auto", func(o *tui.Options) { o.Filter, o.Blind = text, how.blind })
		}
		if err := s.Writable(); err != nil {
			return err
		}
		r, run, err := p.recheckOf(ctx, s, how, n)
		if err != nil {
			return err
		}
		err = p.openScreen(ctx, s, p.env.ShortPath(s.path), nil, false, "auto", func(o *tui.Options) {
			o.Recheck, o.State, o.Looked, o.Blind = r, nil, nil, how.blind
			o.Claims = desk.JudgedToo(o.Claims)
		})
		if err != nil {
			return err
		}
		return p.recheckReport(ctx, s, run)
	})
}

// recheckOf chooses what a recheck shows, and names its run.
func (p *cli) recheckOf(ctx context.Context, s *database, how *reviewing, n filter.Node) (*recheck.Sample, string, error) {
	run, err := desk.NewRun(p.env.rand)
	if err != nil {
		return nil, "", err
	}
	seed := how.seed
	if seed == 0 {
		seed = uint64(p.env.now().UnixNano())
	}
	if err := p.searchable(ctx, s, n); err != nil {
		return nil, "", err
	}
	curator := s.Text("reviewer")
	decided := filter.All(n, review.HasVerdict(review.Approved, review.Rejected, review.Unsure), filter.Not{Of: review.Has("stale")})
	if !how.any {
		decided = filter.All(decided, filter.Term{Field: filter.Reviewer, Op: filter.Is, Value: curator})
	}
	page, err := s.Segments(ctx, review.Query{Filter: decided, Order: review.Random, Seed: seed, Limit: how.recheck})
	if err != nil {
		return nil, "", err
	}
	if len(page.Segments) == 0 {
		whose := "you (" + curator + ") decided"
		if how.any {
			whose = "anybody decided"
		}
		return nil, "", fmt.Errorf("nothing to recheck: no segment that %s passes; --any-curator takes all, --filter others", whose)
	}
	r := &recheck.Sample{
		Decided: page.Segments, Seed: orderOf(seed),
		Answer: func(ctx context.Context, g *review.Segment, v review.Verdict) error {
			return s.Answer(ctx, review.Recheck{
				Run: run, Curator: curator, Segment: g.ID, Fingerprint: g.Fingerprint, Was: g.Verdict, WasBy: g.Reviewer, Answer: v,
			})
		},
	}
	others, err := s.Segments(ctx, review.Query{
		Filter: filter.All(n, review.HasVerdict(review.Pending)), Order: review.Random, Seed: seed, Limit: len(r.Decided),
	})
	for i := range others.Segments {
		r.Pending = append(r.Pending, others.Segments[i].ID)
	}
	return r, run, err
}

// orderOf is the seed of the order of what another seed chose. In the order that
// chose them the first of many come before the first of few.
func orderOf(chosen uint64) uint64 { return ^chosen }

// recheckReport prints how a run came out, or with "" all of the curator.
func (p *cli) recheckReport(ctx context.Context, s *database, run string) error {
	list, err := s.Rechecks(ctx, s.Text("reviewer"), run)
	if err != nil {
		return err
	}
	row := tell.RecheckOf(list)
	return p.report(row, func() { tell.PrintRecheck(p.out, list, &row) })
}
