package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/tell"
	"winnow/store"
	"winnow/tui/draw"
)

// doctorRow is what "doctor --json" prints.
type doctorRow struct {
	OK       bool            `json:"ok"` // nothing is wrong now
	Problems []store.Problem `json:"problems"`
	Repaired []store.Problem `json:"repaired"`
}

func (p *cli) doctorCommand() *cobra.Command {
	var repair bool
	return with(&cobra.Command{
		Use:   "doctor",
		Short: "Check the database and repair derived data",
		Long: `Checks the whole database: that the file is intact, that segments cover their
sessions, that messages are complete and match their recorded fingerprints, and
that the journal agrees with the verdicts. With --repair it computes wrong
derived data again. It never changes what people recorded or decided.

If the file is damaged, it reads the file page by page without changing it and
says how much of each table is readable; "winnow rescue OUT.db" copies that.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.examine(cmd.Context(), repair) },
	}, boolFlag(&repair, "repair", "compute derived data again where it is wrong"), p.jsonFlag("print as JSON"))
}

// examine is doctor for a file that may be damaged.
func (p *cli) examine(ctx context.Context, repair bool) error {
	_, path, err := p.databasePath()
	if err != nil {
		return err
	}
	if what := store.LogDamage(path); what != "" {
		// To open it would drop what follows.
		if !repair {
			return p.diagnose(ctx, path, errors.New(what))
		}
		kept, err := store.KeepLog(path)
		if err != nil {
			return fmt.Errorf("doctor: keeping the log: %w", err)
		}
		p.warn("%s: %s; what follows is dropped, the log is kept as %s", path, what, kept)
	}
	err = p.withDatabase(ctx, false, func(s *database) error { return p.doctor(ctx, s, repair) })
	if errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNewer) {
		return p.diagnose(ctx, path, err)
	}
	return err
}

// damagedRow is what "doctor --json" prints of a damaged file.
type damagedRow struct {
	OK      bool                   `json:"ok"`
	Error   string                 `json:"error"`
	Damage  []string               `json:"damage"`
	Tables  []tell.RescuedTableRow `json:"tables"`
	Indexes []string               `json:"indexes"`
	Next    string                 `json:"next"` // the command to go on with
}

// diagnose says what of a damaged file can be read.
func (p *cli) diagnose(ctx context.Context, path string, why error) error {
	d, err := store.Diagnose(ctx, path)
	if err != nil || errors.Is(why, store.ErrNewer) && !d.Damaged() {
		return fmt.Errorf("doctor: %w", cmp.Or(err, why))
	}
	row := damagedRow{
		Error: why.Error(), Damage: d.Damage, Tables: tell.RescuedTableRows(d.Tables),
		Indexes: d.Indexes, Next: p.command("rescue OUT.db"),
	}
	err = p.report(row, func() {
		p.out.Printf("%s\n", row.Error)
		for _, text := range row.Damage {
			p.out.Printf("file: %s\n", text)
		}
		p.out.Printf("what can be read:\n")
		tell.PrintTables(p.out, row.Tables)
		for _, name := range row.Indexes {
			p.out.Printf("  index %s: damaged, but all of its data is elsewhere too\n", name)
		}
		p.out.Printf("%s copies that to a new database and does not change this file\n", row.Next)
	})
	return cmp.Or(err, ended(exitFailed))
}

func (p *cli) doctor(ctx context.Context, s *database, repair bool) error {
	var repaired []store.Problem
	var err error
	if repair {
		if err := s.Writable(); err != nil {
			return err
		}
		if repaired, err = s.Repair(ctx); err != nil {
			return fmt.Errorf("doctor: repairing: %w", err)
		}
	}
	found, err := s.Check(ctx)
	if err != nil {
		return fmt.Errorf("doctor: %w", err)
	}
	row := doctorRow{len(found) == 0, found, repaired}
	if err := p.report(row, func() { p.printProblems(s, &row) }); err != nil || row.OK {
		return err
	}
	return ended(exitFailed)
}

func (p *cli) printProblems(s *database, row *doctorRow) {
	repairable := 0
	for _, r := range row.Repaired {
		p.out.Printf("repaired %s: %s: %s\n", r.Rule, r.Where, r.Text)
	}
	for _, r := range row.Problems {
		p.out.Printf("%s: %s: %s\n", r.Rule, r.Where, r.Text)
		if r.Repairable {
			repairable++
		}
	}
	switch {
	case row.OK:
		p.out.Printf("%s: no problems\n", s.path)
	case repairable > 0:
		p.out.Printf("%s: %s, of which %d can be repaired: %s\n",
			s.path, draw.Plural(len(row.Problems), "problem"), repairable, p.command("doctor --repair"))
	default:
		p.out.Printf("%s: %s that winnow can't repair; %s copies what is intact to a new database, and reads the sources again for the rest\n",
			s.path, draw.Plural(len(row.Problems), "problem"), p.command("rescue OUT.db"))
	}
}
