package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// WriteCuts gives the messages of a session other segments, in one transaction.
// If the session or any of its segments is not as the cuts were made of
// (w.Body, w.Messages, w.Known), nothing is written: review.ErrConflict, with
// the reason.
//
// Segments that stay keep their marks, their analysis and their age. Their
// places in the order follow from where they start; Index is set so in
// w.Segments. A curator's write is one entry of the journal, which undo takes
// back; one that changes nothing has no ID and is not kept. A machine's is none:
// each segment that leaves and was ever judged has an entry of its own.
func (s *Store) WriteCuts(ctx context.Context, w *runs.CutWrite) (review.Entry, error) {
	e := review.Entry{Curator: w.Curator, Action: w.Action, At: s.now()}
	role := sqlite.Machine
	switch {
	case w.Curator != "" && !slices.Contains(recutActions, string(w.Action)):
		return review.Entry{}, s.fail("cut", fmt.Errorf("a curator's cut as %q", w.Action))
	case w.Curator == "" && w.Action != "":
		return review.Entry{}, s.fail("cut", errors.New("a cut needs a curator: name one with --reviewer"))
	case w.Curator != "":
		role = sqlite.Curator
	}
	var fill []assigned
	err := s.write(ctx, role, "cut", func(t *tx) (err error) {
		fill, err = s.cut(t, w, &e)
		return err
	})
	if err != nil {
		return review.Entry{}, err
	}
	fillIn(fill)
	if w.Curator != "" {
		s.tidy(len(w.Segments) + len(w.Retire))
	}
	return e, nil
}

// WriteAllCuts is WriteCuts for what a machine cut of different sessions, in one
// transaction: they change the same pages, and a short session costs less than
// to end a transaction. The errors are those of WriteCuts; nothing is written
// then.
func (s *Store) WriteAllCuts(ctx context.Context, list []*runs.CutWrite) error {
	for _, w := range list {
		if w.Curator != "" || w.Action != "" {
			return s.fail("cut", errors.New("a curator's cut must be the only one"))
		}
	}
	var fill []assigned
	e := review.Entry{At: s.now()}
	err := s.write(ctx, sqlite.Machine, "cut", func(t *tx) error {
		for _, w := range list {
			ids, err := s.cut(t, w, &e)
			if err != nil {
				return err
			}
			fill = append(fill, ids...)
		}
		return nil
	})
	if err == nil {
		fillIn(fill)
	}
	return err
}

// cut applies a write in a transaction. It returns the ids of the segments that
// are new.
func (s *Store) cut(t *tx, w *runs.CutWrite, e *review.Entry) ([]assigned, error) {
	c := &recutTx{importing: &importing{tx: t, ids: s.ids, now: stamp.Of(e.At)}, w: w, entry: e}
	err := c.write()
	return c.assigned, err
}

// fillIn gives new segments their ids, which count from the end of the
// transaction.
func fillIn(list []assigned) {
	for _, a := range list {
		a.to.ID = a.id
	}
}

// recuts reports whether entries of an action have a Recut.
// recutActions are the actions whose entries have a Recut, recutList for SQL.
var (
	recutActions = []string{string(review.ActSplit), string(review.ActMerge), string(review.ActMove), string(review.ActTopic), string(review.ActCut)}
	recutList    = "('" + strings.Join(recutActions, "', '") + "')"
)

// recutTx is one transaction that cuts a session anew.
type recutTx struct {
	*importing
	w     *runs.CutWrite
	entry *review.Entry
	s     *cutSession
	next  []nextRow // the segments as they are to be, in order
	// The rows from lo to their end but for tail ones are not the same as
	// before; neither are those in next.
	lo, tail int
}

// nextRow is a segment as it is to be: a stored one, a written one, or a stored
// one that is written.
type nextRow struct {
	old *cutRow
	w   *review.SegmentWrite // nil: only its place in the order may change
}

