package store

import (
	"embed"

	"winnow/store/sqlite"
)

//go:embed migrations/*.sql
var embedded embed.FS

// applicationID marks a database file as ours ("wnnw"), so that another
// program's database is never migrated.
const applicationID = 0x776e6e77

// schemaOf returns the schema that some steps lead to.
func schemaOf(steps []sqlite.Step) *sqlite.Schema {
	return &sqlite.Schema{ID: applicationID, Tables: []string{"task_segments", "trajectory_records", "journal_changes"}, Steps: steps}
}

// placesStep is the version of the schema from which on sessions have places.
const placesStep = 19

// Schema returns the version of the databases that this program writes.
func Schema() int {
	steps, _ := sqlite.ReadSteps(embedded, "migrations") // what is embedded can be read
	return len(steps)
}

// readSteps returns the steps of the schema, in order.
func readSteps() ([]sqlite.Step, error) {
	steps, err := sqlite.ReadSteps(embedded, "migrations")
	if err == nil {
		steps[placesStep-1].Fill = fillPlaces
	}
	return steps, err
}
