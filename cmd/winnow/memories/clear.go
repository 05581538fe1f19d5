package memories

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"winnow/core/memory/write"
)

// clear removes the skills of a folder whose memories are none any more, or are written
// under another name now; with --check it only names them. Files that were not written
// here stay, and those that were changed since stay and are told of.
func (how *exporting) clear(files []write.File, row *exportRow, stands func(id string) (bool, error)) error {
	folders, err := os.ReadDir(how.out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	made := map[string]bool{} // short ids
	for _, f := range files {
		id, _ := write.Sealed(f.Data)
		made[id] = true
	}
	for _, folder := range folders {
		path := filepath.Join(how.out, folder.Name(), "SKILL.md")
		if slices.ContainsFunc(files, func(f write.File) bool { return f.Path == path }) {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil { // it is another thing that lies there
			continue
		}
		id, whole := write.Sealed(data)
		if id == "" {
			continue
		}
		if !made[id] {
			if keep, err := stands(id); err != nil || keep {
				if err != nil {
					return err
				}
				continue
			}
		}
		if !whole && !how.force {
			row.Warned = append(row.Warned, path+" is of a procedure that is not written any more, but was changed by hand: --force removes it")
			continue
		}
		row.Removed = append(row.Removed, path)
		if !how.check {
			if err := os.Remove(path); err != nil {
				return err
			}
			_ = os.Remove(filepath.Dir(path)) // unless something else is in it
		}
	}
	return nil
}
