package main

import (
	"context"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/show"
)

func (p *cli) showCommand() *cobra.Command {
	var messages, raw, short, recorded bool
	var width int
	var version string
	return with(&cobra.Command{
		Use:   "show ID",
		Short: "Show a segment or session",
		Long: `Shows a segment or session: its data and an outline of its messages. ID is its
id or the beginning of the id. For a scored segment it also prints what each
metric found, worst first. --json has the whole analysis. --digest tells the
messages on a screen or two: the prompts, a line per step of the work, what
failed and stayed so, the answers.`,
		Args:              arguments(1, 1, "needs one ID"),
		ValidArgsFunction: p.completeIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if given(p.asJSON, raw, messages, short) > 1 {
				return wrongUsage("use only one of --json, --messages, --raw and --digest")
			}
			if recorded && version != "" {
				return wrongUsage("use only one of --recorded and --version: @0 is what was recorded")
			}
			if width != 0 && !short || width < 0 {
				return wrongUsage("--width is the width of a --digest: a number of columns")
			}
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				it, err := p.find(cmd.Context(), s, args[0])
				if err != nil {
					return err
				}
				if it.Recorded = recorded; version != "" {
					if err := goBack(cmd.Context(), s, it, version); err != nil {
						return err
					}
				}
				v := &show.Printer{Out: p.out, Store: s.Store, Now: p.env.now, Zone: p.env.zone, ASCII: s.Truth("ascii"), Thresholds: s.Thresholds()}
				if err := v.Mark(cmd.Context(), it); err != nil {
					return err
				}
				switch {
				case p.asJSON:
					return v.JSON(cmd.Context(), it)
				case raw:
					return v.Raw(cmd.Context(), it)
				case short:
					return v.Digest(cmd.Context(), it, width)
				}
				return v.Text(cmd.Context(), it, messages)
			})
		},
	}, p.jsonFlag("print one JSON object with the normalized messages"),
		boolFlag(&recorded, "recorded", "print messages as they were recorded, without edits"),
		boolFlag(&messages, "messages", "print the whole text of the messages"),
		boolFlag(&short, "digest", "print a digest of the messages"),
		func(cmd *cobra.Command) {
			cmd.Flags().StringVar(&version, "version", "", "print messages as they were after the entry `@E` of the journal")
			cmd.Flags().IntVar(&width, "width", 0, "columns of a digest (default: those of the terminal, else 110)")
		},
		boolFlag(&raw, "raw", "print only the stored text, byte for byte (control characters are escaped on a terminal)"))
}

// find looks an id up among segments, then among sessions.
func (p *cli) find(ctx context.Context, s *database, id string) (*show.Subject, error) {
	return show.Find(ctx, s.Store, id, p.command)
}

// given counts the flags that are set.
func given(flags ...bool) (n int) {
	for _, set := range flags {
		if set {
			n++
		}
	}
	return n
}
