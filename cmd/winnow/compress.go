package main

import (
	"context"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/compress"
	"winnow/cmd/winnow/list"
	"winnow/core/filter"
)

// compressCommand is the command whose room is package compress.
func (p *cli) compressCommand() *cobra.Command {
	c := &compress.Command{Program: compress.Program{
		Out: p.out, Warn: p.warn, Command: p.command, Now: p.env.now, Key: p.env.Get, JSON: &p.asJSON, Limit: &p.limit,
		Line: p.progress, Wrong: wrongUsage, Fail: func(code int, err error) error { return &failure{code, err} },
	}}
	cmd := with(&cobra.Command{
		Use: "compress [FILE|FOLDER]", Short: "Shorten long segments, or files of trajectories, to a budget of tokens",
		Long: compress.Help, Example: compress.Examples, Args: c.Arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.Check(len(args) > 0); err != nil {
				return err
			}
			if len(args) == 0 {
				return p.selecting(func(ctx context.Context, s *database, asked filter.Node) error {
					if err := s.Writable(); err != nil && !c.Dry() {
						return err
					}
					if err := p.searchable(ctx, s, asked); err != nil {
						return err
					}
					return c.Segments(ctx, s.Store, s.Config, s.Text("reviewer"), asked)
				})(cmd, args)
			}
			conf, err := p.config()
			if err != nil {
				return err
			}
			return c.Files(cmd.Context(), args[0], conf)
		},
	}, c.Add, p.filterFlag(filterHelp), p.limitFlag("segments"), p.jsonFlag("print the outcome as JSON"))
	for i := range compress.Judgings {
		cmd.AddCommand(p.compressJudge(c, &compress.Judgings[i]))
	}
	cmd.AddCommand(with(&cobra.Command{
		Use: "show ID", Short: "Show what is proposed for a segment", Args: arguments(1, 1, "needs one ID"), ValidArgsFunction: p.completeIDs,
		RunE: p.onDatabase(func(ctx context.Context, s *database, args []string) error {
			seg, err := p.segmentOf(ctx, s, args[0])
			if err != nil {
				return err
			}
			return c.Show(ctx, s.Store, &seg)
		}),
	}, p.jsonFlag("print the proposal as JSON")))
	return cmd
}

// compressJudge is a command that judges proposals.
func (p *cli) compressJudge(c *compress.Command, j *compress.Judging) *cobra.Command {
	return with(&cobra.Command{
		Use: j.Name + " ID… | --filter Q", Short: j.Short, Long: j.Short + compress.JudgeHelp,
		Args: cobra.ArbitraryArgs, ValidArgsFunction: p.completeIDs,
		RunE: func(cmd *cobra.Command, ids []string) error {
			return p.onChosen(cmd, ids, func(ctx context.Context, s *database, of *chosen) error {
				if of.node != nil {
					of.node = j.Judged(of.node)
				}
				ids, err := p.chosenIDs(ctx, s, of)
				if err == nil && of.node != nil {
					ids, err = c.Gate(ctx, s.Store, j, ids)
				}
				if err != nil {
					return err
				}
				if len(ids) == 0 {
					p.warn("%s", list.NoneLikeThat)
					return nil
				}
				if err := p.sure(ctx, of, j.What, len(ids), ""); err != nil {
					return err
				}
				return c.Judge(ctx, s.Store, j, s.Text("reviewer"), ids)
			})
		},
	}, p.filterFlag(filterHelp), p.yesFlag(), c.AddJudging(j), p.jsonFlag("print the journal entry as JSON"))
}
