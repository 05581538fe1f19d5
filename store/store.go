// Package store keeps everything in one SQLite database: sources, sessions,
// messages, segments, verdicts and the journal. The tables are here, with what is
// asked of them and changed in several of them at once. Rooms of their own have the
// file, its connections and who may write when (store/sqlite), filters as conditions
// in SQL (store/filtersql), what lists look at, in memory (store/facets), the text
// index (store/text), and the pages of a damaged file (store/dbfile).
package store

import (
	"crypto/rand"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"winnow/core/hub"
	"winnow/store/facets"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
	"winnow/store/text"
)

var _ hub.ImportStore = (*Store)(nil)

// Options sets what a Store takes from outside. The zero value is a store
// that reads and writes, with the system's clock and randomness.
type Options struct {
	Clock func() time.Time // nil: time.Now
	Rand  io.Reader        // for ids; nil: crypto/rand
	// ReadOnly opens an existing database without ever writing to it. One that
	// can't be written to is opened so by itself.
	ReadOnly bool
	// Curator is whom it is told of what was seen; "": nobody has seen anything.
	Curator string
	// Notice is told in one line what Open has done that a person should know;
	// nil: nobody.
	Notice func(line string)

	patience time.Duration    // see sqlite.Options
	turns    func() time.Time // the Clock of sqlite.Options
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	path    string
	from    string // the damaged database of which this one is made, else ""
	curator string // see Options
	clock   func() time.Time
	ids     *idSource
	notice  func(line string)

	db       *sqlite.DB
	facets   *facets.Facets // what lists are filtered by, in memory
	loadStep int            // rows that are loaded at a time
	writes   atomic.Int64   // by machines, see trimSoon

	textSizes text.Sizes // of the index
	taken     takenOut   // by redactions

	// found is what searches have found, of a Snapshot: it stays true. Nil for
	// others.
	found   *filtersql.Found
	foundMu sync.Mutex

	// What is done in the background.
	untidy     atomic.Int64 // changes since the log was last emptied for curators
	swept      atomic.Bool  // dropped bodies were looked for once
	sweeps     atomic.Int64 // requests to look for them
	closing    atomic.Bool
	background sync.WaitGroup

	watch watch // for Version and Claims
}

func newStore(path string, opt Options) (*Store, error) {
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	if opt.Rand == nil {
		opt.Rand = rand.Reader
	}
	if opt.Notice == nil {
		opt.Notice = func(string) {}
	}
	s := &Store{
		path: path, curator: opt.Curator, clock: opt.Clock, ids: newIDSource(opt.Rand), notice: opt.Notice, loadStep: loadStep, textSizes: text.UsualSizes,
	}
	s.facets = facets.New(feed{s}, s.background.Go)
	var err error
	s.db, err = sqlite.New(path, sqlite.Options{ReadOnly: opt.ReadOnly, Patience: opt.patience, Clock: opt.turns})
	return s, err
}

// Path returns the path of the database file.
func (s *Store) Path() string { return s.path }

// ReadOnly reports whether nothing can be changed, because the file, its folder
// or its disk is read-only, or that was asked for.
func (s *Store) ReadOnly() bool { return s.db.Writable() != nil }

// Writable is the error of whatever would change something in a database that is
// read-only, nil for others.
func (s *Store) Writable() error { return s.fail("write", s.db.Writable()) }

// now returns the time as the database keeps it.
func (s *Store) now() time.Time { return s.clock().UTC().Truncate(time.Microsecond) }

// Close ends all work and empties the write-ahead log into the database.
func (s *Store) Close() error {
	s.closing.Store(true)
	s.background.Wait()
	return s.fail("close", s.db.Close())
}
