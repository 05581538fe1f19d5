// Package cycles keeps who does what on the database at the moment, what cycles did, and
// what failed in them.
package cycles

import (
	"time"

	"winnow/core/lease"
	"winnow/store/sqlite"
)

// Asks runs a statement, in a transaction or by itself.
type Asks func(text string, args ...any) *sqlite.Rows

const (
	// takeSQL takes a lease in one statement: it changes a row, or somebody has it.
	takeSQL = "INSERT INTO leases (name, token, holder, taken, until) VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET" +
		" token = excluded.token, holder = excluded.holder, taken = excluded.taken, until = excluded.until WHERE leases.until <= excluded.taken"
	leaseSQL  = "SELECT name, token, holder, until FROM leases WHERE name = ?"
	renewSQL  = "UPDATE leases SET until = ? WHERE name = ? AND token = ?"
	returnSQL = "DELETE FROM leases WHERE name = ? AND token = ?"
	leasesSQL = "SELECT name, token, holder, until FROM leases ORDER BY name"
)

// Take takes a lease, or returns the one that somebody else has.
func Take(t *sqlite.Tx, l lease.Lease, taken time.Time) (held lease.Lease, ok bool, err error) {
	done, err := t.Exec(takeSQL, l.Name, l.Token, l.Holder, taken.UnixMilli(), l.Until.UnixMilli())
	if err != nil {
		return held, false, err
	}
	if n, err := done.RowsAffected(); n > 0 || err != nil {
		return held, n > 0, err
	}
	list, err := leases(t.Rows(leaseSQL, l.Name))
	if len(list) > 0 {
		held = list[0]
	}
	return held, false, err
}

// Renew gives a lease another end, unless somebody else has it now.
func Renew(t *sqlite.Tx, l lease.Lease) (ok bool, err error) {
	done, err := t.Exec(renewSQL, l.Until.UnixMilli(), l.Name, l.Token)
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// Return gives a lease back.
func Return(t *sqlite.Tx, name, token string) error {
	_, err := t.Exec(returnSQL, name, token)
	return err
}

// Holds reports whether a token has a lease, so that who lost it writes nothing more.
func Holds(ask Asks, name, token string) (bool, error) {
	list, err := leases(ask(leaseSQL, name))
	return len(list) > 0 && list[0].Token == token, err
}

// Leases returns all leases.
func Leases(ask Asks) ([]lease.Lease, error) { return leases(ask(leasesSQL)) }

func leases(rows *sqlite.Rows) (list []lease.Lease, err error) {
	var l lease.Lease
	var until int64
	for range rows.Into(&l.Name, &l.Token, &l.Holder, &until) {
		l.Until = time.UnixMilli(until).UTC()
		list = append(list, l)
	}
	return list, rows.Err()
}
