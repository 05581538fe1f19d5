package main

import (
	"context"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/cycle"
	"winnow/cmd/winnow/serve"
)

// cycling is what package cycle needs of the program.
func (p *cli) cycling() cycle.Program {
	return cycle.Program{
		Out: p.out, Warn: p.warn, Command: p.command, Line: p.progress, Zone: p.env.zone, Chance: rand.Float64, JSON: &p.asJSON, Limit: &p.limit,
		Wrong: wrongUsage, Fail: func(code int, err error) error { return &failure{code, err} },
		Open: func(ctx context.Context, create bool, f func(*cycle.Database) error) error {
			return p.withDatabase(ctx, create, func(s *database) error { return f(p.cycled(s)) })
		},
	}
}

// cycleCommands are the commands of package cycle.
func (p *cli) cycleCommands() []*cobra.Command {
	program := p.cycling()
	return []*cobra.Command{
		with(cycle.New(program), p.limitFlag("sessions or segments in each step"), p.jsonFlag("print each cycle as a line of JSON")),
		with(cycle.NewJobs(program), p.limitFlag("cycles"), p.jsonFlag("print as JSON")),
	}
}

// cycled is what cycles are done with of a database.
func (p *cli) cycled(s *database) *cycle.Database {
	return &cycle.Database{Desk: p.desk(s), Uploads: func(ctx context.Context, inbox string) (int, int, error) {
		return serve.Import(ctx, p.served(s), inbox, p.warn)
	}}
}
