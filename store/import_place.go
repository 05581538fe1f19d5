package store

import (
	"database/sql"
	"errors"
	"fmt"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// free sees that no other session has the name of one.
func (im *importing) free(p place) error {
	var other string
	err := im.Row("SELECT id FROM trajectory_records WHERE source_agent_id = ? AND session_file = ?", []any{p.agent, p.file}, &other)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil && other != p.session {
		err = im.setAside(other)
	}
	return err
}

// rename gives a session's segments its name, which no other session has then.
func (im *importing) rename(p place) error {
	if err := im.free(p); err != nil {
		return err
	}
	_, err := im.Exec("UPDATE task_segments SET agent_id = ?, session_file = ? WHERE session_id = ?", p.agent, p.file, p.session)
	return err
}

// setAside gives a session of the source being written a name that nothing else
// has.
func (im *importing) setAside(id string) error {
	if err := im.note(id, false); err != nil {
		return err
	}
	file := im.path + "#s=" + id
	for _, text := range []string{
		"UPDATE trajectory_records SET session_file = ? WHERE id = ?",
		"UPDATE task_segments SET session_file = ? WHERE session_id = ?",
	} {
		if _, err := im.Exec(text, file, id); err != nil {
			return err
		}
	}
	return nil
}

// parent notes the id of a session's parent, which lies in the same source. A
// parent that gave no message is none.
func (im *importing) parent(p place, file string) error {
	const text = `UPDATE trajectory_records SET parent = coalesce((SELECT id FROM trajectory_records
		WHERE source_agent_id = ?1 AND session_file = ?2 AND id <> ?3), '') WHERE id = ?3`
	_, err := im.Exec(text, p.agent, file, p.session)
	return err
}

// marksSQL tells whether a curator left anything on a session, or others are
// copies of it.
const marksSQL = `(EXISTS (SELECT 1 FROM task_segments g WHERE g.session_id = r.id
	AND (g.verdict <> 'pending' OR g.note <> '' OR g.masked <> '' OR g.tags <> '' OR g.stale <> 0 OR g.named <> 0 OR g.cut_by = 'curator'))
	OR EXISTS (SELECT 1 FROM copies c WHERE c.session_id = r.id))`

// leave takes a session from its source: it is removed, or it stays without a
// source if a curator left something on it. One whose segments all went to
// another session holds nothing any more.
func (im *importing) leave(id string) error {
	var marked, holds bool
	var body int64
	const text = "SELECT body, " + marksSQL + ", EXISTS (SELECT 1 FROM task_segments g WHERE g.session_id = r.id) FROM trajectory_records r WHERE id = ?"
	err := im.Row(text, []any{id}, &body, &marked, &holds)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if !marked {
		return im.remove(id, body)
	}
	if err := im.recheckCopies(id, nil); err != nil {
		return err
	}
	if !holds {
		if err := im.uncopy(id); err != nil {
			return err
		}
		return im.remove(id, body)
	}
	if err := im.setAside(id); err != nil {
		return err
	}
	_, err = im.Exec("UPDATE trajectory_records SET source_id = NULL, touched = ? WHERE id = ?", im.number, id)
	return err
}

// uncopy forgets what is a copy of a session.
func (im *importing) uncopy(id string) error {
	for _, text := range []string{
		`UPDATE sources SET copies = copies - (SELECT count(*) FROM copies c WHERE c.source_id = sources.id AND c.session_id = ?1)
			WHERE id IN (SELECT source_id FROM copies WHERE session_id = ?1)`,
		"DELETE FROM copies WHERE session_id = ?1",
	} {
		if _, err := im.Exec(text, id); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes a session that nothing refers to.
func (im *importing) remove(id string, body int64) error {
	if err := im.note(id, false); err != nil {
		return err
	}
	if err := im.retireAll(id); err != nil {
		return err
	}
	if err := im.adopt(id, ""); err != nil {
		return err
	}
	if _, err := im.Exec("DELETE FROM trajectory_records WHERE id = ?", id); err != nil {
		return err
	}
	return im.dropBody(body, id)
}

// adopt gives the children of a session to another, "" for none. They are
// looked at again when kin are found.
func (im *importing) adopt(from, to string) error {
	_, err := im.Exec(adoptSQL, to, from, im.number)
	return err
}

const adoptSQL = "UPDATE trajectory_records SET parent = ?1, touched = ?3 WHERE parent = ?2 AND parent <> '' AND id <> ?1"

// retireAll retires the segments of a session.
func (im *importing) retireAll(id string) error {
	var ids []string
	rows, err := im.Query("SELECT id FROM task_segments WHERE session_id = ?", id)
	if err != nil {
		return err
	}
	err = sqlite.Each(rows, func() error {
		ids = append(ids, "")
		return rows.Scan(&ids[len(ids)-1])
	})
	for _, g := range ids {
		if err == nil {
			err = im.retire(g)
		}
	}
	return err
}

// recheckCopies sees that sources which hold copies of a session are read
// again, if it is not any more what they are copies of: w tells what it
// becomes, nil that it leaves. With a native id it may be any that is as long.
func (im *importing) recheckCopies(id string, w *hub.SessionWrite) error {
	var copied bool
	const text = `SELECT EXISTS (SELECT 1 FROM copies WHERE session_id = ?1)
		AND NOT EXISTS (SELECT 1 FROM trajectory_records WHERE id = ?1 AND ?2 AND (trace = ?3
			OR native_id <> '' AND NOT EXISTS (SELECT 1 FROM copies WHERE session_id = ?1 AND messages > ?4)))`
	var trace any
	messages := 0
	if w != nil {
		trace, messages = w.Trail.Trace.Bytes(), w.Session.Messages
	}
	if err := im.Row(text, []any{id, w != nil, trace, messages}, &copied); err != nil || !copied {
		return err
	}
	_, err := im.Exec("UPDATE sources SET mtime = 0, proof = '{}' WHERE id IN (SELECT source_id FROM copies WHERE session_id = ?)", id)
	return err
}

// vacate takes the place of another session for the one that is written: its
// name and its body. It returns the bodies that the session had and has now.
func (im *importing) vacate(w *hub.SessionWrite) (old, body int64, err error) {
	id := w.Session.ID
	if err = im.Row("SELECT body FROM trajectory_records WHERE id = ?", []any{id}, &old); err == nil {
		err = im.Row("SELECT body FROM trajectory_records WHERE id = ?", []any{w.From}, &body)
	}
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: one of two equal sessions no longer exists", review.ErrConflict)
	}
	if err != nil {
		return 0, 0, err
	}
	if err := im.note(w.From, false); err != nil {
		return 0, 0, err
	}
	if err := im.retireAll(w.From); err != nil {
		return 0, 0, err
	}
	if err := im.adopt(w.From, id); err != nil {
		return 0, 0, err
	}
	for _, text := range []string{
		"UPDATE copies SET session_id = ?1 WHERE session_id = ?2",
		"UPDATE bodies SET session_id = ?1 WHERE session_id = ?2",
		"DELETE FROM trajectory_records WHERE id = ?2 AND id <> ?1",
	} {
		if _, err := im.Exec(text, id, w.From); err != nil {
			return 0, 0, err
		}
	}
	_, err = im.Exec("UPDATE task_segments SET session_file = ? WHERE session_id = ?", w.Session.File, id)
	return old, body, err
}
