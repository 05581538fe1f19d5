package desk

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"winnow/core/beside"
	"winnow/core/train/work"
)

// runsName is the folder with the files of runs, beside the database.
const runsName = "runs"

// Trainer looks after runs of the database.
func (d *Desk) Trainer() *work.Worker {
	return &work.Worker{
		Store: d.Store, Keeper: d.Keeper("winnow runs work"), Folder: d.runsFolder(), Now: d.Now, After: time.After,
		Commands: work.Commands{Train: d.Commands.Train, Resume: d.Commands.Resume, Evaluate: d.Commands.Evaluate, Dir: filepath.Dir(d.File), Env: os.Environ()},
	}
}

// runsFolder is the same whatever links lead to the database: what is at work on a run is
// found by it.
func (d *Desk) runsFolder() string {
	path := d.Path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return beside.Path(path, runsName)
}

// free fails if the folder of the next run is there already. Runs get their numbers one
// after the other.
func (d *Desk) free(ctx context.Context) error {
	list, err := d.Runs(ctx, 0, 1)
	if err != nil {
		return err
	}
	next := int64(1)
	if len(list) > 0 {
		next = list[0].ID + 1
	}
	return d.Trainer().Place(next).Free()
}
