package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"winnow/core/review"
	"winnow/store/memories"
	"winnow/store/proposals"
	"winnow/store/sqlite"
)

// appendEntry adds an entry and its changes to the journal and sets its ID.
func (t *tx) appendEntry(e *review.Entry, at string) error {
	var err error
	if e.ID, err = t.insert("INSERT INTO journal (at, curator, action, target, note) VALUES (?, ?, ?, ?, ?)", at, e.Curator, e.Action, e.Target, e.Note); err != nil {
		return err
	}
	return t.appendChanges(e.ID, e.Changes)
}

// lastPlace notes what a segment that is about to leave holds and, if it is judged,
// where that is kept.
func (t *tx) lastPlace(c *review.Change) error {
	const text = "SELECT fingerprint, detail, edited, body, start_line, end_line FROM task_segments WHERE id = ?"
	err := t.Rows(text, c.Segment).One(&c.Content.Fingerprint, &c.Content.Detail, &c.Content.Edited, &c.Body, &c.Start, &c.End)
	if !c.Before.Verdict.Judged() {
		c.Body, c.Start, c.End = 0, 0, 0
	}
	return err
}

// changeBatch is the number of changes one statement inserts.
const changeBatch = 64

const (
	changeColumns = "segment_id, before, after, fingerprint, detail, edited, body, start_line, end_line"
	insertChange  = "INSERT INTO journal_changes (entry, n, " + changeColumns + ") VALUES "
	changesSQL    = "SELECT " + changeColumns + " FROM journal_changes WHERE entry = ? ORDER BY n"
)

var (
	insertChangeOne   = insertChange + "(" + places(11) + ")"
	insertChangeBatch = insertChange + strings.TrimSuffix(strings.Repeat("("+places(11)+"), ", changeBatch), ", ")
)

func changeFields(c *review.Change, before, after *string) []any {
	return []any{&c.Segment, before, after, &c.Content.Fingerprint, &c.Content.Detail, &c.Content.Edited, orNull[int64]{&c.Body}, orNull[int]{&c.Start}, orNull[int]{&c.End}}
}

func (t *tx) appendChanges(entry int64, changes []review.Change) error {
	texts := markTexts{}
	for at := 0; at < len(changes); {
		n, text := 1, insertChangeOne
		if len(changes)-at >= changeBatch {
			n, text = changeBatch, insertChangeBatch
		}
		var args []any
		for i := range changes[at : at+n] {
			c := &changes[at+i]
			before, err := texts.of(c.Before)
			if err != nil {
				return err
			}
			after, err := texts.of(c.After)
			if err != nil {
				return err
			}
			args = append(append(args, entry, at+i), changeFields(c, &before, &after)...)
		}
		if err := t.do(text, args...); err != nil {
			return err
		}
		at += n
	}
	return nil
}

// markTexts keeps the JSON of marks: a bulk action has thousands of equal
// ones.
type markTexts map[review.Mark]string

func (texts markTexts) of(m review.Mark) (string, error) {
	if text, ok := texts[m]; ok {
		return text, nil
	}
	text, err := json.Marshal(m)
	if err != nil {
		return "", err
	}
	texts[m] = string(text)
	return string(text), nil
}

// Journal returns entries with their changes and recuts, the newest first: up
// to limit of them older than the entry before (0 begins with the newest).
func (s *Store) Journal(ctx context.Context, before int64, limit int) ([]review.Entry, error) {
	list, err := s.entries(ctx, review.JournalQuery{After: before, Limit: limit})
	if err == nil {
		err = s.complete(ctx, list, math.MaxInt32)
	}
	return list, s.fail("read the journal", err)
}