func (n *nextRow) start() int {
	if n.w != nil {
		return n.w.Start
	}
	return n.old.Start
}

func (c *recutTx) write() (err error) {
	if c.s, err = c.stored(c.w.Session); err != nil {
		return err
	}
	if c.s.body != c.w.Body || c.s.messages != c.w.Messages {
		return conflict("the session got other messages since: look at it again")
	}
	if err := same(c.s.rows, c.w.Known); err != nil {
		return err
	}
	if err := c.plan(); err != nil {
		return err
	}
	byHand := c.w.Curator != ""
	var before []wholeRow
	if byHand {
		if c.changes() == 0 {
			return nil
		}
		if before, err = c.wholeRows(c.s, c.lo, len(c.s.rows)-c.tail); err != nil {
			return err
		}
	}
	if err := c.leave(); err != nil {
		return err
	}
	if err := c.putRows(); err != nil {
		return err
	}
	if err := c.state(); err != nil {
		return err
	}
	if err := c.digestsIfEdited(c.s.body, c.now); err != nil || !byHand {
		return err
	}
	if err := c.nothingLeft(); err != nil {
		return err
	}
	return c.journal(before)
}

// changes is the number of rows, old or new, that are not the same as before.
func (c *recutTx) changes() int { return max(len(c.s.rows), len(c.next)) - c.lo - c.tail }

// plan puts the segments as they are to be in order and finds the first and the
// last that differ.
func (c *recutTx) plan() error {
	written := make(map[string]*review.SegmentWrite, len(c.w.Segments))
	for i := range c.w.Segments {
		if sw := &c.w.Segments[i]; sw.ID != "" {
			written[sw.ID] = sw
		} else {
			c.next = append(c.next, nextRow{w: sw})
		}
	}
	leaves := make(map[string]bool, len(c.w.Retire))
	for _, id := range c.w.Retire {
		leaves[id] = true
	}
	for i := range c.s.rows {
		r := &c.s.rows[i]
		sw := written[r.ID]
		delete(written, r.ID)
		if leaves[r.ID] {
			delete(leaves, r.ID)
			if sw != nil {
				return fmt.Errorf("segment %s is to stay and to leave", r.Short())
			}
			continue
		}
		if sw != nil {
			same, err := c.unwritten(r, sw)
			if err != nil {
				return err
			}
			if same {
				sw = nil
			}
		}
		c.next = append(c.next, nextRow{r, sw})
	}
	if n := len(written) + len(leaves); n > 0 {
		return fmt.Errorf("%d segments are to be cut that the session has not", n)
	}
	slices.SortStableFunc(c.next, func(a, b nextRow) int { return cmp.Compare(a.start(), b.start()) })
	rows, next := c.s.rows, c.next
	for i := range next {
		if next[i].w != nil {
			next[i].w.Index = i
		}
	}
	stays := func(r *cutRow, n *nextRow) bool { return n.old == r && n.w == nil }
	for c.lo < min(len(rows), len(next)) && stays(&rows[c.lo], &next[c.lo]) {
		c.lo++
	}
	for c.lo+c.tail < min(len(rows), len(next)) && stays(&rows[len(rows)-1-c.tail], &next[len(next)-1-c.tail]) {
		c.tail++
	}
	return nil
}

// unwritten reports whether a row is to be as it is. A row never gets other
// messages: one with those takes its place.
func (c *recutTx) unwritten(r *cutRow, w *review.SegmentWrite) (bool, error) {
	n := max(w.Nth, 1)
	if w.Detail != r.Detail || w.End-w.Start != r.End-r.Start || n == r.Nth && w.Fingerprint != r.Fingerprint {
		return false, fmt.Errorf("segment %s can't get other messages: a new segment must replace it", r.Short())
	}
	if w.Start != r.Start || n != r.Nth || w.Fingerprint != r.Fingerprint || w.Topic != r.Topic || w.Named != r.Named || w.CutBy != r.CutBy {
		return false, nil
	}
	if w.End != c.s.messages || len(w.HashState) == 0 {
		return true, nil
	}
	var state []byte
	err := c.Rows("SELECT hash_state FROM task_segments WHERE rowid = ?", r.rowid).One(&state)
	return bytes.Equal(state, w.HashState), err
}

