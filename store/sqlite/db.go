// Package sqlite opens a database file, reads from it and writes to it. It is the
// only package that knows the driver and its settings, and knows nothing of what
// the tables hold. It imports no other package of the program.
//
// Rows are read by Rows and Once, what must be of one moment by Read and Snapshot,
// and a change is made by Write. A database that can't be written to is read all the
// same, with what its log holds (sealed.go).
//
// There is one writer at a time, and a curator never waits for an import. Within
// the process a queue lets curators go first; between processes machines write
// in short transactions with pauses, which a curator's write hits by asking
// every millisecond. Readers have their own connections and are never blocked.
package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"
)

// DB is a database file. It is safe for concurrent use.
type DB struct {
	path       string
	readers    *Pool // connections that can't write
	readOnly   bool
	still      bool        // a Snapshot: its one transaction has begun
	file       os.FileInfo // at the path when it was opened; nil: not known
	turn       turn        // who may write
	writers    [3]*writer  // by their Role
	background sync.WaitGroup
	eye        eye // for Version
}

// Options say how a database is opened.
type Options struct {
	// ReadOnly is for one that is never written to. One that can't be is read only
	// in any case.
	ReadOnly bool
	// Patience is how long what a person waits for waits for other writers; 0 is
	// five seconds.
	Patience time.Duration
	// Clock measures how long a machine writes; nil: time.Now.
	Clock func() time.Time
}

// New returns the database at a path, which need not be there before SetUp.
func New(path string, o Options) (*DB, error) {
	db := &DB{path: path, readOnly: o.ReadOnly || !writable(path)}
	connector, err := db.connector()
	if err != nil {
		return nil, err
	}
	db.readers = poolOf(connector, maxReaders)
	if o.Clock == nil {
		o.Clock = time.Now
	}
	var errs []error
	person := curatorPatience
	person.total = cmp.Or(o.Patience, person.total)
	for role, patience := range map[Role]patience{Curator: person, Machine: machinePatience, Beside: person} {
		db.writers[role], err = newWriter(dsn(path, role, nil), path, &db.turn, role != Machine, patience, o.Clock)
		errs = append(errs, err)
	}
	return db, errors.Join(errs...)
}

// connector returns what connects readers.
func (db *DB) connector() (driver.Connector, error) {
	if db.readOnly {
		return sealed{db.path}, nil
	}
	return sqlite.NewConnector(dsn(db.path, reader, nil))
}

// Writable is the error of all writes to a database that is read only, nil for
// others.
func (db *DB) Writable() error {
	if db.readOnly {
		return errReadOnly
	}
	return nil
}

// Setup returns one connection that may make tables, for a new file.
func Setup(path string) (*Pool, error) { return newPool(dsn(path, setup, nil), 1) }

// Memory returns one connection to a database that is in memory.
func Memory() (*Pool, error) {
	return newPool("file::memory:?_pragma=page_size("+fmt.Sprint(PageSize)+")", 1)
}

// Snapshot returns the database as it is at the moment of this call, to be read
// by one connection in a transaction. Interrupting a read ends it, as does another
// process that writes where no lock keeps it from that: over is the error of reads
// that follow.
func (db *DB) Snapshot(ctx context.Context, over error) (*DB, error) {
	connector, err := db.connector()
	if err != nil {
		return nil, err
	}
	one := poolOf(&single{Connector: connector, over: over}, 1)
	// What is read first, here nothing but the version of the schema, is
	// what makes the state.
	for _, text := range []string{"BEGIN", "SELECT count(*) FROM sqlite_schema"} {
		if _, err := one.DB.ExecContext(ctx, text); err != nil {
			return nil, errors.Join(err, one.Close())
		}
	}
	return &DB{path: db.path, readOnly: true, still: true, readers: one}, nil
}

// single connects once: a second connection would see another state.
type single struct {
	driver.Connector
	over error
	used atomic.Bool
}

// Connect implements driver.Connector.
func (c *single) Connect(ctx context.Context) (driver.Conn, error) {
	if c.used.Swap(true) {
		return nil, c.over
	}
	return c.Connector.Connect(ctx)
}

// Write runs f in one transaction: all of it is kept, or nothing.
func (db *DB) Write(ctx context.Context, role Role, f func(*Tx) error) error {
	if err := cmp.Or(db.Writable(), db.Gone()); err != nil {
		return err
	}
	w := db.writers[role]
	if err := w.begin(ctx); err != nil {
		return err
	}
	defer w.own.give()
	t := &Tx{w: w, ctx: context.WithoutCancel(ctx), began: w.now()}
	err := w.finish(t, f)
	if t.bulk {
		db.background.Go(func() { w.shrink(context.Background()) })
	}
	if err == nil && !w.urgent {
		// The turn is given back: a curator does not wait for the disk.
		w.checkpoint(t.ctx)
	}
	return err
}

// Checkpoint copies the log into the database if it has grown long.
func (db *DB) Checkpoint(ctx context.Context) {
	if db.readOnly {
		return
	}
	w := db.writers[Machine]
	if w.own.take(ctx, false) != nil {
		return
	}
	defer w.own.give()
	if w.connect(ctx) == nil {
		w.checkpoint(ctx)
	}
}

// Wait waits for what is done in the background.
func (db *DB) Wait() { db.background.Wait() }

// Close ends all connections and copies the write-ahead log into the database. The
// last one to close deletes the log.
func (db *DB) Close() error {
	db.Wait()
	errs := []error{db.eye.close(), db.readers.Close()}
	// The writers go last: the last connection to leave deletes the log.
	for _, role := range []Role{Beside, Machine, Curator} {
		if w := db.writers[role]; w != nil { // a snapshot has none
			errs = append(errs, w.close())
		}
	}
	return errors.Join(errs...)
}
