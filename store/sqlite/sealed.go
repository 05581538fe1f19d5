package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"runtime"

	"modernc.org/sqlite"
)

// way is how a database that can't be written to is read.
type way int

const (
	// shared reads beside a process that writes: the log and its index are there.
	shared way = iota + 1
	// immutable reads a database without a log. SQLite would want to make one.
	immutable
	// alone reads a log that has no index, which SQLite would want to make.
	alone
)

// dsn returns what says so to the driver.
func (w way) dsn(path string) string {
	q, r := url.Values{"mode": {"ro"}}, reader
	switch w {
	case immutable:
		q.Set("immutable", "1")
	case alone:
		r = loner
		q.Set("vfs", "unix-none")
		if runtime.GOOS == "windows" {
			q.Set("vfs", "win32-none")
		}
	}
	return dsn(path, r, q)
}

// look is what there is of a database: how it is to be read and, where no lock
// tells that another process writes, what changes if one does.
type look struct {
	way            way
	size, logSize  int64
	changed, added int64
}

// leastLog is the size of a log with one page, in bytes: a shorter one holds nothing.
const leastLog = 32 + 24 + 512

// lookAt looks at the files of a database: SQLite has the others beside the file that
// a link leads to.
func lookAt(path string) look {
	path = target(path)
	log, err := os.Stat(path + "-wal")
	if err == nil {
		if _, err := os.Stat(path + "-shm"); err == nil {
			return look{way: shared}
		}
	}
	l := look{way: immutable}
	if err == nil {
		l.logSize, l.added = log.Size(), log.ModTime().UnixNano()
		if l.logSize >= leastLog {
			l.way = alone
		}
	}
	if info, err := os.Stat(path); err == nil {
		l.size, l.changed = info.Size(), info.ModTime().UnixNano()
	}
	return l
}

// sealed connects to a database that can't be written to.
type sealed struct{ path string }

// Connect implements driver.Connector.
func (s sealed) Connect(ctx context.Context) (driver.Conn, error) {
	seen := lookAt(s.path)
	c, err := sqlite.NewConnector(seen.way.dsn(s.path))
	if err != nil {
		return nil, err
	}
	conn, err := c.Connect(ctx)
	if err != nil {
		return nil, err
	}
	// The last connection would delete a log of which it can read nothing.
	if _, err := conn.(sqlite.FileControl).FileControlPersistWAL("main", 1); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return sealedConn{conn.(driverConn), s.path, seen}, nil
}

// Driver implements driver.Connector.
func (sealed) Driver() driver.Driver { return &sqlite.Driver{} }

// driverConn is what database/sql uses of a connection.
type driverConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// sealedConn is used until another process begins to write, or ends.
type sealedConn struct {
	driverConn
	path string
	seen look
}

// ResetSession implements driver.SessionResetter.
func (c sealedConn) ResetSession(ctx context.Context) error {
	if lookAt(c.path) != c.seen {
		return driver.ErrBadConn
	}
	return c.driverConn.ResetSession(ctx)
}

// writable reports whether a database can be written to, or made: its file, and
// those that SQLite has beside it.
func writable(path string) bool {
	path = target(path)
	if _, err := os.Stat(path); err != nil {
		return true // the error of making it says more
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		name := path + end
		if _, err := os.Stat(name); err != nil {
			name = filepath.Dir(path)
		}
		if !mayWrite(name) {
			return false
		}
	}
	return true
}

// target returns the path of the file that a path leads to, which need not be there.
func target(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
