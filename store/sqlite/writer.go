package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"time"
)

// patience is how a writer waits for other processes.
type patience struct {
	every, total time.Duration
}

var (
	// Imports pause two to three milliseconds between transactions: asking
	// every millisecond hits the pause.
	curatorPatience = patience{time.Millisecond, 5 * time.Second}
	machinePatience = patience{4 * time.Millisecond, time.Minute}
)

// machineTurn is after how long a machine that asks Tx.Enough ends a transaction, if
// nobody waits for it.
const machineTurn = 50 * time.Millisecond

// The write-ahead log is copied into the database when it holds walSoft pages
// (32 MiB) that are not copied yet. If readers or other writers kept it from being
// reused and it reaches walHard pages, it is emptied by force.
const (
	walSoft  = 2 << 10
	walAgain = walSoft / 8 // after one that was not copied to its end
	walHard  = 16 << 10
)

// writer is one writing connection and its prepared statements. It is opened
// at its first use.
type writer struct {
	own      turn  // who uses the connection: from before the shared turn until after the checkpoint
	shared   *turn // who of this process may write
	urgent   bool  // a person waits
	db       *sql.DB
	patience patience
	sign     sign // to those of other processes
	now      func() time.Time
	conn     *sql.Conn
	byText   map[string]*sql.Stmt
	partly   bool // the log was not copied to its end when it was last tried
}

func newWriter(dsn, path string, shared *turn, urgent bool, p patience, now func() time.Time) (*writer, error) {
	s, err := newPool(dsn, 1)
	if err != nil {
		return nil, err
	}
	return &writer{shared: shared, urgent: urgent, db: s.DB, patience: p, sign: sign{path: path + signEnding, now: now}, now: now, byText: map[string]*sql.Stmt{}}, nil
}

// enter takes the connection and the turn.
func (w *writer) enter(ctx context.Context) error {
	if err := w.own.take(ctx, false); err != nil {
		return err
	}
	if err := w.shared.take(ctx, w.urgent); err != nil {
		w.own.give()
		return err
	}
	return nil
}

func (w *writer) leave() {
	w.shared.give()
	w.own.give()
}

// begin takes the connection and the turn, and opens a transaction that may
// write: it waits for this process and for others, together no longer than the
// writer's patience. A machine gives its turn back between two tries, for a
// curator to try; a curator keeps it, so that no machine comes first, and shows the
// machines of other processes that somebody waits.
func (w *writer) begin(ctx context.Context) error {
	waiting, cancel := context.WithTimeoutCause(ctx, w.patience.total, errBusyHere)
	defer cancel()
	signed := false
	defer func() {
		if signed {
			w.sign.lower()
		}
	}()
	for entered := false; ; {
		if !entered {
			if err := w.enter(waiting); err != nil {
				return err
			}
		}
		err := w.tryBegin(waiting)
		if err == nil {
			return nil
		}
		if entered = w.urgent && isBusy(err); !entered {
			w.leave()
		}
		if !isBusy(err) {
			return err
		}
		if w.urgent {
			w.sign.raise()
			signed = true
		}
		again := time.NewTimer(w.patience.every)
		select {
		case <-again.C:
		case <-waiting.Done():
			again.Stop()
			if entered {
				w.leave()
			}
			return cmp.Or(ctx.Err(), err)
		}
	}
}

func (w *writer) tryBegin(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	// From here on nothing is interrupted: these are short, and a
	// connection interrupted in the middle may be left in either state.
	ctx = context.WithoutCancel(ctx)
	if err := w.connect(ctx); err != nil {
		return err
	}
	return w.plain(ctx, "BEGIN IMMEDIATE")
}

func (w *writer) connect(ctx context.Context) (err error) {
	if w.conn == nil {
		w.conn, err = w.db.Conn(ctx)
	}
	return err
}

func (w *writer) plain(ctx context.Context, text string) error {
	st, err := w.prepare(ctx, text)
	if err != nil {
		return err
	}
	_, err = st.ExecContext(ctx)
	return err
}

func (w *writer) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	if st := w.byText[text]; st != nil {
		return st, nil
	}
	st, err := w.conn.PrepareContext(ctx, steady(text))
	if err == nil {
		w.byText[text] = st
	}
	return st, err
}

