package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"winnow/core/chat"
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
	err = eachPlaceChange(rows, nil, func(c placeChange) { list = append(list, c) })
	return list, err
}

// eachPlaceChange calls f with rows of journalEditColumns; first is where the columns
// before theirs go.
func eachPlaceChange(rows *sqlite.Rows, first []any, f func(placeChange)) error {
	var c placeChange
	var before, after string
	fields := []any{&c.session, &c.Body, &c.N, &c.Part, orNull[string]{&before}, orNull[string]{&after}}
	for range rows.Into(append(first, fields...)...) {
		one := c
		var errs [2]error
		one.before, errs[0] = editKept(before, one.Place)
		one.after, errs[1] = editKept(after, one.Place)
		if err := errors.Join(errs[:]...); err != nil {
			return fmt.Errorf("edits in the journal: %w", err)
		}
		f(one)
	}
	return rows.Err()
}

const editsOfSQL = "SELECT entry, " + journalEditColumns + " FROM journal_edits WHERE entry IN (SELECT value FROM json_each(?)) AND k < ? ORDER BY entry, k"

// editsOfEntries returns what entries did to messages, at most of each.
func (s *Store) editsOfEntries(ctx context.Context, entries []int64, most int) (map[int64][]placeChange, error) {
	of := map[int64][]placeChange{}
	if len(entries) == 0 {
		return of, nil
	}
	var entry int64
	err := eachPlaceChange(s.db.Rows(ctx, editsOfSQL, idList(entries), most), []any{&entry}, func(c placeChange) { of[entry] = append(of[entry], c) })
	return of, err
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
	if p.held, err = p.holding(changes); err == nil {
		err = p.keepsSome()
	}
	if err == nil {
		err = p.heldNow()
	}
	if err == nil {
		p.rows, err = t.unchanged(e.Changes, p.contentThen)
	}
	return p, err
}

// heldNow brings the changes of marks in line with the segments that hold the places
// now. Others may have taken the place of those that were edited and not judged: that
// is no reason to refuse, unless they are judged.
func (p *editing) heldNow() error {
	e := p.entry
	ids := make([]string, 0, len(e.Changes)+len(p.held))
	known := make(map[string]bool, len(e.Changes))
	for i := range e.Changes {
		ids = append(ids, e.Changes[i].Segment)
		known[e.Changes[i].Segment] = true
	}
	for i := range p.held {
		ids = append(ids, p.held[i].id)
	}
	rows, err := p.judged(ids)
	if err != nil {
		return err
	}
	e.Changes = slices.DeleteFunc(e.Changes, func(c review.Change) bool {
		return rows[c.Segment] == nil && c.Before == c.After && !c.Before.Verdict.Judged()
	})
	for i := range p.held {
		id := p.held[i].id
		row := rows[id]
		if known[id] {
			continue
		}
		if row == nil {
			return unlisted(id)
		}
		if row.mark.Verdict.Judged() {
			return &since{segment: id, what: "was judged"}
		}
		e.Changes = append(e.Changes, review.Change{Segment: id, Before: row.mark, After: row.mark, Content: row.content})
	}
	return nil
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
	recorded := &chat.Message{}
	if c.N > 0 {
		if recorded, err = read.message(c.Body, c.N); errors.Is(err, review.ErrNotFound) {
			err = conflict(fmt.Sprintf("message %d is not there any more", c.N))
		}
		if err != nil {
			return err
		}
	}
	if c.after != nil {
		c.after.Clash = c.N > 0 && chat.SumOf(recorded) != c.after.Base
		if c.after.Clash && p.entry.Action == review.ActRedo {
			return conflict(fmt.Sprintf("message %d is another one by now", c.N))
		}
	}
	if c.Part > 0 {
		recorded = nil
	}
	c.titles = titlesOf(c.before, c.after, recorded)
	return nil
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
	p.entry.Edits = editsOf(p.changes)
	return p.put()
}
