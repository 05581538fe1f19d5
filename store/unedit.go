package store

import (
	"context"
	"fmt"
	"slices"

	"winnow/core/edit"
	"winnow/core/review"
	"winnow/store/sqlite"
)

const (
	journalEditColumns = "session_id, body, n, part, before, after"
	journalEditsSQL    = "SELECT " + journalEditColumns + " FROM journal_edits WHERE entry = ? ORDER BY k"
)

// placeChanges reads what an entry did to places.
func placeChanges(rows *sqlite.Rows) (list []placeChange, err error) {
	var c placeChange
	var before, after string
	for range rows.Into(&c.session, &c.Body, &c.N, &c.Part, orNull[string]{&before}, orNull[string]{&after}) {
		one := c
		if one.before, err = editKept(before, one.Place); err == nil {
			one.after, err = editKept(after, one.Place)
		}
		if err != nil {
			return nil, fmt.Errorf("edits in the journal: %w", err)
		}
		list = append(list, one)
	}
	return list, rows.Err()
}

// EditsOf returns what an entry of the journal did to messages; what it took back
// or gave again of an undo or redo.
func (s *Store) EditsOf(ctx context.Context, e *review.Entry) ([]review.Edited, error) {
	changes, err := placeChanges(s.db.Rows(ctx, journalEditsSQL, cutBehind(e)))
	if e.Action == review.ActUndo {
		turnAround(changes)
	}
	return editsOf(changes), s.fail("read the journal", err)
}

func turnAround(changes []placeChange) {
	for i := range changes {
		c := &changes[i]
		c.before, c.after = c.after, c.before
	}
}

// unediting checks that the places an entry edited, and the segments that hold
// them, are as it left or found them, so that the edits can be taken back or given
// again; nil if the entry has none.
func (t *tx) unediting(e *review.Entry) (*editing, error) {
	changes, err := placeChanges(t.Rows(journalEditsSQL, e.Target))
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	if e.Action == review.ActUndo {
		turnAround(changes)
	}
	p := &editing{tx: t, entry: e, changes: changes}
	read := recordedSums{tx: t}
	for i := range changes {
		if err := p.asLeft(&changes[i], &read); err != nil {
			return nil, err
		}
	}
	p.rows, err = t.unchanged(e.Changes, p.contentThen)
	return p, err
}

// asLeft checks that a place is as it was before a change, and finds out whether
// what comes there clashes.
func (p *editing) asLeft(c *placeChange, read *recordedSums) error {
	var body int64
	if _, err := p.Rows("SELECT body FROM trajectory_records WHERE id = ?", c.session).Maybe(&body); err != nil {
		return err
	}
	if body != c.Body {
		return conflict(fmt.Sprintf("the session of message %d was written anew since", c.N))
	}
	now, err := p.editAt(c.Place)
	if err != nil {
		return err
	}
	is, err := keptText(now)
	if err != nil {
		return err
	}
	was, err := keptText(c.before)
	if err != nil {
		return err
	}
	if is != was {
		return p.onTop(c)
	}
	if c.after == nil {
		return nil
	}
	recorded, err := read.sum(c.Body, c.N)
	c.after.Clash = recorded != c.after.Base
	return err
}

// onTop is the refusal that names the entry which edited a place last.
func (p *editing) onTop(c *placeChange) error {
	var id int64
	var curator string
	const text = `SELECT j.id, j.curator FROM journal_edits e JOIN journal j ON j.id = e.entry
		WHERE e.body = ? AND e.n = ? AND e.part = ? ORDER BY j.undone IN (0, 3) DESC, j.id DESC LIMIT 1`
	found, err := p.Rows(text, c.Body, c.N, c.Part).Maybe(&id, &curator)
	if err != nil {
		return err
	}
	if !found || id == p.entry.Target {
		return conflict(fmt.Sprintf("message %d is edited otherwise by now", c.N))
	}
	return conflict(fmt.Sprintf("message %d was edited by %s since, with entry %d", c.N, curator, id))
}

// contentThen is what a segment will hold when the changes are made. An undo gives
// a verdict back onto the content it was given on; a redo makes the same edit of
// the same content.
func (p *editing) contentThen(c *review.Change, row *judgedRow) (now, known bool, err error) {
	if p.entry.Action == review.ActRedo {
		return row.content == c.Content, c.Before.Verdict.Judged(), nil
	}
	h := heldSegment{id: c.Segment, content: row.content}
	const text = "SELECT body, start_line, end_line FROM task_segments WHERE id = ?"
	if err := p.Rows(text, c.Segment).One(&h.body, &h.start, &h.end); err != nil {
		return false, false, err
	}
	edits, err := p.editsNow(h.body, h.start, h.end)
	if err != nil {
		return false, false, err
	}
	then := row.content
	then.Edited = edit.Digest(row.content, h.start, withChanges(edits, p.changes, &h))
	return then == c.Content, c.After.Verdict.Judged(), nil
}

// withChanges are the edits over a segment when changes, in the order of their
// places, are made.
func withChanges(edits []edit.Edit, changes []placeChange, h *heldSegment) []edit.Edit {
	at := make(map[edit.Place]int, len(edits))
	for i := range edits {
		at[edits[i].Place] = i
	}
	from := edit.Place{Body: h.body, N: h.start}
	if h.start == 1 {
		from.N = 0
	}
	first, _ := slices.BinarySearchFunc(changes, from, func(c placeChange, p edit.Place) int { return comparePlaces(c.Place, p) })
	var added []edit.Edit
	for i := first; i < len(changes) && changes[i].Body == h.body && changes[i].N <= h.end; i++ {
		c := &changes[i]
		k, there := at[c.Place]
		switch {
		case there && c.after != nil:
			edits[k] = *c.after
		case there:
			edits[k].Clash = true // as if it were not there
		case c.after != nil:
			added = append(added, *c.after)
		}
	}
	all := append(edits, added...)
	sortEdits(all)
	return all
}

// reverseEdits is what applies an undo or redo of edits.
func (p *editing) reverseEdits() error {
	held, err := p.holding(p.changes)
	if err != nil {
		return err
	}
	p.entry.Edits = editsOf(p.changes)
	return p.put(held)
}
