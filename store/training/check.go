package training

import (
	"cmp"

	"winnow/core/train"
	"winnow/store/sqlite"
)

const (
	// AllSQL are the texts of all runs, for EachBroken.
	AllSQL = "SELECT id, params, command, remote, metrics FROM runs ORDER BY id"
	// EmptySQL leaves out the texts of a run.
	EmptySQL = "UPDATE runs SET params = '{}', command = '[]', remote = '{}', metrics = '{}' WHERE id = ?"
)

// EachBroken calls f with the runs that can't be read.
func EachBroken(rows *sqlite.Rows, f func(id int64, why error)) error {
	var id int64
	var params, command, remote, metrics string
	for range rows.Into(&id, &params, &command, &remote, &metrics) {
		var u train.Run
		if err := cmp.Or(read(params, &u.Params), read(command, &u.Command), read(remote, &u.Remote), read(metrics, &u.Metrics)); err != nil {
			f(id, err)
		}
	}
	return rows.Err()
}
