package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/tell"
	"winnow/core/clean"
	"winnow/core/review"
	"winnow/themes"
)

// offeredIDs is how many segments completion offers: more would not fit on a
// screen.
const offeredIDs = 100

// completeIDs offers the segments whose ids begin with what was typed, with
// their topics; the newest ones if nothing was. Completion never fails:
// without a database it offers nothing.
func (p *cli) completeIDs(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return p.completeSegments(cmd, review.Query{Order: review.Newest}, typed)
}

// completeOneID offers segments for the first argument only: what follows is
// a number or a text.
func (p *cli) completeOneID(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return p.completeIDs(cmd, args, typed)
}

// completeStale offers the segments whose content changed after their verdict.
func (p *cli) completeStale(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return p.completeSegments(cmd, review.Query{Order: review.Newest, Filter: review.Has("stale")}, typed)
}

func (p *cli) completeSegments(cmd *cobra.Command, q review.Query, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var offers []cobra.Completion
	ctx := cmd.Context()
	err := p.withDatabase(ctx, false, func(s *database) error {
		found, err := s.offered(ctx, q, typed)
		for i := range found {
			seg := &found[i]
			id := seg.Short()
			if len(typed) > len(id) {
				id = seg.ID
			}
			offers = append(offers, cobra.CompletionWithDesc(id, clean.Line(tell.TopicText(seg))))
		}
		return err
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// offered returns the segments of a query, of all or of those that are stale,
// to offer for the beginning of an id.
func (s *database) offered(ctx context.Context, q review.Query, typed string) ([]review.Segment, error) {
	if typed != "" {
		found, err := s.SegmentsWith(ctx, typed, offeredIDs)
		return slices.DeleteFunc(found, func(g review.Segment) bool { return q.Filter != nil && !g.Stale }), err
	}
	q.Limit = offeredIDs
	page, err := s.Segments(ctx, q)
	return page.Segments, err
}

// completeThemes offers the themes that can be chosen.
func (p *cli) completeThemes(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return append(themes.Names(p.env.UserThemes()), "auto"), cobra.ShellCompDirectiveNoFileComp
}

// completeWords offers a fixed list.
func completeWords(words []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}
