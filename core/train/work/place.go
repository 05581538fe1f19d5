package work

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"winnow/core/export/unfinished"
	"winnow/core/train"
)

// Place is where the files of a run are.
type Place string

// Place returns the folder of a run.
func (w *Worker) Place(id int64) Place {
	return Place(filepath.Join(w.Folder, strconv.FormatInt(id, 10)))
}

// Data is the folder that the data was exported to.
func (p Place) Data() string { return filepath.Join(string(p), "data") }

// Out is where a trainer puts its model, if it says nothing else.
func (p Place) Out() string { return filepath.Join(string(p), "out") }

// Log is what a trainer printed, untrusted text.
func (p Place) Log() string { return filepath.Join(string(p), "log.txt") }

func (p Place) metrics() string { return filepath.Join(string(p), "metrics.jsonl") }

// process is where a worker notes the process of its trainer at once: the database may
// be busy for a while.
func (p Place) process() string { return filepath.Join(string(p), "process") }

func (p Place) result() string { return filepath.Join(string(p), "result.json") }

// owner says whose run it is that the folder was made for. The same number is given again
// by a database that was made anew, or restored from before the run.
func (p Place) owner() string { return filepath.Join(string(p), "run") }

// ownerText is what owner says of a run.
func ownerText(r *train.Run) string { return fmt.Sprintf("%d %d\n", r.ID, r.Created.UnixMilli()) }

// Free fails if the folder is there: it is of another run, and is not written to.
func (p Place) Free() error {
	if _, err := os.Lstat(string(p)); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return Taken(p)
}

// Taken is a folder that a run cannot have: it is there, of another one.
type Taken Place

// Error implements error.
func (t Taken) Error() string {
	return string(t) + " is there already, of another database: move it away"
}

// Make makes the folder of a run that begins.
func (p Place) Make(r *train.Run) error {
	if err := os.MkdirAll(filepath.Dir(string(p)), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(string(p), 0o700); errors.Is(err, fs.ErrExist) {
		return Taken(p)
	} else if err != nil {
		return err
	}
	return os.WriteFile(p.owner(), []byte(ownerText(r)), 0o600)
}

// Of reports whether the folder was made for a run.
func (p Place) Of(r *train.Run) bool {
	text, err := os.ReadFile(p.owner())
	return err == nil && string(text) == ownerText(r)
}

// Gone fails if the folder is there and was not made for a run: what that had is gone.
func (p Place) Gone(r *train.Run) error {
	if p.Of(r) {
		return nil
	}
	if info, err := os.Lstat(string(p)); err != nil || !info.IsDir() {
		return nil
	}
	return fmt.Errorf("the files of run %d are gone: %s was not made for it", r.ID, p)
}

// sweep removes what an export that was killed has left, unless one is at it.
func (p Place) sweep() {
	lock, err := unfinished.NewLock(p.Data())
	if err != nil {
		return
	}
	defer lock.Release()
	_ = unfinished.RemoveLeftovers(p.Data()) // the folder stays with them
}

// checkpoint is the last one of a run, "" if there is none.
func (p Place) checkpoint(r *train.Run) string {
	if !p.Of(r) {
		return ""
	}
	return lastCheckpoint(p.Out())
}
