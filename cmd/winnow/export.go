package main

import (
	"context"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/emit"
	"winnow/core/filter"
)

// emitting is what the commands of package emit need of the program.
func (p *cli) emitting() *emit.Program {
	return &emit.Program{
		Out: p.out, Stdin: p.env.stdin, Stderr: p.env.stderr, StderrTTY: p.env.stderrTTY, Env: &p.env.Env, Version: p.version().Version,
		Warn: p.warn, Command: p.command, Line: p.progress, Config: p.config,
		JSON: &p.asJSON, Filter: &p.filter, Asked: p.parseFilter, FilterFlag: p.filterFlag(filterHelp), JSONFlag: p.jsonFlag,
		Open: func(ctx context.Context, f func(*desk.Desk) error) error {
			return p.withDatabase(ctx, false, func(s *database) error { return f(p.desk(s)) })
		},
		Exists: p.hasDatabase,
		Searchable: func(ctx context.Context, d *desk.Desk, n filter.Node) error {
			return p.searchable(ctx, &database{d.Store, d.Config, d.Path}, n)
		},
		Wrong: wrongUsage, Fail: func(code int, err error) error { return &failure{code, err} },
	}
}
