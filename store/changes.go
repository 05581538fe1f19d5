package store

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"io"

	"winnow/core/hub"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// importWrite runs a transaction of an import and returns what it did to
// sessions.
func (s *Store) importWrite(ctx context.Context, what string, f func(*importing) error) (done []hub.Change, err error) {
	err = s.write(ctx, sqlite.Machine, what, func(t *tx) error {
		im := &importing{tx: t, ids: s.ids, now: stamp.Of(s.now()), was: map[string]hub.Extent{}}
		err := f(im)
		if err == nil {
			err = im.heads.flush(t)
		}
		if err == nil {
			done, err = im.changes()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return done, nil
}

// note remembers how a session was before the transaction, which is about to
// make it, to change it or to remove it.
func (im *importing) note(id string, isNew bool) error {
	if _, known := im.was[id]; known || im.was == nil {
		return nil
	}
	var found map[string]hub.Extent
	if !isNew {
		var err error
		if found, err = im.extents(id); err != nil {
			return err
		}
	}
	im.was[id] = found[id]
	return nil
}

// changes returns what the transaction did to sessions.
func (im *importing) changes() ([]hub.Change, error) {
	ids := make([]string, 0, len(im.was))
	for id := range im.was {
		ids = append(ids, id)
	}
	is, err := im.extents(ids...)
	list := make([]hub.Change, len(ids))
	for i, id := range ids {
		list[i] = hub.Change{ID: id, Was: im.was[id], Is: is[id]}
	}
	return list, err
}

const extentsSQL = `SELECT id, messages, native_id, CASE parent_kind WHEN 'branch' THEN parent ELSE '' END,
	session_file, title, model, ended, coalesce(trace, ''), messages FROM trajectory_records WHERE id IN (SELECT value FROM json_each(?))`

// extents returns what counts of the sessions that are there.
func (im *importing) extents(ids ...string) (map[string]hub.Extent, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	found := make(map[string]hub.Extent, len(ids))
	var id string
	var e hub.Extent
	var told [6]string
	rows := im.Rows(extentsSQL, string(list))
	for range rows.Into(&id, &e.Messages, &e.Kin[0], &e.Kin[1], &told[0], &told[1], &told[2], &told[3], &told[4], &told[5]) {
		h := fnv.New64a()
		for _, text := range told {
			io.WriteString(h, text)
			h.Write([]byte{0})
		}
		e.Sum = h.Sum64() | 1
		found[id] = e
	}
	return found, rows.Err()
}
