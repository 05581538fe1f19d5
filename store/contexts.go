package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"winnow/core/review"
	"winnow/store/sqlite"
)

const contextsSQL = "SELECT n, keeps FROM contexts WHERE body = ? AND n BETWEEN ? AND ? ORDER BY n"

// Contexts returns from which of the recorded messages from..to of a body on a model
// saw less than all that was before, in their order.
func (s *Store) Contexts(ctx context.Context, body int64, from, to int) ([]review.Context, error) {
	list, err := contextsAmong(s.db.Rows(ctx, contextsSQL, body, from, to))
	return list, s.fail("read compactions", err)
}

func contextsAmong(rows *sqlite.Rows) ([]review.Context, error) {
	type row struct {
		n     int
		keeps *string
	}
	list, err := sqlite.List(rows, func(r *row) []any { return []any{&r.n, &r.keeps} })
	var all []review.Context
	for i := range list {
		c := review.Context{N: list[i].n}
		if keeps := list[i].keeps; keeps != nil {
			c.Keeps, c.Known = runsFrom(*keeps)
		}
		all = append(all, c)
	}
	return all, err
}

// runsFrom reads '1-1,57-63'.
func runsFrom(text string) (runs [][2]int, ok bool) {
	for part := range strings.SplitSeq(text, ",") {
		var run [2]int
		if text == "" {
			break
		}
		if n, err := fmt.Sscanf(part, "%d-%d", &run[0], &run[1]); n != 2 || err != nil {
			return nil, false
		}
		runs = append(runs, run)
	}
	return runs, true
}

// keepsOf is what is stored of a context, nil if nothing is known.
func keepsOf(c *review.Context) *string {
	if !c.Known {
		return nil
	}
	var parts []string
	for _, run := range c.Keeps {
		parts = append(parts, fmt.Sprintf("%d-%d", run[0], run[1]))
	}
	text := strings.Join(parts, ",")
	return &text
}

// contexts notes the compactions among messages of a body.
func (t *tx) contexts(body int64, list []review.Context) error {
	for i := range list {
		if err := t.do("INSERT INTO contexts (body, n, keeps) VALUES (?, ?, ?)", body, list[i].N, keepsOf(&list[i])); err != nil {
			return err
		}
	}
	return nil
}

// contexts compares the compactions among the messages with what is kept of them.
func (c *sessionCheck) contexts() error {
	if !c.text {
		return nil
	}
	kept, err := contextsAmong(c.rows(contextsSQL, c.row.Body, 0, maxMessages))
	same := func(a, b review.Context) bool {
		return a.N == b.N && a.Known == b.Known && slices.Equal(a.Keeps, b.Keeps)
	}
	if err != nil || slices.EqualFunc(kept, c.compacted, same) {
		return err
	}
	body, want := c.row.Body, c.compacted
	c.problem("contexts", func(t *tx) error {
		if err := t.do("DELETE FROM contexts WHERE body = ?", body); err != nil {
			return err
		}
		return t.contexts(body, want)
	}, "what %d compactions kept is known otherwise than the messages tell, which have %d", len(kept), len(want))
	return nil
}
