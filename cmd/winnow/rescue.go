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
	var force, asJSON bool
	cmd := &cobra.Command{
		Use:   "rescue OUT.db",
		Short: "Copy what can be read of a damaged database into a new one",
		Long: `Copies what can be read of a damaged database into a new one, verdicts first.
The damaged file is only read, page by page, so that one page that is broken
does not cost what is on the others. What a page had that indexes or the journal
have, too, comes from there. Sources that are still where they were are read
again for the messages that are lost, under the verdicts given on them. What
stays lost is counted; a message stands where it was, and a verdict on it is
kept, but as a stale one.

The new database passes "winnow doctor" and is used with --db OUT.db, or put in
the place of the damaged one. Exit status 3 says that something is lost.`,
		Example: `  winnow rescue new.db
  winnow rescue new.db --db damaged.db`,
		Args: oneArgument("file for the new database"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.rescue(cmd.Context(), args[0], force, asJSON)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "put the new database in the place of OUT.db, which is kept as OUT.db.old")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the counts as JSON")
	return cmd
}

func (p *cli) rescue(ctx context.Context, to string, force, asJSON bool) error {
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
	if asJSON {
		err = p.out.JSON(row)
	} else {
		tell.PrintRescue(p.out, row)
	}
	switch {
	case err != nil:
		return err
	case !row.OK:
		return ended(exitPartly)
	}
	return nil
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
