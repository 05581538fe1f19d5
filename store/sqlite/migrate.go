package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"
)

//go:embed migrations/*.sql
var embedded embed.FS

// applicationID marks a database file as ours ("wnnw"), so that another
// program's database is never migrated.
const applicationID = 0x776e6e77

// migration brings the schema from version-1 to version.
type migration struct {
	version int
	text    string
	fill    func(asker) error // makes what SQL cannot, after the text; nil: nothing
}

// fillOf returns what belongs to a migration beside its text.
func fillOf(name string) func(asker) error {
	if name == "0019_places.sql" {
		return settlePlaces
	}
	return nil
}

// readMigrations returns the migrations in a folder, in order. Names begin
// with the version; there is no gap.
func readMigrations(files fs.FS, dir string) ([]migration, error) {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil, err
	}
	var all []migration
	for _, e := range entries {
		number, _, _ := strings.Cut(e.Name(), "_")
		version, err := strconv.Atoi(number)
		if err != nil || version != len(all)+1 {
			return nil, fmt.Errorf("migration %s: want number %d", e.Name(), len(all)+1)
		}
		text, err := fs.ReadFile(files, path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, migration{version, string(text), fillOf(e.Name())})
	}
	return all, nil
}

// migrate brings the database to the newest schema. Any number of processes
// may do it at once: each step looks again after it got the write lock.
func migrate(ctx context.Context, db *sql.DB, path string, steps []migration, notice func(string)) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	first, err := schemaVersion(ctx, conn, path, len(steps))
	if err != nil {
		return err
	}
	// Of a database that is just being made there is nothing to keep; of another,
	// one copy is enough.
	copied := first == 0
	for {
		done, err := migrateStep(ctx, conn, path, steps, func(version int) error {
			if copied {
				return nil
			}
			made, err := backUp(ctx, db, path, version)
			if err == nil {
				copied = true
				notice(fmt.Sprintf("the database gets a new schema; a copy of it as it was is %s", made))
			}
			return err
		})
		if err != nil || done {
			return err
		}
	}
}

// tooNew is what SQLite says of something that a migration makes and that is
// there.
var tooNew = regexp.MustCompile(`already exists|duplicate column name`)

// migrateStep applies the next migration, in one transaction. First it calls
// before with the version that the database has then.
func migrateStep(ctx context.Context, conn *sql.Conn, path string, steps []migration, before func(version int) error) (done bool, err error) {
	if version, err := schemaVersion(ctx, conn, path, len(steps)); err != nil || version == len(steps) {
		return version == len(steps), err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return false, err
	}
	defer func() {
		if err != nil {
			_, failed := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
			err = errors.Join(err, failed)
		}
	}()
	version, err := schemaVersion(ctx, conn, path, len(steps))
	if err != nil {
		return false, err
	}
	if version == len(steps) { // another process was faster
		_, err := conn.ExecContext(ctx, "COMMIT")
		return true, err
	}
	if err := before(version); err != nil {
		return false, fmt.Errorf("keep a copy before the migration: %w", err)
	}
	next := steps[version]
	// PRAGMA takes no parameters; these are our own integers.
	script := fmt.Sprintf("%s;\nPRAGMA application_id = %d;\nPRAGMA user_version = %d", next.text, applicationID, next.version)
	if _, err := conn.ExecContext(ctx, script); err != nil {
		if primary, _ := code(err); primary == sqlite3.SQLITE_ERROR && tooNew.MatchString(err.Error()) {
			s := &Store{path: path}
			return false, s.broken(fmt.Sprintf("its header says schema %d, its tables are those of a newer one, and all rows can be read", version))
		}
		return false, fmt.Errorf("migration %d: %w", next.version, err)
	}
	if next.fill != nil {
		if err := next.fill(setup{ctx, conn}); err != nil {
			return false, fmt.Errorf("migration %d: %w", next.version, err)
		}
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return false, err
}

// schemaVersion returns the version of the schema, 0 for an empty file.
func schemaVersion(ctx context.Context, conn *sql.Conn, path string, newest int) (int, error) {
	var version, app, tables, ours int
	const text = `SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id),
		(SELECT count(*) FROM sqlite_master), (SELECT count(*) FROM sqlite_master WHERE name IN ('task_segments', 'trajectory_records', 'journal_changes'))`
	if err := conn.QueryRowContext(ctx, text).Scan(&version, &app, &tables, &ours); err != nil {
		return 0, err
	}
	s := &Store{path: path}
	switch {
	case ours == 3 && app != applicationID:
		return 0, s.broken("its header is damaged, all rows can be read")
	case ours == 0 && tables == 0 && version > 0:
		return 0, s.broken("the list of its tables can't be read")
	}
	switch {
	case app != applicationID && (tables > 0 || version > 0 || app != 0):
		return 0, fmt.Errorf("%s is %w: choose another file with --db", path, ErrForeign)
	case version > newest:
		return 0, fmt.Errorf("%w: %s has schema %d, this winnow knows %d: use a newer winnow or another file with --db; if none made it, its header is damaged, and winnow rescue OUT.db%s copies what can be read",
			ErrNewer, path, version, newest, s.atPath())
	}
	return version, nil
}
