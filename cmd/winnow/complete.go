package main

import (
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/themes"
)

// offeredIDs is how many of the newest segments completion looks at: more
// would not fit on a screen.
const offeredIDs = 100

// completeIDs offers the newest segments, with their topics. Completion never
// fails: without a database it offers nothing.
func (p *cli) completeIDs(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var offers []cobra.Completion
	ctx := cmd.Context()
	err := p.withDatabase(ctx, false, func(s *database) error {
		q := review.Query{Order: review.Newest, Limit: offeredIDs}
		page, err := s.Segments(ctx, q)
		if err != nil {
			return err
		}
		for i := range page.Segments {
			seg := &page.Segments[i]
			if strings.HasPrefix(seg.ID, typed) {
				offers = append(offers, cobra.CompletionWithDesc(seg.Short(), clean.Line(topicText(seg))))
			}
		}
		return nil
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// completeThemes offers the themes that can be chosen.
func (p *cli) completeThemes(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return append(themes.Names(p.userThemes()), "auto"), cobra.ShellCompDirectiveNoFileComp
}

// completeWords offers a fixed list.
func completeWords(words []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}
