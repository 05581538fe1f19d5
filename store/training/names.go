package training

import "winnow/store/sqlite"

const (
	putNameSQL = "INSERT OR REPLACE INTO model_names (name, run_id) VALUES (?, ?)"
	namesSQL   = "SELECT name, run_id FROM model_names"
	// There are hundreds of runs at most.
	basesSQL = "SELECT DISTINCT base_model FROM runs"
)

// NameModel ties a name to a run that is there.
func NameModel(t *sqlite.Tx, name string, run int64) error {
	if _, err := Find(t.Rows, run); err != nil {
		return err
	}
	_, err := t.Exec(putNameSQL, name, run)
	return err
}

// ModelNames returns which run made the models of these names.
func ModelNames(ask Asks) (map[string]int64, error) {
	names := map[string]int64{}
	var name string
	var run int64
	rows := ask(namesSQL)
	for range rows.Into(&name, &run) {
		names[name] = run
	}
	return names, rows.Err()
}

// Bases returns the models that runs began with.
func Bases(ask Asks) ([]string, error) { return sqlite.Column[string](ask(basesSQL)) }
