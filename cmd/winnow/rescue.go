package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/tell"
	"winnow/core/hub"
	"winnow/store"
)

func (p *cli) rescueCommand() *cobra.Command {
	var force bool
	return with(&cobra.Command{
		Use:   "rescue OUT.db",
		Short: "Copy the readable part of a damaged database to a new one",
		Long: `Copies the readable part of a damaged database to a new one, verdicts first. It
only reads the damaged file, page by page, so that a broken page does not affect
the others. Data of a broken page that indexes or the journal repeat is taken
from there. Lost messages are read again from the source files that still exist,
and verdicts on them stay. What remains lost is counted; a message that says so
takes its place, and a segment with such a message is stale.

The new database passes "winnow doctor". Use it with --db OUT.db, or put it in
the place of the damaged one. Exit status 3 means that something is lost.`,
		Example: `  winnow rescue new.db
  winnow rescue new.db --db damaged.db`,
		Args: arguments(1, 1, "needs one file for the new database"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.rescue(cmd.Context(), args[0], force)
		},
	}, boolFlag(&force, "force", "replace OUT.db if it exists, and keep the old file as OUT.db.old"), p.jsonFlag("print the counts as JSON"))
}

func (p *cli) rescue(ctx context.Context, to string, force bool) error {
	c, from, err := p.databasePath()
	if err != nil {
		return err
	}
	if to, err = p.absolute(to); err != nil {
		return err
	}
	line := p.progress()
	line.Show("reading pages")
	gone := 0
	reread := func(ctx context.Context, st *store.Store, sources []store.RescuedSource) (err error) {
		gone, err = p.reread(ctx, &database{st, c, from}, sources, line.Show)
		return err
	}
	out, err := store.Rescue(ctx, from, to, force, store.Options{Clock: p.env.now, Rand: p.env.rand}, reread)
	line.Done()
	if err != nil {
		return err
	}
	row := tell.RescueOf(from, to, out, gone)
	if err := p.report(row, func() { tell.PrintRescue(p.out, row) }); err != nil || row.OK {
		return err
	}
	return ended(exitPartly)
}

// reread reads sources again that are still there, agent by agent. It returns
// how many are not.
func (p *cli) reread(ctx context.Context, s *database, sources []store.RescuedSource, show func(string)) (gone int, err error) {
	paths := map[string][]string{}
	var agents []string
	for _, src := range sources {
		if _, err := os.Stat(src.Path); err != nil {
			gone++
			continue
		}
		if paths[src.Agent] == nil {
			agents = append(agents, src.Agent)
		}
		paths[src.Agent] = append(paths[src.Agent], src.Path)
	}
	for _, agent := range agents {
		im := p.importer(s, importing{agent: agent})
		if _, err := im.Import(ctx, paths[agent], func(pr hub.Progress) { show("reading sources again") }); err != nil {
			return gone, fmt.Errorf("reading sources again: %w", err)
		}
	}
	return gone, nil
}
