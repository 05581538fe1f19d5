// Package beside says where what belongs to a database is kept that is not in it.
package beside

import (
	"path/filepath"
	"strings"
)

// Path returns the place of something that belongs to a database: in its folder, and with
// its name unless that is the usual one, as other databases may be there.
func Path(database, name string) string {
	stem := strings.TrimSuffix(filepath.Base(database), ".db")
	if stem != "winnow" {
		name = stem + "." + name
	}
	return filepath.Join(filepath.Dir(database), name)
}
