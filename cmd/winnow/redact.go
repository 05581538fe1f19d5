package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/edits"
	"winnow/cmd/winnow/tell"
	"winnow/core/amend"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
)

func (p *cli) redactCommand() *cobra.Command {
	f := &edits.Redact{}
	text := func(to *string, name, help string) func(*cobra.Command) {
		return func(cmd *cobra.Command) { cmd.Flags().StringVar(to, name, "", help) }
	}
	return with(&cobra.Command{
		Use:   "redact --find TEXT | --regexp RE --with TEXT",
		Short: "Take a text out of every message that holds it",
		Long: `Puts another text in the place of what is found, in every message that holds it:
in its text, its reasoning, the names of tools and the arguments of calls. With
--filter only in the sessions of the segments that pass it. It says first how
many messages that is, and asks. All of it is one entry of the journal, and one
undo. Verdicts stay. No export has what was redacted, in whatever session it is
said again.

The database still holds it: in what was recorded ("winnow show --recorded"), in
the journal, and in copies of the file. So do the files that were imported.`,
		Example: `  winnow redact --find 'Ann Smith' --with '[name]'
  winnow redact --regexp 'sk-[A-Za-z0-9]{20,}' --with '[key]' --filter 'agent:claude' --yes`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			replace, err := f.Replacing(cmd.Flags().Changed("with"))
			if err != nil {
				return wrongUsage("%w", err)
			}
			node, err := p.parseFilter()
			if err != nil {
				return err
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				return changing(func(ctx context.Context, s *database, node filter.Node) error {
					return review.Vanished(p.redact(ctx, s, node, f.Note, replace))
				})(cmd.Context(), s, node)
			})
		},
	},
		text(&f.Find, "find", "text that is taken out"),
		text(&f.Pattern, "regexp", "or a pattern of what is, as Go's regexp has it"),
		text(&f.With, "with", "text that is put there"),
		text(&f.Note, "note", "what it is for, for the journal"),
		p.filterFlag(filterHelp), boolFlag(&p.yes, "yes", "do not ask first"), p.jsonFlag("print the journal entry as JSON, with counts"))
}

// redact replaces in all messages of the sessions that a filter finds.
func (p *cli) redact(ctx context.Context, s *database, node filter.Node, note string, replace func(string) string) error {
	if err := p.searchable(ctx, s, node); err != nil {
		return err
	}
	sessions, err := amend.SessionsOf(ctx, s, node)
	if err != nil {
		return err
	}
	found := &amend.Redaction{Store: s, Replace: replace}
	for _, id := range sessions {
		one, err := s.Session(ctx, id)
		if err == nil {
			err = found.Take(ctx, &one)
		}
		if err != nil {
			return err
		}
	}
	if len(found.Changes) == 0 {
		text := fmt.Sprintf("nothing to redact: no message of %s holds it", draw.Plural(len(sessions), "session"))
		if node != nil {
			text += "; without --filter all are looked at"
		}
		return &failure{exitFailed, errors.New(text)}
	}
	if err := p.sureToRedact(ctx, tell.CountsText(found.Found)); err != nil {
		return err
	}
	e, err := s.Edit(ctx, review.Editing{Curator: s.Text("reviewer"), Note: note, Changes: found.Changes})
	if err != nil {
		return fmt.Errorf("not redacted: %w", err)
	}
	left, err := amend.Remaining(ctx, s, sessions, replace)
	if err != nil {
		return fmt.Errorf("redacted; what holds it still is not known: %w", err)
	}
	row := tell.RedactedOf(&e, found, &left)
	for _, text := range row.Texts() {
		p.warn("%s", text)
	}
	return p.report(row, func() {
		p.out.Printf("redacted %s; the database still holds what was recorded, and winnow undo brings it back\n", tell.CountsText(found.Found))
	})
}

// sureToRedact asks whether to change so many messages.
func (p *cli) sureToRedact(ctx context.Context, many string) error {
	if p.yes {
		return nil
	}
	if !p.env.stdinTTY || !p.env.stderrTTY {
		return wrongUsage("%s hold it, and there is no terminal to ask on: add --yes to redact it", many)
	}
	return p.agreed(ctx, many+" hold it: redact")
}
