package text

import (
	"context"
	"fmt"

	"winnow/store/sqlite"
)

// Checker looks for what is wrong with the index.
type Checker struct {
	DB *sqlite.DB
	// StoredSQL says how many messages of a row of bodies are stored.
	StoredSQL string
	// Report is told the rule that is broken, where, what is wrong, and how to put
	// it right.
	Report func(rule, where, wrong string, fix func(*sqlite.Tx) error)
}

// Check checks that what the index is said to hold is in it: passages that cover
// all messages which can be found, each once.
func (c *Checker) Check(ctx context.Context) error {
	for body := int64(0); ; {
		there, err := c.DB.Rows(ctx, "SELECT id FROM bodies WHERE id > ? AND dropped = 0 ORDER BY id LIMIT 1", body).Maybe(&body)
		if err == nil && !there {
			return c.lost(ctx)
		}
		if err == nil { // in one view of the database: filling goes on meanwhile
			err = c.DB.Read(ctx, func(v *sqlite.View) error { return c.body(v, body) })
		}
		if err != nil {
			return err
		}
	}
}

func (c *Checker) body(v *sqlite.View, body int64) error {
	var is state
	var outdated bool
	var stored int
	text := "SELECT outdated, " + c.StoredSQL + ", " + stateColumns + " FROM bodies WHERE id = ? AND dropped = 0"
	there, err := v.Rows(text, body).Maybe(append([]any{&outdated, &stored}, is.dest()...)...)
	if err != nil || !there {
		return err
	}
	wrong := ""
	switch {
	case is.stored != stored:
		wrong = fmt.Sprintf("%d messages are said to be stored, %d are", is.stored, stored)
	case is.indexed > is.stored:
		wrong = fmt.Sprintf("%d messages of %d are said to be indexed", is.indexed, is.stored)
	case outdated:
		return nil // some passages wait to be removed
	}
	if wrong == "" {
		rows := v.Rows("SELECT id FROM passages_docsize WHERE id BETWEEN ? AND ? ORDER BY id", passagesFrom(body, 0), lastPassage(body))
		if wrong, err = covers(rows, &is); err != nil {
			return err
		}
	}
	if wrong != "" {
		c.Report("search", fmt.Sprintf("body %d", body), wrong, func(t *sqlite.Tx) error {
			_, err := t.Exec("UPDATE bodies SET stored = ?, indexed = 0, part = 0, outdated = 1 WHERE id = ? AND changed = ?", stored, body, is.changed)
			return err
		})
	}
	return nil
}

// covers says what is wrong with the passages of a body, "" for nothing.
func covers(rows *sqlite.Rows, is *state) (wrong string, err error) {
	last, part := 0, 0 // what is covered; of the message after last the first parts
	var id int64
	for range rows.Into(&id) {
		p := passageOf(id)
		if p.first != last+1 && part > 0 { // that was the last part
			last, part = last+1, 0
		}
		switch {
		case p.first == last+1 && p.part == part+1:
			part++
		case p.first == last+1 && p.part == 0 && part == 0:
			last = p.last
		case wrong == "":
			wrong = fmt.Sprintf("message %d is indexed where message %d is next", p.first, last+1)
		}
	}
	if part > 0 && is.indexed == last+1 {
		last, part = last+1, 0
	}
	if wrong == "" && (last != is.indexed || part != max(is.part, 0)) {
		wrong = fmt.Sprintf("messages 1 to %d are said to be indexed, 1 to %d are", is.indexed, last)
	}
	return wrong, rows.Err()
}

// lost looks for passages of bodies that are not there.
func (c *Checker) lost(ctx context.Context) error {
	const next = "SELECT id, EXISTS (SELECT 1 FROM bodies b WHERE b.id = t.id >> 35 AND b.dropped < 2) FROM passages_docsize t WHERE id >= ? ORDER BY id LIMIT 1"
	for at := int64(0); ; {
		var known bool
		there, err := c.DB.Rows(ctx, next, at).Maybe(&at, &known)
		if err != nil || !there {
			return err
		}
		body := passageOf(at).body
		if !known {
			c.Report("orphans", fmt.Sprintf("body %d", body), "passages of a session that is not there", func(t *sqlite.Tx) error {
				_, err := remove(t, body, 0, -1)
				return err
			})
		}
		at = lastPassage(body) + 1
	}
}
