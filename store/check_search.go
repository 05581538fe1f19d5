package store

import (
	"database/sql"
	"errors"
	"fmt"

	"winnow/store/sqlite"
)

// search checks that what the text index is said to hold is in it: passages that
// cover all messages which can be found, each once.
func (c *checking) search() error {
	for body := int64(0); ; {
		err := c.conn.QueryRowContext(c.ctx, "SELECT id FROM bodies WHERE id > ? AND dropped = 0 ORDER BY id LIMIT 1", body).Scan(&body)
		if errors.Is(err, sql.ErrNoRows) {
			return c.lostPassages()
		}
		if err == nil {
			err = c.searchBody(body)
		}
		if err != nil {
			return err
		}
	}
}

func (c *checking) searchBody(body int64) error {
	// All in one view of the database: filling goes on meanwhile.
	read, err := c.conn.BeginTx(c.ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer read.Rollback()
	var is textState
	var outdated bool
	var stored int
	const text = "SELECT outdated, " + textColumns + `, coalesce((SELECT last FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1), 0)
		FROM bodies WHERE id = ? AND dropped = 0`
	err = read.QueryRowContext(c.ctx, text, messageID(body, 1), lastID(body), body).Scan(append(append([]any{&outdated}, is.dest()...), &stored)...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
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
		rows, err := read.QueryContext(c.ctx, "SELECT id FROM passages_docsize WHERE id BETWEEN ? AND ? ORDER BY id", passagesFrom(body, 0), lastPassage(body))
		if err != nil {
			return err
		}
		if wrong, err = covers(rows, &is); err != nil {
			return err
		}
	}
	if wrong != "" {
		c.report("search", fmt.Sprintf("body %d", body), func(t *tx) error {
			_, err := t.Exec("UPDATE bodies SET stored = ?, indexed = 0, part = 0, outdated = 1 WHERE id = ? AND changed = ?", stored, body, is.changed)
			return err
		}, "%s", wrong)
	}
	return nil
}

// covers says what is wrong with the passages of a body, "" for nothing.
func covers(rows *sql.Rows, is *textState) (wrong string, err error) {
	last, part := 0, 0 // what is covered; of the message behind last the first parts
	var id int64
	err = sqlite.Each(rows, func() error {
		err := rows.Scan(&id)
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
		return err
	})
	if part > 0 && is.indexed == last+1 {
		last, part = last+1, 0
	}
	if wrong == "" && (last != is.indexed || part != max(is.part, 0)) {
		wrong = fmt.Sprintf("messages 1 to %d are said to be indexed, 1 to %d are", is.indexed, last)
	}
	return wrong, err
}

// lostPassages looks for passages of bodies that are not there.
func (c *checking) lostPassages() error {
	const next = "SELECT id, EXISTS (SELECT 1 FROM bodies b WHERE b.id = t.id >> 35 AND b.dropped < 2) FROM passages_docsize t WHERE id >= ? ORDER BY id LIMIT 1"
	for at := int64(0); ; {
		var known bool
		err := c.conn.QueryRowContext(c.ctx, next, at).Scan(&at, &known)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		body := passageOf(at).body
		if !known {
			c.report("orphans", fmt.Sprintf("body %d", body), func(t *tx) error {
				_, err := t.removePassages(passagesFrom(body, 0), lastPassage(body), -1)
				return err
			}, "passages of a session that is not there")
		}
		at = lastPassage(body) + 1
	}
}
