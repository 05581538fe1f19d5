// Package store keeps everything in one SQLite database: sources, sessions,
// messages, segments, verdicts and the journal. All SQL of the project is
// here.
//
// One idea rules the writing: there is one writer at a time, and a curator
// never waits for an import. Within the process a queue lets curators go
// first; between processes imports write in short transactions with pauses,
// which a curator's write hits by asking every millisecond. Readers have
// their own connections and are never blocked.
package store

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"winnow/core/filter"
	"winnow/core/hub"
)

var _ hub.ImportStore = (*Store)(nil)

// Options sets what a Store takes from outside. The zero value is a store
// that reads and writes, with the system's clock and randomness.
type Options struct {
	Clock func() time.Time // nil: time.Now
	Rand  io.Reader        // for ids; nil: crypto/rand
	// ReadOnly opens an existing database without ever writing to it.
	ReadOnly bool
	// Notice is told in one line what Open has done that a person should know;
	// nil: nobody.
	Notice func(line string)
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	path     string
	file     os.FileInfo // at the path when it was opened; nil: not known
	clock    func() time.Time
	ids      *idSource
	readOnly bool
	notice   func(line string)

	readers *statements // read-only connections
	turn    turn        // who may write
	curator *writer     // durable at once
	machine *writer     // durable at the next checkpoint
	beside  *writer     // likewise; what is no content: claims, states of screens
	library *library    // what lists are filtered by, in memory

	fillSizes fillSizes // of the text index

	// found is what searches have found, of a Snapshot: it stays true. Nil for
	// others.
	found   map[filter.Text]foundRows
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
		path: path, clock: opt.Clock, ids: newIDSource(opt.Rand), notice: opt.Notice, readOnly: opt.ReadOnly, library: newLibrary(), fillSizes: usualFill,
	}
	var errs [4]error
	s.readers, errs[0] = newStatements(dsn(path, roleReader, opt.ReadOnly), maxReaders)
	s.curator, errs[1] = newWriter(dsn(path, roleCurator, opt.ReadOnly), &s.turn, true, curatorPatience)
	s.machine, errs[2] = newWriter(dsn(path, roleMachine, opt.ReadOnly), &s.turn, false, machinePatience)
	s.beside, errs[3] = newWriter(dsn(path, roleBeside, opt.ReadOnly), &s.turn, true, curatorPatience)
	return s, errors.Join(errs[:]...)
}

// Path returns the path of the database file.
func (s *Store) Path() string { return s.path }

// now returns the time as the database keeps it.
func (s *Store) now() time.Time { return s.clock().UTC().Truncate(time.Microsecond) }

// Close ends all work and empties the write-ahead log into the database.
func (s *Store) Close() error {
	s.closing.Store(true)
	s.background.Wait()
	errs := []error{s.watch.close(), s.readers.close()}
	// The writers go last: the last connection to leave empties the log.
	errs = append(errs, s.beside.close(), s.machine.close(), s.curator.close())
	return s.fail("close", errors.Join(errs...))
}
