package main

import (
	"context"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/memories"
	"winnow/cmd/winnow/models"
	"winnow/core/filter"
	"winnow/core/review"
)

// remembering is what the commands of package memories need of the program.
func (p *cli) remembering() *memories.Program {
	return &memories.Program{
		Out: p.out, Warn: p.warn, Command: p.command, Env: &p.env.Env, Now: p.env.now, Zone: p.env.zone, JSON: &p.asJSON, Yes: &p.yes, Limit: &p.limit,
		Draft: func() *desk.Draft {
			return &desk.Draft{Env: &p.env.Env, Stdin: p.env.stdin, Stdout: p.env.stdout, Stderr: p.env.stderr}
		},
		Asked: p.parseFilter, FilterFlag: p.filterFlag(filterHelp), LimitFlag: p.limitFlag("of them"), YesFlag: p.yesFlag(), JSONFlag: p.jsonFlag,
		Searchable: func(ctx context.Context, d *desk.Desk, n filter.Node) error {
			return p.searchable(ctx, &database{d.Store, d.Config, d.Path}, n)
		},
		Open: func(ctx context.Context, changes bool, f func(*desk.Desk) error) error {
			return p.withDatabase(ctx, false, func(s *database) error {
				if err := s.Writable(); err != nil && changes {
					return err
				}
				return f(p.desk(s))
			})
		},
		Segment: func(ctx context.Context, d *desk.Desk, id string) (review.Segment, error) {
			return p.segmentOf(ctx, &database{d.Store, d.Config, d.Path}, id)
		},
		Sure: p.sureOf,
		Line: func(who *models.Asking) (func(done, all int), func()) {
			line := p.runLine(who)
			return func(done, all int) { line.show(runStep{done: done, all: all, one: "segment", many: "segments"}) }, line.done
		},
		Badly: func(text string, bad *filter.Error) error { return wrongUsage("--filter: %w", &filterError{bad, text}) },
		Wrong: wrongUsage, Fail: func(code int, err error) error { return &failure{code, err} },
	}
}
