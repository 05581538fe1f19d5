package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/filter"
	"winnow/core/review"
)

func (p *cli) undoCommand() *cobra.Command {
	cmd := p.stepCommand("undo", "Take back your last action, or the one of a journal entry", "undone",
		func(ctx context.Context, s *database, curator string, args []string) (review.Entry, error) {
			if len(args) == 0 {
				return s.Undo(ctx, curator)
			}
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || id < 1 {
				return review.Entry{}, wrongUsage("undo %q: an entry is a number, as %s shows it", args[0], p.command("log"))
			}
			return s.UndoEntry(ctx, curator, id)
		})
	cmd.Use = "undo [ENTRY]"
	cmd.Long = `Takes back your last action, or the one of a journal ENTRY as "winnow log" numbers
them. It refuses if somebody has changed the same segments since. "winnow redo"
does the action again.`
	cmd.Args = oneAtMost("ENTRY")
	return cmd
}

func (p *cli) redoCommand() *cobra.Command {
	return p.stepCommand("redo", "Do again what you undid last", "done again",
		func(ctx context.Context, s *database, curator string, _ []string) (review.Entry, error) {
			return s.Redo(ctx, curator)
		})
}

func (p *cli) stepCommand(name, short, done string, step func(context.Context, *database, string, []string) (review.Entry, error)) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				curator := s.Text("reviewer")
				entry, err := step(cmd.Context(), s, curator, args)
				var usage *failure
				switch {
				case errors.As(err, &usage):
					return err
				case errors.Is(err, review.ErrNothing):
					return fmt.Errorf("nothing to %s for %s: %s shows what was done", name, curator, p.command("log"))
				case errors.Is(err, review.ErrNotFound):
					return fmt.Errorf("%s %s: there is no such entry: %s lists them", name, args[0], p.command("log"))
				case errors.Is(err, review.ErrConflict) && len(args) > 0:
					return fmt.Errorf("%s %s: %w; %s shows what happened", name, args[0], err, p.command("log"))
				case errors.Is(err, review.ErrConflict):
					return fmt.Errorf("%s: %w: it can no longer be %s; %s shows what happened", name, err, done, p.command("log"))
				case err != nil:
					return fmt.Errorf("%s: %w", name, err)
				case asJSON:
					return p.out.JSON(tell.EntryOf(&entry))
				}
				p.out.Printf("%s: %s\n", done, tell.ActText(&entry))
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the journal entry as JSON")
	return cmd
}

func (p *cli) logCommand() *cobra.Command {
	var asJSON, exports bool
	var limit int
	cmd := &cobra.Command{
		Use:   "log",
		Short: "List the journal, latest entry first",
		Args:  noArguments,
	}
	cmd.RunE = p.selecting(new(string), &limit, func(ctx context.Context, s *database, _ filter.Node) error {
		if exports {
			return p.logExports(ctx, s, limit, asJSON)
		}
		return p.log(ctx, s, limit, asJSON)
	})
	cmd.Flags().IntVar(&limit, "limit", 0, "at most `N` entries (0: all)")
	cmd.Flags().BoolVar(&exports, "exports", false, "list the exports instead: format, target, number of samples")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per entry")
	return cmd
}

func (p *cli) log(ctx context.Context, s *database, limit int, asJSON bool) error {
	t := p.out.List(asJSON, print.Right("ENTRY"), print.Left("TIME (UTC)"), print.Left("CURATOR"), print.Left("ACTION"), print.Left("WHAT"))
	before := int64(0)
	return listRows(p, t, "reading the journal", limit, func(want int) ([]review.Entry, error) {
		return s.Journal(ctx, before, want)
	}, func(e *review.Entry) error {
		before = e.ID
		return t.Put(tell.EntryOf(e), fmt.Sprint(e.ID), tell.TimeText(e.At), e.Curator, string(e.Action), tell.EntryText(e))
	}, "nothing was done yet")
}
