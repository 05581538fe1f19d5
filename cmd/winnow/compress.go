package main

import (
	"github.com/spf13/cobra"

	"winnow/cmd/winnow/compress"
)

// compressCommand is the command whose room is package compress.
func (p *cli) compressCommand() *cobra.Command {
	c := &compress.Command{Program: compress.Program{
		Out: p.out, Warn: p.warn, Command: p.command, Now: p.env.now, Key: p.env.Get, JSON: &p.asJSON, Limit: &p.limit,
		Line: p.progress, Wrong: wrongUsage, Fail: func(code int, err error) error { return &failure{code, err} },
	}}
	cmd := with(&cobra.Command{
		Use: "compress [FILE|FOLDER]", Short: "Shorten long segments, or files of trajectories, to a budget of tokens",
		Long: compress.Help, Example: compress.Examples, Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return wrongUsage("compress needs a FILE or a FOLDER: see %s --help", cmd.CommandPath())
			}
			if err := c.Check(true); err != nil {
				return err
			}
			conf, err := p.config()
			if err != nil {
				return err
			}
			return c.Files(cmd.Context(), args[0], conf)
		},
	}, c.Add, p.filterFlag(filterHelp), p.limitFlag("segments"), p.jsonFlag("print the outcome as JSON"))
	return cmd
}
