package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"winnow/store/dbfile"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// Rescued is what came out of a damaged database.
type Rescued struct {
	Damage   []string // what is wrong with the file as a whole
	Tables   []RescuedTable
	Verdicts int // segments with a verdict, in the new database
	Notes    int
	Tags     int
	// Restored are segments whose own row is lost, and which came out of an
	// index or of the journal.
	Restored int
	// Retired are judged segments that could not be placed any more: the journal
	// keeps their verdicts.
	Retired int
	// Sources are to be read again: something that came from them is lost.
	Sources []RescuedSource
	// Sessions lack messages still; each place where some were holds a message
	// that says so, and the segment is stale.
	Sessions []RescuedSession
	Repaired int       // things that were derived anew
	Left     []Problem // what is still not as it should be
	Kept     string    // the new name of what was in its place, "" if nothing was
}

// RescuedTable counts the rows of one table.
type RescuedTable struct {
	Table string
	Rows  int // that were taken over
	Of    int // that there were; -1: not known
	Lost  int // that are known to be lost
	Pages int // of it that are damaged
}

// RescuedSource is a source to be read again.
type RescuedSource struct{ Agent, Path string }

// RescuedSession is a session that lacks messages.
type RescuedSession struct {
	File     string `json:"session_file"`
	Messages int    `json:"lost_messages"`
	Stale    int    `json:"stale_segments"` // segments that were judged, and hold lost ones
}

// Whole reports whether it is known that nothing is lost.
func (r *Rescued) Whole() bool {
	for i := range r.Tables {
		t := &r.Tables[i]
		checked := t.Table == "chunks" || t.Table == "messages" || t.Table == "bodies" // by the sessions
		if t.Lost > 0 && !checked || t.Pages > 0 && t.Of < 0 && !checked {
			return false
		}
	}
	return len(r.Sessions)+len(r.Left)+r.Retired == 0
}

// Rescue copies what can be read of the database at from, which is not changed
// and may be damaged in any way, into a new one at to: verdicts first. With force
// a file that is there is kept under another name. reread is called with sources whose messages
// or lines are lost, to read those again that are still there, under the verdicts
// that were given on them.
func Rescue(ctx context.Context, from, to string, force bool, opt Options, reread func(context.Context, *Store, []RescuedSource) error) (*Rescued, error) {
	out, err := rescue(ctx, from, to, force, opt, reread)
	if err != nil {
		s := &Store{path: from}
		return nil, s.fail("rescue", err)
	}
	return out, nil
}

func rescue(ctx context.Context, from, to string, force bool, opt Options, reread func(context.Context, *Store, []RescuedSource) error) (out *Rescued, err error) {
	steps, err := readSteps()
	if err != nil {
		return nil, err
	}
	if err := mayWrite(ctx, from, to, force); err != nil {
		return nil, err
	}
	r, err := openRemains(ctx, from, steps)
	if err != nil {
		return nil, err
	}
	defer r.close()
	half := to + halfDone
	drop := func() {
		for _, end := range besides {
			os.Remove(half + end)
		}
	}
	drop()
	defer drop()
	out = &Rescued{}
	s, err := newStore(half, opt)
	if err != nil {
		return nil, err
	}
	s.from = from
	c := &rescuing{
		remains: r, ctx: ctx, out: out, prepared: map[string]*sql.Stmt{}, kept: map[string]int{}, ids: s.ids, now: stamp.Of(s.now()),
	}
	if err := c.rescueRows(half, steps); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	err = s.finishRescue(ctx, out, reread)
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	if isThere(half + "-wal") {
		return nil, fmt.Errorf("%w: %s could not be written to its end; nothing of it was kept", ErrFull, to)
	}
	if out.Kept, err = keepOld(to); err != nil {
		return nil, err
	}
	return out, os.Rename(half, to)
}

// rescuing is the copying of rows.
type rescuing struct {
	*remains
	ctx      context.Context
	conn     *sql.Conn // of the new database
	prepared map[string]*sql.Stmt
	out      *Rescued
	rows     int // that were written
	ids      *idSource
	now      string
	copies   map[int64]*segmentCopy
	kept     map[string]int // rows, by table
}

