package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/list"
	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
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
	cmd.Args = arguments(0, 1, "takes one ENTRY at most")
	return cmd
}

func (p *cli) redoCommand() *cobra.Command {
	return p.stepCommand("redo", "Do again what you undid last", "done again",
		func(ctx context.Context, s *database, curator string, _ []string) (review.Entry, error) {
			return s.Redo(ctx, curator)
		})
}

func (p *cli) stepCommand(name, short, done string, step func(context.Context, *database, string, []string) (review.Entry, error)) *cobra.Command {
	return with(&cobra.Command{
		Use:   name,
		Short: short,
		RunE: p.onDatabase(func(ctx context.Context, s *database, args []string) error {
			curator := s.Text("reviewer")
			entry, err := step(ctx, s, curator, args)
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
			}
			return p.report(tell.EntryOf(&entry), func() { p.out.Printf("%s: %s\n", done, tell.ActText(&entry)) })
		}),
	}, p.jsonFlag("print the journal entry as JSON"))
}

func (p *cli) logCommand() *cobra.Command {
	var exports bool
	return with(&cobra.Command{
		Use:   "log",
		Short: "List the journal, latest entry first",
		RunE: p.selecting(func(ctx context.Context, s *database, _ filter.Node) error {
			if exports {
				return p.logExports(ctx, s)
			}
			return p.log(ctx, s)
		}),
	}, p.limitFlag("entries"), p.jsonFlag("print one JSON object per entry"),
		boolFlag(&exports, "exports", "list the exports instead: format, target, number of samples"))
}

func (p *cli) log(ctx context.Context, s *database) error {
	t := p.out.List(p.asJSON, print.Right("ENTRY"), print.Left("TIME (UTC)"), print.Left("CURATOR"), print.Left("ACTION"), print.Left("WHAT"))
	before := int64(0)
	return list.Rows(p.lister(s), t, "reading the journal", func(want int) ([]review.Entry, error) {
		return s.Journal(ctx, before, want)
	}, func(e *review.Entry) error {
		before = e.ID
		return t.Put(tell.EntryOf(e), fmt.Sprint(e.ID), tell.TimeText(e.At), e.Curator, string(e.Action), tell.EntryText(e))
	}, "nothing was done yet")
}

// logExports lists the exports, the latest first.
func (p *cli) logExports(ctx context.Context, s *database) error {
	t := p.out.List(p.asJSON, print.Right("EXPORT"), print.Left("TIME (UTC)"), print.Left("CURATOR"), print.Left("FORMAT"), print.Right("SAMPLES"), print.Right("LEFT OUT"), print.Left("TARGET"))
	before := int64(0)
	return list.Rows(p.lister(s), t, "reading the exports", func(want int) ([]review.Exported, error) {
		return s.Exports(ctx, before, want)
	}, func(e *review.Exported) error {
		before = e.ID
		return t.Put(e, fmt.Sprint(e.ID), tell.TimeText(e.At), e.Curator, e.Format, draw.Grouped(e.Samples), draw.Grouped(e.LeftOut), p.env.ShortPath(e.Target))
	}, "nothing was exported yet")
}
