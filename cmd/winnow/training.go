package main

import (
	"context"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/training"
)

// trains is what the commands of package training need of the program.
func (p *cli) trains() *training.Program {
	return &training.Program{
		Out: p.out, Warn: p.warn, Command: p.command, Line: p.progress, Now: p.env.now, Zone: p.env.zone, JSON: &p.asJSON, Limit: &p.limit,
		LimitFlag: p.limitFlag("runs"), JSONFlag: p.jsonFlag,
		Open: func(ctx context.Context, changes bool, f func(*desk.Desk) error) error {
			return p.withDatabase(ctx, false, func(s *database) error {
				if err := s.Writable(); err != nil && changes {
					return err
				}
				return f(p.desk(s))
			})
		},
		Wrong: wrongUsage, Fail: func(code int, err error) error { return &failure{code, err} },
	}
}
