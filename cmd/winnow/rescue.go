package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/core/hub"
	"winnow/store"
	"winnow/tui/draw"
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
	if !filepath.IsAbs(to) {
		dir, err := p.env.dir()
		if err != nil {
			return fmt.Errorf("the working folder: %w", err)
		}
		to = filepath.Join(dir, to)
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
	row := rescueRowOf(from, to, out, gone)
	if asJSON {
		err = p.out.JSON(row)
	} else {
		p.printRescue(row)
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

// rescuedTableRow is what came out of one table.
type rescuedTableRow struct {
	Table string `json:"table"`
	Rows  int    `json:"rows"`
	Of    *int   `json:"of"` // null: not known
	Lost  int    `json:"lost"`
	Pages int    `json:"damaged_pages"`
}

func rescuedTableRows(tables []store.RescuedTable) []rescuedTableRow {
	rows := make([]rescuedTableRow, len(tables))
	for i, t := range tables {
		rows[i] = rescuedTableRow{Table: cmp.Or(store.PlainNames[t.Table], t.Table), Rows: t.Rows, Lost: t.Lost, Pages: t.Pages}
		if t.Of >= 0 {
			rows[i].Of = &t.Of
		}
	}
	return rows
}

// rescueRow is what "rescue --json" prints.
type rescueRow struct {
	OK       bool                `json:"ok"` // nothing is lost
	From     string              `json:"from"`
	To       string              `json:"to"`
	Damage   []string            `json:"damage"`
	Tables   []rescuedTableRow   `json:"tables"`
	Verdicts int                 `json:"verdicts"`
	Notes    int                 `json:"notes"`
	Tags     int                 `json:"tags"`
	Restored int                 `json:"restored"`
	Retired  int                 `json:"retired"`
	Reread   int                 `json:"sources_read_again"`
	Gone     int                 `json:"sources_gone"`
	Sessions []rescuedSessionRow `json:"incomplete_sessions"`
	Repaired int                 `json:"repaired"`
	Problems []problemRow        `json:"problems"`
	Kept     string              `json:"kept"` // where what was at "to" is, "": nothing was
}

type rescuedSessionRow struct {
	File     string `json:"session_file"`
	Messages int    `json:"lost_messages"`
	Stale    int    `json:"stale_segments"`
}

func rescueRowOf(from, to string, out *store.Rescued, gone int) *rescueRow {
	row := &rescueRow{
		OK: out.Whole(), From: from, To: to, Damage: append([]string{}, out.Damage...), Tables: rescuedTableRows(out.Tables),
		Verdicts: out.Verdicts, Notes: out.Notes, Tags: out.Tags, Restored: out.Restored, Retired: out.Retired,
		Reread: len(out.Sources) - gone, Gone: gone, Repaired: out.Repaired,
		Sessions: make([]rescuedSessionRow, len(out.Sessions)), Problems: problemRows(out.Left), Kept: out.Kept,
	}
	for i, s := range out.Sessions {
		row.Sessions[i] = rescuedSessionRow{s.File, s.Messages, s.Stale}
	}
	return row
}

// rowsText is how much of a table could be read.
func (t *rescuedTableRow) text() string {
	text := fmt.Sprintf("%s: %d", t.Table, t.Rows)
	switch {
	case t.Of == nil:
		text += " of an unknown number"
	case *t.Of != t.Rows:
		text += fmt.Sprintf(" of %d", *t.Of)
	}
	if t.Lost > 0 {
		text += fmt.Sprintf(", %d lost", t.Lost)
	}
	if t.Pages > 0 {
		text += ", " + print.Plural(t.Pages, "page damaged", "pages damaged")
	}
	return text
}

func (p *cli) printRescue(row *rescueRow) {
	for _, text := range row.Damage {
		p.out.Printf("%s: %s\n", row.From, text)
	}
	p.out.Printf("%s: %s, %s, %s with tags\n", row.To, draw.Plural(row.Verdicts, "verdict"),
		draw.Plural(row.Notes, "note"), draw.Plural(row.Tags, "segment"))
	for i := range row.Tables {
		if t := &row.Tables[i]; t.Rows > 0 || t.Lost > 0 || t.Pages > 0 {
			p.out.Printf("  %s\n", t.text())
		}
	}
	if row.Restored > 0 {
		p.out.Printf("%s from indexes or the journal\n", print.Plural(row.Restored, "segment came", "segments came"))
	}
	if row.Reread > 0 {
		p.out.Printf("%s read again\n", print.Plural(row.Reread, "source was", "sources were"))
	}
	if row.Retired > 0 {
		p.out.Printf("%s in the journal only: winnow log shows them\n", print.Plural(row.Retired, "verdict is", "verdicts are"))
	}
	for _, s := range row.Sessions {
		text := print.Plural(s.Messages, "message is lost", "messages are lost")
		if s.Stale > 0 {
			text += ", " + print.Plural(s.Stale, "verdict is stale", "verdicts are stale")
		}
		p.out.Printf("%s: %s\n", s.File, text)
	}
	if row.Gone > 0 {
		p.out.Printf("%s not there: put them back and rescue once more to get what is lost\n", print.Plural(row.Gone, "source is", "sources are"))
	}
	if row.Kept != "" {
		p.out.Printf("what was at %s is kept as %s\n", row.To, row.Kept)
	}
	for _, r := range row.Problems {
		p.out.Printf("%s: %s: %s\n", r.Rule, r.Where, r.Text)
	}
	if row.OK {
		p.out.Printf("nothing is lost; use it with --db %s\n", quoted(row.To))
	} else {
		p.out.Printf("all else is there; use it with --db %s\n", quoted(row.To))
	}
}