// leave removes the segments that leave. Those that a machine replaces are
// journaled one by one, those of a curator with the cut.
func (c *recutTx) leave() error {
	for _, id := range c.w.Retire {
		drop := c.deleteRow
		if c.w.Curator == "" {
			drop = c.retire
		}
		if err := drop(id); err != nil {
			return err
		}
	}
	return nil
}

func (im *importing) deleteRow(id string) error {
	return im.do("DELETE FROM task_segments WHERE id = ?", id)
}

// putRows updates, moves and inserts segments, so that their fingerprints never
// meet.
func (c *recutTx) putRows() error {
	var updates, inserts []*review.SegmentWrite
	var shifted []*cutRow
	var at []int
	for i := range c.next {
		switch n := &c.next[i]; {
		case n.w == nil:
			shifted, at = append(shifted, n.old), append(at, i)
		case n.old != nil:
			updates = append(updates, n.w)
		default:
			inserts = append(inserts, n.w)
		}
	}
	if err := c.parkAll(updates); err != nil {
		return err
	}
	for _, w := range updates {
		if err := c.recut(w); err != nil {
			return err
		}
	}
	if err := c.shift(shifted, at); err != nil {
		return err
	}
	for _, w := range inserts {
		if err := c.insertSegment(c.s.target, w); err != nil {
			return err
		}
	}
	return nil
}

// Only the last segment's hash state is of use: where none is given, what is
// there may stay.
const recutSQL = "UPDATE task_segments SET segment_index = ?, start_line = ?, end_line = ?, fingerprint = ?, nth = ?, topic = ?, named = ?, cut_by = ?, " +
	"updated_at = ?, hash_state = coalesce(?, hash_state) WHERE id = ?"

// recut brings a segment that stays to its place. Its marks, its analysis and
// its age are not touched.
func (im *importing) recut(w *review.SegmentWrite) error {
	state := w.HashState
	if len(state) == 0 {
		state = nil
	}
	return im.do(recutSQL, w.Index, w.Start, w.End, w.Fingerprint, max(w.Nth, 1), w.Topic, w.Named, w.CutBy, im.now, state, w.ID)
}

// state brings the session to its new state and checks that everything fits.
func (c *recutTx) state() error {
	segmented := c.w.Curator == "" && !c.w.PutsBack
	if !segmented {
		var st cutState
		for i := range c.next {
			if n := &c.next[i]; n.w == nil {
				st.add(n.old.CutBy, n.old.Verdict)
			} else if n.old == nil {
				st.add(n.w.CutBy, n.w.Verdict)
			} else {
				st.add(n.w.CutBy, n.old.Verdict)
			}
		}
		segmented = st.segmented(c.s.segmented)
	}
	held, settled := c.s.held, c.s.settled
	if c.w.Trail != nil {
		held, settled = c.w.Trail.Held, c.w.Trail.Settled
	}
	if err := c.sessionState(c.s, segmented, held, settled); err != nil {
		return err
	}
	if c.w.Trail != nil || c.changes() > 0 && c.tail == 0 {
		return c.heldIn(c.s)
	}
	return nil
}

// sessionState writes what cutting changes of a session, and checks that its
// segments cover it.
func (im *importing) sessionState(s *cutSession, segmented bool, held int, settled chat.Trace) error {
	const text = "UPDATE trajectory_records SET segmented = ?, held = ?, settled = ? WHERE id = ?"
	if err := im.do(text, segmented, held, traceIn{&settled}, s.session); err != nil {
		return err
	}
	return im.covered(s.target, s.messages)
}
