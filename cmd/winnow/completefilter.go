package main

import (
	"github.com/spf13/cobra"

	"winnow/core/filter"
)

// completeFilter completes the expression of --filter at its end: fields,
// operators and values. A shell puts an offer in place of all that was typed.
func (p *cli) completeFilter(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	runes := []rune(typed)
	c := filter.Complete(typed, len(runes))
	var offers []cobra.Completion
	for _, w := range c.Words {
		offers = append(offers, cobra.CompletionWithDesc(string(runes[:c.From])+w.Text, w.Help))
	}
	return offers, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
}
