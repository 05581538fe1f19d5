package serve

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"winnow/cmd/winnow/httpd"
	"winnow/core/beside"
	"winnow/core/inbox"
)

// Import imports what an earlier server took and did not import, from the inbox in a
// folder, "" for the usual one. It returns how many files were imported, and how many
// were not. The error is inbox.ErrTaken while a server has the inbox, which imports by
// itself.
func Import(ctx context.Context, d Database, dir string, warn func(format string, args ...any)) (done, failed int, err error) {
	if dir == "" {
		dir = beside.Path(d.Path, inboxName)
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	box, err := inbox.Open(dir)
	if err != nil {
		return 0, 0, err
	}
	defer box.Close()
	return httpd.New(httpd.Options{Box: box, Store: d.Store, Importer: d.Importer, Warn: warn}).CatchUp(ctx)
}
