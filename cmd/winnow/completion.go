package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/tell"
	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/core/spell"
	"winnow/themes"
	"winnow/tui/draw"
)

// shells are the shells that completion scripts are written for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

func (p *cli) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the completion script for a shell",
		Long: `Prints a script that teaches a shell to complete commands, flags, ids, formats
and themes. SHELL is ` + strings.Join(shells, ", ") + `.`,
		Example: `  source <(winnow completion bash)
  winnow completion zsh > "${fpath[1]}/_winnow"
  winnow completion fish > ~/.config/fish/completions/winnow.fish`,
		Args:      arguments(1, 1, "needs one SHELL"),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(p.out, true)
			case "zsh":
				return root.GenZshCompletion(p.out)
			case "fish":
				return root.GenFishCompletion(p.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(p.out)
			}
			return wrongUsage("completion: unknown shell %q: %s", args[0], spell.Known(args[0], shells))
		},
	}
}

// helpCommand is cobra's, but asking about a command that is not there is
// wrong usage.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var offers []cobra.Completion
			for _, c := range cmd.Root().Commands() {
				if len(args) == 0 && c.IsAvailableCommand() {
					offers = append(offers, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return offers, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) == 0 {
				return root.Help()
			}
			known := func(c *cobra.Command) bool { return c.Name() == args[0] }
			i := slices.IndexFunc(root.Commands(), known)
			if i < 0 || len(args) > 1 {
				var names []string
				for _, c := range root.Commands() {
					names = append(names, c.Name())
				}
				return wrongUsage("help: no command %q: %ssee winnow --help", strings.Join(args, " "), spell.Meant(args[0], names))
			}
			return root.Commands()[i].Help()
		},
	}
}

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
