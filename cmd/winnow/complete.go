package main

import (
	"context"

	"github.com/spf13/cobra"

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
	var offers []cobra.Completion
	ctx := cmd.Context()
	err := p.withDatabase(ctx, false, func(s *database) error {
		found, err := s.offered(ctx, typed)
		for i := range found {
			seg := &found[i]
			id := seg.Short()
			if len(typed) > len(id) {
				id = seg.ID
			}
			offers = append(offers, cobra.CompletionWithDesc(id, clean.Line(topicText(seg))))
		}
		return err
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// offered returns the segments to offer for the beginning of an id.
func (s *database) offered(ctx context.Context, typed string) ([]review.Segment, error) {
	if typed != "" {
		return s.SegmentsWith(ctx, typed, offeredIDs)
	}
	page, err := s.Segments(ctx, review.Query{Order: review.Newest, Limit: offeredIDs})
	return page.Segments, err
}

// completeThemes offers the themes that can be chosen.
func (p *cli) completeThemes(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return append(themes.Names(p.userThemes()), "auto"), cobra.ShellCompDirectiveNoFileComp
}

// completeWords offers a fixed list.
func completeWords(words []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}
