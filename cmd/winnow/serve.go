package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/cycle"
	"winnow/cmd/winnow/pages"
	"winnow/cmd/winnow/serve"
	"winnow/core/hub"
	"winnow/core/inbox"
)

// serveCommand is the command of package serve.
func (p *cli) serveCommand() *cobra.Command {
	return with(serve.New(serve.Program{
		Out: p.out, Warn: p.warn, Command: p.command, Short: p.env.ShortPath, Get: p.env.Get, Now: p.env.now, JSON: &p.asJSON,
		Version: p.version().Version, Wrong: wrongUsage,
		Path: func() (string, error) { _, path, err := p.databasePath(); return path, err },
		Open: func(ctx context.Context, f func(serve.Database) error) error {
			return p.withDatabase(ctx, true, func(s *database) error {
				return f(p.served(s))
			})
		},
	}), p.jsonFlag("print listeners and uploads as JSON"))
}

// served is what the server works on of a database.
func (p *cli) served(s *database) serve.Database {
	all := pages.All(&pages.Source{Desk: p.desk(s), Zone: p.env.zone, Parse: p.readFilter})
	cycles := func(ctx context.Context, every time.Duration) { cycle.Background(ctx, p.cycling(), p.cycled(s), every) }
	return serve.Database{Path: s.path, Store: s.Store, Pages: all, Cycles: cycles, Importer: func(agent string, h inbox.Hints) *hub.Importer {
		return p.importer(s, importing{agent: agent, format: h.Format, model: h.Model})
	}}
}
