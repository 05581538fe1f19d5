package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/tui/draw"
)

// offeredValues is how many values of a field completion offers.
const offeredValues = 50

// completeFilter completes the expression of --filter at its end: fields,
// operators, and values with the number of segments that have them. A shell
// puts an offer in place of all that was typed.
func (p *cli) completeFilter(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	runes := []rune(typed)
	c := filter.Complete(typed, len(runes))
	before := string(runes[:c.From])
	var offers []cobra.Completion
	for _, w := range c.Words {
		offers = append(offers, cobra.CompletionWithDesc(before+w.Text, w.Help))
	}
	if len(c.Words) == 0 && c.Field != "" {
		quoting := strings.HasPrefix(string(runes[c.From:]), `"`)
		for _, v := range p.fieldValues(cmd.Context(), c.Field, c.Prefix) {
			offers = append(offers, cobra.CompletionWithDesc(before+quotedAs(v.Value, quoting), draw.Plural(v.Count, "segment")))
		}
	}
	return offers, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
}

// fieldValues returns values of a field that can be shown, none without a
// database.
func (p *cli) fieldValues(ctx context.Context, f filter.Field, typed string) (values []filter.Candidate) {
	_ = p.withDatabase(ctx, false, func(s *database) error {
		found, err := s.Values(ctx, f, typed, nil, offeredValues)
		for _, v := range found {
			if clean.Line(v.Value) == v.Value {
				values = append(values, v)
			}
		}
		return err
	})
	return values
}

// quotedAs writes a value for a filter, in quotes also where it needs none if
// some were begun.
func quotedAs(value string, quoting bool) string {
	if q := filter.Quote(value); !quoting || strings.HasPrefix(q, `"`) || strings.HasSuffix(value, `\`) {
		return q
	}
	return `"` + value + `"`
}
