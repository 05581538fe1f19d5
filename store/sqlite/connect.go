package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"strings"
	"sync"

	"modernc.org/sqlite"
)

// Role is what a connection is for.
type Role int

const (
	// Curator writes are on the disk when they are done; they go before those of
	// a Machine.
	Curator Role = iota
	// Machine writes are on the disk with the next checkpoint.
	Machine
	// Beside writes go first as those of a Curator do, and are on the disk with
	// the next checkpoint.
	Beside
	reader
	loner // reads what nobody locks
	setup // creates and migrates
)

// maxReaders is how many pages can be read at once: the list, the reader, the
// header and one in the background. Each connection has its own page cache.
const maxReaders = 4

// PageSize suits message chunks of about 100 KiB: 4 KiB pages make chains of
// 25 pages of them, and writing takes a third longer.
const PageSize = 16 << 10

// curatorCache is enough for some verdicts; PrepareFor asks for more.
const curatorCache = "cache_size(-16384)"

// pragmas are the settings of each role's connections.
//
// Readers wait for the moment in which a crashed process's log is recovered;
// writers ask again by themselves (see writer.begin). Page caches are small:
// the system caches the file anyway, and an import must fit 160 MB. With 12 MiB
// one of 1 GB writes 1 % more than with 16, with 8 MiB 9 %.
// A curator's verdict is on the disk when it is given; an import that is lost
// in a power cut is read again. Nobody copies the log into the database while
// somebody waits for a commit: see writer.checkpoint and DB.Checkpoint. A loner
// must get his lock before anything looks at the file, as the size of a cache does.
var pragmas = map[Role][]string{
	reader:  {"busy_timeout(5000)", "query_only(1)", "cache_size(-4096)"},
	Curator: {"busy_timeout(0)", "foreign_keys(1)", curatorCache, "synchronous(FULL)", "wal_autocheckpoint(0)", "journal_size_limit(67108864)"},
	Machine: {"busy_timeout(0)", "foreign_keys(1)", "cache_size(-12288)", "synchronous(NORMAL)", "wal_autocheckpoint(0)", "journal_size_limit(67108864)"},
	Beside:  {"busy_timeout(0)", "foreign_keys(1)", "cache_size(-1024)", "synchronous(NORMAL)", "wal_autocheckpoint(0)", "journal_size_limit(67108864)"},
	loner:   {"busy_timeout(5000)", "query_only(1)", "locking_mode(EXCLUSIVE)"},
	setup:   {"busy_timeout(5000)", fmt.Sprintf("page_size(%d)", PageSize), "synchronous(FULL)"},
}

// dsn returns what names the database and its settings to the driver; more are
// others, nil for none.
func dsn(path string, r Role, more url.Values) string {
	q := url.Values{"_dqs": {"0"}, "_txlock": {"immediate"}}
	maps.Copy(q, more)
	if r == setup {
		// The driver sorts pragmas by name but does this one last: the page
		// size is fixed once the log exists.
		q.Set("_journal_mode", "WAL")
	}
	for _, p := range append(pragmas[r], "temp_store(MEMORY)", "trusted_schema(0)") {
		q.Add("_pragma", p)
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/… on Windows
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: q.Encode()}).String()
}

// Pool is a pool of connections and their prepared statements.
type Pool struct {
	DB *sql.DB

	mu     sync.Mutex
	byText map[string]*sql.Stmt
}

func newPool(dsn string, conns int) (*Pool, error) {
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return poolOf(c, conns), nil
}

func poolOf(c driver.Connector, conns int) *Pool {
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return &Pool{DB: db, byText: map[string]*sql.Stmt{}}
}

// prepare returns a statement that is prepared once.
func (s *Pool) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.byText[text]; st != nil {
		return st, nil
	}
	st, err := s.DB.PrepareContext(ctx, steady(text))
	if err == nil {
		s.byText[text] = st
	}
	return st, err
}

// prepared returns a statement if it is prepared already, nil if not.
func (s *Pool) prepared(text string) *sql.Stmt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byText[text]
}

// Close ends the connections.
func (s *Pool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, st := range s.byText {
		errs = append(errs, st.Close())
	}
	clear(s.byText)
	return errors.Join(append(errs, s.DB.Close())...)
}