// checkpoint copies the log into the database if it has grown long. Failing
// to is no error: the next one will. A log that readers or writers kept from being
// copied to its end is tried again soon, as it is not used anew before.
func (w *writer) checkpoint(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	pages, copied := w.wal(ctx, "NOOP")
	if pages-copied >= walSoft || pages >= walHard || w.partly && pages-copied >= walAgain {
		pages, copied = w.wal(ctx, "PASSIVE") // nobody waits for it
		w.partly = copied < pages
	}
	if pages >= walHard {
		w.wal(ctx, "TRUNCATE") // all writers wait, and readers keep it from doing anything
	}
}

// wal runs a checkpoint and returns how many pages the log holds, and how many of
// them the database has.
func (w *writer) wal(ctx context.Context, mode string) (pages, copied int) {
	st, err := w.prepare(ctx, "PRAGMA wal_checkpoint("+mode+")")
	if err != nil {
		return 0, 0
	}
	var busy int
	if st.QueryRowContext(ctx).Scan(&busy, &pages, &copied) != nil {
		return 0, 0
	}
	return pages, copied
}

// close ends the connection, copying the log if it wrote anything. It takes no
// turn: others may be writing.
func (w *writer) close() error {
	if err := w.own.take(context.Background(), false); err != nil {
		return err
	}
	defer w.own.give()
	var errs []error
	if w.conn != nil {
		w.wal(context.Background(), "PASSIVE")
		for _, st := range w.byText {
			errs = append(errs, st.Close())
		}
		errs = append(errs, w.conn.Close())
		w.conn = nil
	}
	clear(w.byText)
	return errors.Join(append(errs, w.db.Close())...)
}

// Tx is an open transaction. Its statements are prepared once per writer.
type Tx struct {
	w       *writer
	ctx     context.Context
	began   time.Time
	bulk    bool // it was given a larger page cache
	changed bool // some row was
}

// Context is that of the transaction, which nothing interrupts.
func (t *Tx) Context() context.Context { return t.ctx }

// Changed reports whether the transaction changed any row.
func (t *Tx) Changed() bool { return t.changed }

// MarkChanged has the transaction count as one that changed a row.
func (t *Tx) MarkChanged() { t.changed = true }

// Enough reports whether a machine should end the transaction, because it has had
// the turn for long enough, or a person waits for it, in this process or another.
func (t *Tx) Enough() bool {
	return t.w.now().Sub(t.began) >= machineTurn || t.w.shared.wanted() || t.w.sign.up()
}

// Exec runs a statement.
func (t *Tx) Exec(text string, args ...any) (sql.Result, error) {
	st, err := t.w.prepare(t.ctx, text)
	if err != nil {
		return nil, err
	}
	res, err := st.ExecContext(t.ctx, args...)
	if err == nil && !t.changed {
		n, _ := res.RowsAffected() // this driver always knows
		t.changed = n > 0
	}
	return res, err
}

// finish ends the transaction that begin opened, with what f wrote or without,
// and gives the turn back.
func (w *writer) finish(t *Tx, f func(*Tx) error) error {
	defer w.shared.give()
	kept := false
	defer func() {
		if !kept { // also when f panics
			w.plain(t.ctx, "ROLLBACK") // the error that led here says more
		}
	}()
	if err := f(t); err != nil {
		return err
	}
	if err := w.plain(t.ctx, "COMMIT"); err != nil {
		return err
	}
	kept = true
	return nil
}

const (
	// bulk is the number of segments from which an action gets a larger page
	// cache: each lies on a page of its own, and has an index entry on another.
	bulk = 1000
	// bulkCache holds the pages of ten thousand segments and of their entries in
	// the index of what filters ask for; with less they are written and read
	// again several times.
	bulkCache = "PRAGMA cache_size = -262144" // KiB
)

// PrepareFor makes room for the pages of n segments; see shrink. Without
// it everything works, but slower.
func (t *Tx) PrepareFor(n int) {
	if n >= bulk && !t.bulk {
		_, err := t.w.conn.ExecContext(t.ctx, bulkCache)
		t.bulk = err == nil
	}
}

// shrink gives back what PrepareFor took. Both settings take effect when they
// are prepared, so that they can't be kept as statements.
func (w *writer) shrink(ctx context.Context) {
	if w.own.take(ctx, false) != nil {
		return
	}
	defer w.own.give()
	for _, text := range []string{"PRAGMA " + curatorCache, "PRAGMA shrink_memory"} {
		if _, err := w.conn.ExecContext(ctx, text); err != nil {
			return // the next bulk action tries again
		}
	}
}
