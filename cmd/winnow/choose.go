package main

import (
	"bufio"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
)

// chosen are the segments that a command works on: those that are named, or
// those that pass a filter.
type chosen struct {
	ids  []string
	node filter.Node // nil: those that are named
}

// filtered reports whether a command has a filter.
func filtered(cmd *cobra.Command) bool { return cmd.Flags().Changed("filter") }

// onChosen runs f, which changes the database, with what ids or the filter choose. A
// choice that is none, or two, is refused.
func (p *cli) onChosen(cmd *cobra.Command, ids []string, f func(context.Context, *database, *chosen) error) (err error) {
	c := &chosen{ids: ids}
	switch name := cmd.Name(); {
	case filtered(cmd) && len(ids) > 0:
		return wrongUsage("%s takes IDs or --filter, not both: id:%s in the filter is that segment", name, ids[0])
	case filtered(cmd):
		if c.node, err = p.parseFilter(); err == nil && c.node == nil {
			err = wrongUsage("--filter is empty, which is all segments: if you mean them, write --filter 'messages>0'")
		}
	case len(ids) == 0:
		return wrongUsage("%s needs the ID of a segment, or --filter: see %s --help", name, cmd.CommandPath())
	case p.yes:
		return wrongUsage("--yes is only for --filter")
	}
	if err != nil {
		return err
	}
	return p.withDatabase(cmd.Context(), false, func(s *database) error {
		err := changing(f)(cmd.Context(), s, c)
		if c.node != nil { // the ids came from the database
			err = review.Vanished(err)
		}
		return err
	})
}

// chosenIDs returns the full ids of the chosen segments, in their order, each once.
func (p *cli) chosenIDs(ctx context.Context, s *database, c *chosen) (ids []string, err error) {
	for _, id := range c.ids {
		g, err := p.segmentOf(ctx, s, id)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, g.ID) {
			ids = append(ids, g.ID)
		}
	}
	if c.node == nil {
		return ids, nil
	}
	if err := p.searchable(ctx, s, c.node); err != nil {
		return nil, err
	}
	return s.IDs(ctx, review.Query{Filter: c.node})
}

// sure asks whether to do what to the n segments that pass a filter; over says
// whose verdicts that would change.
// Without a terminal to ask on, --yes has to say so.
func (p *cli) sure(ctx context.Context, c *chosen, what string, n int, over string) error {
	if c.node == nil || p.yes {
		return nil
	}
	return p.sureOf(ctx, draw.Plural(n, "segment")+over, what)
}

// sureOf asks whether to do what to the things that a filter selected.
func (p *cli) sureOf(ctx context.Context, many, what string) error {
	if !p.env.stdinTTY || !p.env.stderrTTY {
		return wrongUsage("--filter selects %s, and there is no terminal to ask on: add --yes to do it", many)
	}
	return p.agreed(ctx, many+": "+what)
}

// agreed asks a question on the terminal, and returns nil for a yes.
func (p *cli) agreed(ctx context.Context, question string) error {
	print.Fprintf(p.env.stderr, "%s? [y/N] ", question)
	answer, err := bufio.NewReader(interruptible(ctx, p.env.stdin)).ReadString('\n')
	if err := ctx.Err(); err != nil {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	if err != nil { // the terminal is still after the question
		print.Fprintf(p.env.stderr, "\n")
	}
	return &failure{exitFailed, errors.New("nothing was done")}
}
