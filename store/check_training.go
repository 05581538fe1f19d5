package store

import (
	"fmt"

	"winnow/store/training"
)

// trainingChecks are what is to be so of runs.
var trainingChecks = []check{
	{look: (*checking).runTexts},
	{look: (*checking).promotions},
	{rule: "run", ask: `SELECT 'entry ' || id, 'promotes no run', NULL FROM journal j
		WHERE target = 0 AND action = 'promote' AND NOT EXISTS (SELECT 1 FROM journal_promotions p WHERE p.entry = j.id)`},
	// What was held back never trains, also if a rescue lost the run that held it back.
	ofNoRun("run_samples", "samples", "split = 'train'"), ofNoRun("run_points", "points", "true"), ofNoRun("run_evals", "evaluations", "true"), ofNoRun("model_names", "names of models", "true"),
	{
		rule: "run", ask: `SELECT 'run ' || id, format('counts %d samples and %d held back, holds %d and %d', samples, validation, train, held), id FROM (SELECT id, samples, validation, status,
			(SELECT count(*) FROM run_samples s WHERE s.run_id = r.id AND s.split = 'train') AS train,
			(SELECT count(*) FROM run_samples s WHERE s.run_id = r.id AND s.split <> 'train') AS held FROM runs r)
			WHERE (samples, validation) <> (train, held) AND (status = 'succeeded' OR train + held > 0)`,
		mend: []string{`UPDATE runs SET samples = (SELECT count(*) FROM run_samples WHERE run_id = runs.id AND split = 'train'),
			validation = (SELECT count(*) FROM run_samples WHERE run_id = runs.id AND split <> 'train') WHERE id = ?`},
	},
	{
		rule: "run", ask: `SELECT 'run ' || id, 'goes on from a run that is not there', id FROM runs r WHERE parent > 0 AND NOT EXISTS (SELECT 1 FROM runs p WHERE p.id = r.parent)`,
		mend: []string{"UPDATE runs SET parent = NULL WHERE id = ?"},
	},
	{
		rule: "run", ask: `SELECT 'run ' || id, 'is of an export that is not there', id FROM runs r WHERE export_id > 0 AND NOT EXISTS (SELECT 1 FROM exports e WHERE e.id = r.export_id)`,
		mend: []string{"UPDATE runs SET export_id = NULL WHERE id = ?"},
	},
}

// promotions checks that the journal can give back which run was promoted.
func (c *checking) promotions() error {
	var entry int64
	var before, after string
	rows := c.rows("SELECT entry, before, after FROM journal_promotions ORDER BY entry, n")
	for range rows.Into(&entry, &before, &after) {
		for _, text := range []string{before, after} {
			if _, err := readStanding(text); err != nil {
				c.report("run", fmt.Sprintf("entry %d", entry), nil, "can't be undone or redone: %v", err)
			}
		}
	}
	return rows.Err()
}

// ofNoRun is the rule that those rows of a table belong to a run that is there.
func ofNoRun(table, name, those string) check {
	return check{
		rule: "run", ask: fmt.Sprintf(`SELECT DISTINCT 'database', format('%s of run %%d are kept, which is not there', run_id), run_id FROM %s
			WHERE %s AND run_id NOT IN (SELECT id FROM runs)`, name, table, those),
		mend: []string{"DELETE FROM " + table + " WHERE run_id = ? AND " + those},
	}
}

// runTexts checks that runs can be read.
func (c *checking) runTexts() error {
	return training.EachBroken(c.rows(training.AllSQL), func(id int64, why error) {
		c.report("run", fmt.Sprint("run ", id), mend(training.EmptySQL, id), "can't be read: %v", why)
	})
}
