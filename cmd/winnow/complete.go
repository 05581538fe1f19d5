package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/tell"
	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/themes"
)

// offeredIDs is how many segments completion offers: more would not fit on a
// screen.
const offeredIDs = 100

// completeIDs offers all segments.
func (p *cli) completeIDs(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return p.completeSegments(cmd, nil, typed)
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
	return p.completeSegments(cmd, review.Has("stale"), typed)
}

// completeSegments offers the segments that pass a filter and whose ids begin with
// what was typed, with their topics; the newest ones if nothing was. Completion never
// fails: without a database it offers nothing.
func (p *cli) completeSegments(cmd *cobra.Command, only filter.Node, typed string) (offers []cobra.Completion, _ cobra.ShellCompDirective) {
	_ = p.withDatabase(cmd.Context(), false, func(s *database) error {
		found, err := s.offered(cmd.Context(), only, typed)
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
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// offered returns the segments, all or with a filter those that are stale, to offer
// for the beginning of an id.
func (s *database) offered(ctx context.Context, only filter.Node, typed string) ([]review.Segment, error) {
	if typed != "" {
		found, err := s.SegmentsWith(ctx, typed, offeredIDs)
		return slices.DeleteFunc(found, func(g review.Segment) bool { return only != nil && !g.Stale }), err
	}
	page, err := s.Segments(ctx, review.Query{Order: review.Newest, Filter: only, Limit: offeredIDs})
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