// rescueRows makes a database at half that has what could be read.
func (c *rescuing) rescueRows(half string, steps []sqlite.Step) error {
	if err := sqlite.MakeFile(half); err != nil {
		return err
	}
	pool, err := sqlite.Setup(half)
	if err != nil {
		return err
	}
	if c.conn, err = pool.DB.Conn(c.ctx); err != nil {
		return errors.Join(err, pool.Close())
	}
	err = c.all(steps)
	for _, st := range c.prepared {
		err = errors.Join(err, st.Close())
	}
	return errors.Join(err, c.conn.Close(), pool.Close())
}

// all copies the rows into the schema that they had, fills what can be had from
// elsewhere, and brings the schema up to date.
func (c *rescuing) all(steps []sqlite.Step) error {
	for _, step := range []func() error{
		func() error { return c.migrate(steps[:c.version]) },
		c.copyTables,
		func() error { return c.migrate(steps[c.version:]) },
		c.numbers,
		c.sources,
		c.sessions,
		c.segmentsOfSessions,
		c.references,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	c.report()
	total := 0
	for _, n := range c.kept {
		total += n
	}
	if total == 0 && c.blind {
		return fmt.Errorf("%s is %w: nothing in it looks like one", c.path, ErrForeign)
	}
	return c.plain("COMMIT")
}

func (c *rescuing) migrate(steps []sqlite.Step) error {
	for _, step := range steps {
		if err := schemaOf(steps).Apply(c.ctx, c.conn, step); err != nil {
			return err
		}
	}
	if c.rows == 0 {
		c.rows = 1
		return c.plain("BEGIN")
	}
	return nil
}

func (c *rescuing) plain(text string) error {
	_, err := c.conn.ExecContext(c.ctx, text)
	return err
}

// commitRows is after how many rows a transaction ends: what is not written to
// the file yet is in memory.
const commitRows = 5000

// exec runs a statement and returns how many rows it changed.
func (c *rescuing) exec(text string, args ...any) (int64, error) {
	st := c.prepared[text]
	if st == nil {
		var err error
		if st, err = c.conn.PrepareContext(c.ctx, text); err != nil {
			return 0, err
		}
		c.prepared[text] = st
	}
	res, err := st.ExecContext(c.ctx, args...)
	if err != nil {
		return 0, err
	}
	if c.rows++; c.rows%commitRows == 0 {
		if err := c.plain("COMMIT; BEGIN"); err != nil {
			return 0, err
		}
	}
	return res.RowsAffected()
}

// ask asks the new database.
func (c *rescuing) ask(text string, args ...any) *sqlite.Rows {
	return sqlite.On(c.ctx, c.conn, text, args...)
}

// execAll runs statements in their order.
func (c *rescuing) execAll(texts ...string) error {
	for _, text := range texts {
		if _, err := c.exec(text); err != nil {
			return err
		}
	}
	return nil
}

// report counts what was taken over. An index that is whole knows how many rows
// there were; so does SQLite where it gives the numbers and no row ever leaves.
func (c *rescuing) report() {
	c.out.Damage = c.file.Problems
	for _, name := range rescued {
		s := c.shapes[name]
		if s == nil {
			continue
		}
		t := RescuedTable{Table: name, Rows: c.kept[name], Of: c.expected(name)}
		loss := c.loss[name]
		t.Pages = len(loss.Pages)
		t.Lost = max(loss.Rows, c.read[name]-c.kept[name], t.Of-c.kept[name])
		if t.Of >= 0 && t.Of < t.Rows {
			t.Of = t.Rows
		}
		if t.Of < 0 && t.Lost == 0 && t.Pages == 0 && !c.blind {
			t.Of = t.Rows
		}
		c.out.Tables = append(c.out.Tables, t)
	}
}

// insertText returns the statement that takes over a row, unless there is one.
func insertText(s *shape, columns int) string {
	names, n := "", columns
	for i := range columns {
		if names != "" {
			names += ", "
		}
		names += s.columns[i].name
	}
	if s.rowid < 0 && !s.index {
		names, n = "rowid, "+names, n+1
	}
	return "INSERT OR IGNORE INTO " + s.name + " (" + names + ") VALUES (" + places(n) + ")"
}

// insert takes over a row as it is. One that contradicts the rules of the table,
// or those that are there, is not.
func (c *rescuing) insert(s *shape, row dbfile.Row) (bool, error) {
	args := row.Values
	switch {
	case s.rowid >= 0 && s.rowid < len(args):
		args[s.rowid] = row.ID
	case !s.index:
		args = append([]any{row.ID}, args...)
	}
	n, err := c.exec(insertText(s, len(row.Values)), args...)
	if n > 0 {
		c.kept[s.name]++
	}
	return n > 0, err
}
