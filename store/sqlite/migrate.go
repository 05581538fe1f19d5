package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"
)

// Schema is what the tables of a database are made by.
type Schema struct {
	ID     int      // marks a file as made by the program: application_id
	Tables []string // tables by which a file is known whose mark is lost
	Steps  []Step
}

// Step brings the schema from the version before it to the next one.
type Step struct {
	Version int
	Text    string
	// Fill makes what SQL cannot, after the text, in the same transaction; nil:
	// nothing.
	Fill func(Asker) error
}

// Asker runs statements in a transaction.
type Asker interface {
	Exec(text string, args ...any) (sql.Result, error)
	Rows(text string, args ...any) *Rows
}

// step is the transaction of a migration.
type step struct {
	ctx  context.Context
	conn *sql.Conn
}

func (t step) Exec(text string, args ...any) (sql.Result, error) {
	return t.conn.ExecContext(t.ctx, text, args...)
}

func (t step) Rows(text string, args ...any) *Rows {
	return On(t.ctx, t.conn, text, args...)
}

// Apply runs the statements of one step.
func (s *Schema) Apply(ctx context.Context, conn *sql.Conn, next Step) error {
	// PRAGMA takes no parameters; these are our own integers.
	script := fmt.Sprintf("%s;\nPRAGMA application_id = %d;\nPRAGMA user_version = %d", next.Text, s.ID, next.Version)
	if _, err := conn.ExecContext(ctx, script); err != nil {
		return fmt.Errorf("migration %d: %w", next.Version, err)
	}
	return nil
}

// ReadSteps returns the migrations in a folder, in order. Names begin
// with the version; there is no gap.
func ReadSteps(files fs.FS, dir string) ([]Step, error) {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil, err
	}
	var all []Step
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
		all = append(all, Step{Version: version, Text: string(text)})
	}
	return all, nil
}

// migrate brings the database to the newest schema. Any number of processes
// may do it at once: each step looks again after it got the write lock.
func (s *Schema) migrate(ctx context.Context, db *sql.DB, path string, notice func(string)) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	first, err := s.version(ctx, conn)
	if err != nil {
		return err
	}
	// Of a database that is just being made there is nothing to keep; of another,
	// one copy is enough.
	copied := first == 0
	for {
		done, err := s.migrateStep(ctx, conn, func(version int) error {
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
func (s *Schema) migrateStep(ctx context.Context, conn *sql.Conn, before func(version int) error) (done bool, err error) {
	if version, err := s.version(ctx, conn); err != nil || version == len(s.Steps) {
		return version == len(s.Steps), err
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
	version, err := s.version(ctx, conn)
	if err != nil {
		return false, err
	}
	if version == len(s.Steps) { // another process was faster
		_, err := conn.ExecContext(ctx, "COMMIT")
		return true, err
	}
	if err := before(version); err != nil {
		return false, fmt.Errorf("keep a copy before the migration: %w", err)
	}
	next := s.Steps[version]
	if err := s.Apply(ctx, conn, next); err != nil {
		if primary, _ := code(err); primary == sqlite3.SQLITE_ERROR && tooNew.MatchString(err.Error()) {
			return false, damaged("its header says schema %d, its tables are those of a newer one, and all rows can be read", version)
		}
		return false, err
	}
	if next.Fill != nil {
		if err := next.Fill(step{ctx, conn}); err != nil {
			return false, fmt.Errorf("migration %d: %w", next.Version, err)
		}
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return false, err
}

func damaged(format string, args ...any) error {
	return &Error{Damaged, fmt.Sprintf(format, args...)}
}

// version returns the version of the schema that a database has, 0 for an empty
// file.
func (s *Schema) version(ctx context.Context, conn *sql.Conn) (int, error) {
	var version, app, tables, ours int
	text := `SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id),
		(SELECT count(*) FROM sqlite_master), (SELECT count(*) FROM sqlite_master WHERE name IN ('` + strings.Join(s.Tables, "', '") + `'))`
	if err := conn.QueryRowContext(ctx, text).Scan(&version, &app, &tables, &ours); err != nil {
		return 0, err
	}
	switch {
	case ours > 0 && ours == len(s.Tables) && app != s.ID:
		return 0, damaged("its header is damaged, all rows can be read")
	case ours == 0 && tables == 0 && version > 0:
		return 0, damaged("the list of its tables can't be read")
	case app != s.ID && (tables > 0 || version > 0 || app != 0):
		return 0, &Error{Foreign, "another program made it"}
	case version > len(s.Steps):
		return 0, &Error{Newer, fmt.Sprintf("has schema %d, this winnow knows %d", version, len(s.Steps))}
	}
	return version, nil
}
