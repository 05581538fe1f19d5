package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/store"
)

// doctorRow is what "doctor --json" prints.
type doctorRow struct {
	OK       bool         `json:"ok"` // nothing is wrong now
	Problems []problemRow `json:"problems"`
	Repaired []problemRow `json:"repaired"`
}

// problemRow is something in the database that is not as it should be.
type problemRow struct {
	Rule       string `json:"rule"`
	Where      string `json:"where"`
	Text       string `json:"text"`
	Repairable bool   `json:"repairable"`
}

func problemRows(found []store.Problem) []problemRow {
	rows := make([]problemRow, len(found))
	for i := range found {
		f := &found[i]
		rows[i] = problemRow{f.Rule, f.Where, f.Text, f.Repairable()}
	}
	return rows
}

func (p *cli) doctorCommand() *cobra.Command {
	var repair, asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the database, and repair what can be derived again",
		Long: `Checks the whole database: the file itself, that segments cover their sessions,
that the messages are complete and give the fingerprints noted, and that the
journal fits. With --repair, what follows from other data is made anew; what
people recorded or decided is never touched.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withDatabase(cmd.Context(), false, func(s *database) error {
				return p.doctor(cmd.Context(), s, repair, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "make derived data anew where it is wrong")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (p *cli) doctor(ctx context.Context, s *database, repair, asJSON bool) error {
	var repaired []store.Problem
	var err error
	if repair {
		if repaired, err = s.Repair(ctx); err != nil {
			return fmt.Errorf("doctor: repairing: %w", err)
		}
	}
	found, err := s.Check(ctx)
	if err != nil {
		return fmt.Errorf("doctor: %w", err)
	}
	row := doctorRow{len(found) == 0, problemRows(found), problemRows(repaired)}
	if asJSON {
		err = p.out.JSON(row)
	} else {
		p.printProblems(s, &row)
	}
	if err == nil && !row.OK {
		return ended(exitFailed)
	}
	return err
}

func (p *cli) printProblems(s *database, row *doctorRow) {
	repairable := 0
	for _, r := range row.Repaired {
		p.out.printf("repaired %s: %s: %s\n", r.Rule, r.Where, r.Text)
	}
	for _, r := range row.Problems {
		p.out.printf("%s: %s: %s\n", r.Rule, r.Where, r.Text)
		if r.Repairable {
			repairable++
		}
	}
	switch {
	case row.OK:
		p.out.printf("%s: no problems\n", s.path)
	case repairable > 0:
		p.out.printf("%s: %s, of which %d can be repaired: %s\n",
			s.path, plural(len(row.Problems), "problem", "problems"), repairable, p.command("doctor --repair"))
	default:
		p.out.printf("%s: %s that winnow can't repair; importing the sources again into a new database brings the sessions back\n",
			s.path, plural(len(row.Problems), "problem", "problems"))
	}
}
