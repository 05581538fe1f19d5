package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/review"
	"winnow/core/train"
	"winnow/store/sqlite"
	"winnow/store/training"
)

const (
	putPromotionSQL = "INSERT INTO journal_promotions (entry, n, run_id, before, after) VALUES (?, ?, ?, ?, ?)"
	promotionsSQL   = "SELECT entry, run_id, before, after FROM journal_promotions WHERE entry IN (SELECT value FROM json_each(?)) ORDER BY entry, n"
)

// Promote says by f that the result of a run is the one to use, in place of that of
// another run. It is an entry of the journal, which its curator may undo.
func (s *Store) Promote(ctx context.Context, curator string, id int64, f func(*train.Run) error) (r train.Run, e review.Entry, err error) {
	const what = "promote a run"
	if curator == "" {
		return r, e, s.fail(what, errors.New("a promotion needs a curator: name one with --reviewer"))
	}
	f, refused := refusing(f)
	err = s.write(ctx, sqlite.Curator, what, func(t *tx) (err error) {
		e = review.Entry{Curator: curator, At: s.now(), Action: review.ActPromote}
		if r, e.Promotions, err = training.Promote(t.Tx, id, f); err == nil {
			err = t.newAction(&e)
		}
		if err == nil {
			err = t.putPromotions(e.ID, e.Promotions)
		}
		return err
	})
	return r, e, cmp.Or(*refused, err)
}

// unpromoting checks that the runs an entry changed are as it left or found them, so that
// what it did can be taken back or given again; nil if it has none.
func (t *tx) unpromoting(e *review.Entry) (apply func() error, err error) {
	of, err := promotionsOf(t.Rows, idList([]int64{e.Target}))
	list := of[e.Target]
	if err != nil || len(list) == 0 {
		return nil, err
	}
	for i := range list {
		if p := &list[i]; e.Action == review.ActUndo {
			p.Before, p.After = p.After, p.Before
		}
	}
	restand, why, err := training.Restand(t.Tx, list)
	if err == nil && why != "" {
		err = conflict(why)
	}
	if err != nil {
		return nil, err
	}
	return func() error {
		e.Promotions = list
		if err := restand(); err != nil {
			return err
		}
		return t.putPromotions(e.ID, list)
	}, nil
}

// putPromotions keeps what an entry did to runs.
func (t *tx) putPromotions(entry int64, list []train.Promotion) error {
	for n := range list {
		p := &list[n]
		before, err := standingText(p.Before)
		if err != nil {
			return err
		}
		after, err := standingText(p.After)
		if err != nil {
			return err
		}
		if _, err := t.Exec(putPromotionSQL, entry, n, p.Run, before, after); err != nil {
			return err
		}
	}
	return nil
}

func standingText(s train.Standing) (string, error) {
	data, err := json.Marshal(s, jsontext.AllowInvalidUTF8(true))
	return string(data), err
}

// promotionsOf returns what entries did to runs, a JSON list of their numbers.
func promotionsOf(ask training.Asks, entries string) (map[int64][]train.Promotion, error) {
	of := map[int64][]train.Promotion{}
	var entry int64
	var p train.Promotion
	var before, after string
	rows := ask(promotionsSQL, entries)
	for range rows.Into(&entry, &p.Run, &before, &after) {
		var err error
		if p.Before, err = readStanding(before); err == nil {
			p.After, err = readStanding(after)
		}
		if err != nil {
			return nil, fmt.Errorf("entry %d: run %d: %w: run winnow doctor", entry, p.Run, err)
		}
		of[entry] = append(of[entry], p)
	}
	return of, rows.Err()
}

// readStanding reads what the journal keeps of a run.
func readStanding(text string) (s train.Standing, err error) {
	return s, json.Unmarshal([]byte(text), &s, jsontext.AllowInvalidUTF8(true))
}
