package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"winnow/core/review"
)

// appendEntry adds an entry and its changes to the journal and sets its ID.
func (t *tx) appendEntry(e *review.Entry, at string) error {
	const text = "INSERT INTO journal (at, curator, action, target) VALUES (?, ?, ?, ?)"
	res, err := t.exec(text, at, e.Curator, string(e.Action), e.Target)
	if err != nil {
		return err
	}
	if e.ID, err = res.LastInsertId(); err != nil {
		return err
	}
	if e.Action == review.ActRetire {
		if err := t.lastPlaces(e.Changes); err != nil {
			return err
		}
	}
	return t.appendChanges(e.ID, e.Changes)
}

// lastPlaces notes what segments that are about to leave hold and, if they are
// judged, where it is kept.
func (t *tx) lastPlaces(changes []review.Change) error {
	const text = "SELECT fingerprint, detail, body, start_line, end_line FROM task_segments WHERE id = ?"
	for i := range changes {
		c := &changes[i]
		err := t.row(text, []any{c.Segment}, &c.Content.Fingerprint, &c.Content.Detail, &c.Body, &c.Start, &c.End)
		if err != nil {
			return err
		}
		if !c.Before.Verdict.Judged() {
			c.Body, c.Start, c.End = 0, 0, 0
		}
	}
	return nil
}

// changeBatch is the number of changes one statement inserts.
const changeBatch = 64

const (
	changeColumns = "segment_id, before, after, fingerprint, detail, body, start_line, end_line"
	insertChange  = "INSERT INTO journal_changes (entry, n, " + changeColumns + ") VALUES "
	changesSQL    = "SELECT " + changeColumns + " FROM journal_changes WHERE entry = ? ORDER BY n"
)

var (
	insertChangeOne   = insertChange + "(" + places(10) + ")"
	insertChangeBatch = insertChange + strings.TrimSuffix(strings.Repeat("("+places(10)+"), ", changeBatch), ", ")
)

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
			args = append(args, entry, at+i, c.Segment, before, after, c.Content.Fingerprint, c.Content.Detail)
			if c.Body == 0 {
				args = append(args, nil, nil, nil)
			} else {
				args = append(args, c.Body, c.Start, c.End)
			}
		}
		if _, err := t.exec(text, args...); err != nil {
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
	const text = "SELECT id, at, curator, action, target, undone FROM journal WHERE id < ? ORDER BY id DESC LIMIT ?"
	if before <= 0 {
		before = 1<<63 - 1
	}
	rows, err := s.readers.query(ctx, text, before, limit)
	if err != nil {
		return nil, s.fail("read the journal", err)
	}
	var list []review.Entry
	err = each(rows, func() error {
		list = append(list, review.Entry{})
		return scanEntry(rows.Scan, &list[len(list)-1])
	})
	for i := range list {
		if err != nil {
			break
		}
		if list[i].Changes, err = s.changesOf(ctx, list[i].ID); err == nil {
			list[i].Recut, err = s.recutOf(ctx, &list[i])
		}
	}
	return list, s.fail("read the journal", err)
}

// recutOf returns what an entry cut, or took back or gave again of what another
// one did; nil if neither.
func (s *Store) recutOf(ctx context.Context, e *review.Entry) (*review.Recut, error) {
	entry, from, to := e.ID, sideBefore, sideAfter
	switch e.Action {
	case review.ActAside:
		return nil, nil
	case review.ActUndo:
		entry, from, to = e.Target, sideAfter, sideBefore
	case review.ActRedo:
		entry = e.Target
	}
	r, err := scanRecut(func(dest ...any) error { return s.readers.row(ctx, recutRowSQL, []any{entry}, dest) })
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("entry %d: %w", entry, err)
	}
	return r.recut(from, to), nil
}

func scanEntry(scan func(...any) error, e *review.Entry) error {
	return scan(&e.ID, timeInto{&e.At}, &e.Curator, &e.Action, &e.Target, undoneInto{&e.Undone})
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

func (s *Store) changesOf(ctx context.Context, entry int64) ([]review.Change, error) {
	rows, err := s.readers.query(ctx, changesSQL, entry)
	if err != nil {
		return nil, err
	}
	return scanChanges(rows)
}

func scanChanges(rows *sql.Rows) ([]review.Change, error) {
	var list []review.Change
	marks := map[string]review.Mark{}
	mark := func(text string) (m review.Mark, err error) {
		m, ok := marks[text]
		if !ok {
			err = json.Unmarshal([]byte(text), &m)
			marks[text] = m
		}
		return m, err
	}
	err := each(rows, func() error {
		var c review.Change
		var before, after string
		var place [3]sql.NullInt64
		err := rows.Scan(&c.Segment, &before, &after, &c.Content.Fingerprint, &c.Content.Detail, &place[0], &place[1], &place[2])
		if err != nil {
			return err
		}
		var errs [2]error
		c.Before, errs[0] = mark(before)
		c.After, errs[1] = mark(after)
		c.Body, c.Start, c.End = place[0].Int64, int(place[1].Int64), int(place[2].Int64)
		list = append(list, c)
		return errors.Join(errs[:]...)
	})
	return list, err
}
