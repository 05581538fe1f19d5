package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/show"
	"winnow/store"
)

// database is what a command that uses the database works with.
type database struct {
	*store.Store
	*config.Config
	path string // of the database
}

// withDatabase runs f with the configured database and closes it. Only
// commands that load something create it: for the others a missing file is
// most likely a mistyped name.
func (p *cli) withDatabase(ctx context.Context, create bool, f func(*database) error) error {
	c, path, err := p.databasePath()
	if err != nil {
		return err
	}
	if !create {
		switch info, err := os.Stat(path); {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%s: no database here yet: load sessions with %s, or name another with --db", path, p.command("import PATH"))
		case err == nil && info.Mode().IsRegular() && info.Size() == 0:
			return fmt.Errorf("%s: the file is empty, no database is in it: put a copy back if one was here, else load sessions with %s", path, p.command("import PATH"))
		}
	}
	return p.withFile(ctx, c, path, f)
}

// databasePath returns where the database is, or would be.
func (p *cli) databasePath() (c *config.Config, path string, err error) {
	if c, err = p.config(); err != nil {
		return nil, "", err
	}
	if path = c.Text("db"); path == "" {
		return nil, "", wrongUsage("no place for the database: set HOME, or name one with --db FILE")
	}
	path, err = p.absolute(path)
	return c, path, err
}

// absolute returns a path from the working folder on as one that any folder has.
func (p *cli) absolute(path string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	dir, err := p.env.dir()
	if err != nil {
		return "", fmt.Errorf("the working folder: %w", err)
	}
	return filepath.Join(dir, path), nil
}

// hasDatabase reports whether there is a database yet. A place that was named
// and holds none is an error.
func (p *cli) hasDatabase() (bool, error) {
	c, err := p.config()
	if err != nil || c.Text("db") == "" {
		return false, err
	}
	_, path, err := p.databasePath()
	if err != nil {
		return false, err
	}
	_, err = os.Stat(path)
	_, named := p.flag("db")
	return err == nil || named, nil
}

// withFile runs f with the database at path, which is created if need be, and
// closes it.
func (p *cli) withFile(ctx context.Context, c *config.Config, path string, f func(*database) error) (err error) {
	st, err := store.Open(ctx, path, store.Options{Curator: c.Text("reviewer"), Clock: p.env.now, Rand: p.env.rand, Notice: func(line string) { p.warn("%s", line) }})
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := st.Close(); err == nil && closeErr != nil {
			err = fmt.Errorf("closing %s: %w", path, closeErr)
		}
	}()
	return f(&database{st, c, path})
}

// changing is what changes a database: one that is read-only is refused before
// anything is read, asked or paid for.
func changing[T any](f func(context.Context, *database, T) error) func(context.Context, *database, T) error {
	return func(ctx context.Context, s *database, with T) error {
		if err := s.Writable(); err != nil {
			return err
		}
		return f(ctx, s, with)
	}
}

// aboutID turns the errors of a lookup by id into ones that say what to do.
func (p *cli) aboutID(id string, err error) error { return show.AboutID(id, err, p.command) }

// command returns a command line of winnow's, for a hint, that works on the
// database of this one.
func (p *cli) command(words string) string {
	line := "winnow " + words
	if path := p.flagText("db"); path != "" {
		line += " --db " + print.Quoted(path)
	}
	return line
}

// warn says something on stderr that does not change what is done.
func (p *cli) warn(format string, args ...any) {
	print.Fprintf(p.env.stderr, "winnow: "+format+"\n", args...)
}

// desk is what the screen, and a command, works on of a database.
func (p *cli) desk(s *database) *desk.Desk {
	return &desk.Desk{
		Store: s.Store, Config: s.Config, Path: s.path, Env: &p.env.Env, Now: p.env.now, Rand: p.env.rand,
		Program: "winnow " + p.version().Version, Command: p.command, Lease: p.env.lease, Start: p.env.start,
	}
}