// complete gives entries their changes, edits, proposals and memories, at most of each,
// their recuts and promotions: with six statements, however many entries there are.
func (s *Store) complete(ctx context.Context, list []review.Entry, most int) error {
	ids, cuts := make([]int64, len(list)), make([]int64, 0, len(list))
	for i := range list {
		e := &list[i]
		ids[i] = e.ID
		if cut := cutBehind(e); cut != 0 {
			cuts = append(cuts, cut)
		}
	}
	changes, err := s.changesOf(ctx, ids, most)
	if err != nil {
		return err
	}
	recuts, err := s.recutsOf(ctx, cuts)
	if err != nil {
		return err
	}
	edits, err := s.editsOfEntries(ctx, cuts, most)
	if err != nil {
		return err
	}
	compressed, err := proposals.ChangesOf(s.asks(ctx), idList(ids), most)
	if err != nil {
		return err
	}
	learned, err := memories.ChangesOf(s.asks(ctx), idList(ids), most)
	if err != nil {
		return err
	}
	promoted, err := promotionsOf(s.asks(ctx), idList(ids))
	if err != nil {
		return err
	}
	for i := range list {
		e := &list[i]
		e.Changes, e.Proposals, e.Memories, e.Promotions = changes[e.ID], compressed[e.ID], learned[e.ID], promoted[e.ID]
		if made := edits[cutBehind(e)]; len(made) > 0 {
			if made = slices.Clone(made); e.Action == review.ActUndo {
				turnAround(made)
			}
			e.Edits = editsOf(made)
		}
		if r := recuts[cutBehind(e)]; r != nil && e.Action == review.ActUndo {
			e.Recut = r.recut(sideAfter, sideBefore)
		} else if r != nil {
			e.Recut = r.recut(sideBefore, sideAfter)
		}
	}
	return nil
}

// cutBehind is the entry whose boundaries an entry made, took back or gave
// again; 0 for one that did neither.
func cutBehind(e *review.Entry) int64 {
	switch e.Action {
	case review.ActAside:
		return 0
	case review.ActUndo, review.ActRedo:
		return e.Target
	}
	return e.ID
}

func entryFields(e *review.Entry) []any {
	return []any{&e.ID, timeIn(&e.At), &e.Curator, &e.Action, &e.Target, undoneInto{&e.Undone}, &e.Note}
}

// undoneInto scans the column journal.undone, which tells more than a caller
// needs.
type undoneInto struct{ to *bool }

// Scan implements sql.Scanner.
func (u undoneInto) Scan(v any) error {
	n, ok := v.(int64)
	*u.to = n == undone || n == cutOff
	if !ok {
		return fmt.Errorf("journal.undone is %T", v)
	}
	return nil
}

const changesOfSQL = "SELECT entry, " + changeColumns + " FROM journal_changes WHERE entry IN (SELECT value FROM json_each(?)) AND n < ? ORDER BY entry, n"

// changesOf returns the changes of entries, at most of each.
func (s *Store) changesOf(ctx context.Context, entries []int64, most int) (map[int64][]review.Change, error) {
	of := map[int64][]review.Change{}
	var entry int64
	err := eachChange(s.db.Rows(ctx, changesOfSQL, idList(entries), most), []any{&entry}, func(c review.Change) { of[entry] = append(of[entry], c) })
	return of, err
}

const recutsOfSQL = recutsSQL + "entry IN (SELECT value FROM json_each(?))"

// recutsOf returns the recuts of entries that have one.
func (s *Store) recutsOf(ctx context.Context, entries []int64) (map[int64]*recutRow, error) {
	of := map[int64]*recutRow{}
	if len(entries) == 0 {
		return of, nil
	}
	err := eachRecut(s.db.Rows(ctx, recutsOfSQL, idList(entries)), func(entry int64, r *recutRow) { of[entry] = r })
	return of, err
}

// idList is a list of numbers for json_each.
func idList(ids []int64) string {
	text := []byte{'['}
	for i, id := range ids {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, id, 10)
	}
	return string(append(text, ']'))
}

// eachChange scans rows of changes; first is where the columns before theirs
// go.
func eachChange(rows *sqlite.Rows, first []any, f func(review.Change)) error {
	marks := map[string]review.Mark{}
	mark := func(text string) (m review.Mark, err error) {
		m, ok := marks[text]
		if !ok {
			err = json.Unmarshal([]byte(text), &m)
			marks[text] = m
		}
		return m, err
	}
	var c review.Change
	var before, after string
	for range rows.Into(append(first, changeFields(&c, &before, &after)...)...) {
		var errs [2]error
		c.Before, errs[0] = mark(before)
		c.After, errs[1] = mark(after)
		if err := errors.Join(errs[:]...); err != nil {
			return err
		}
		f(c)
	}
	return rows.Err()
}
