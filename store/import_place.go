package store

import (
	"fmt"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// free sees that no other session has the name of one.
func (im *importing) free(p target) error {
	var other string
	found, err := im.Rows("SELECT id FROM trajectory_records WHERE source_agent_id = ? AND session_file = ?", p.agent, p.file).Maybe(&other)
	if found && other != p.session {
		err = im.setAside(other)
	}
	return err
}

// rename gives a session's segments its name, which no other session has then.
func (im *importing) rename(p target) error {
	if err := im.free(p); err != nil {
		return err
	}
	return im.do("UPDATE task_segments SET agent_id = ?, session_file = ? WHERE session_id = ?", p.agent, p.file, p.session)
}

// setAside gives a session of the source being written a name that nothing else
// has.
func (im *importing) setAside(id string) error {
	if err := im.note(id, false); err != nil {
		return err
	}
	return im.renameSession(id, im.path+"#s="+id)
}

// parent notes the id of a session's parent, which lies in the same source. A
// parent that gave no message is none.
func (im *importing) parent(p target, file string) error {
	return im.do(`UPDATE trajectory_records SET parent = coalesce((SELECT id FROM trajectory_records
		WHERE source_agent_id = ?1 AND session_file = ?2 AND id <> ?3), '') WHERE id = ?3`, p.agent, file, p.session)
}

// marksSQL tells whether a curator left anything on a session, or others are
// copies of it.
const marksSQL = `(EXISTS (SELECT 1 FROM task_segments g WHERE g.session_id = r.id
	AND (g.verdict <> 'pending' OR g.note <> '' OR g.masked <> '' OR g.tags <> '' OR g.stale <> 0 OR g.named <> 0 OR g.cut_by = 'curator'))
	OR EXISTS (SELECT 1 FROM copies c WHERE c.session_id = r.id))`

// editedSQL tells whether a curator edited any message of a session.
const editedSQL = "EXISTS (SELECT 1 FROM bodies b WHERE b.id = r.body AND b.edits > 0)"

// leave takes a session from its source: it is removed, or it stays without a
// source if a curator left something on it. One whose segments all went to
// another session holds nothing any more.
func (im *importing) leave(id string) error {
	var marked, holds, edited, whole bool
	var body int64
	const text = "SELECT body, " + marksSQL + ", EXISTS (SELECT 1 FROM task_segments g WHERE g.session_id = r.id), " + editedSQL + `,
		(SELECT coalesce(sum(g.messages), 0) FROM task_segments g WHERE g.session_id = r.id) = messages FROM trajectory_records r WHERE id = ?`
	if found, err := im.Rows(text, id).Maybe(&body, &marked, &holds, &edited, &whole); err != nil || !found {
		return err
	}
	// Where segments went to other sessions, what is left of them goes into the
	// journal; edits go with their messages.
	if !marked && !edited || holds && !whole {
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
	return im.do("UPDATE trajectory_records SET source_id = NULL, touched = ? WHERE id = ?", im.number, id)
}

// uncopy forgets what is a copy of a session.
func (im *importing) uncopy(id string) error {
	return im.run([]any{id}, `UPDATE sources SET copies = copies - (SELECT count(*) FROM copies c WHERE c.source_id = sources.id AND c.session_id = ?1)
			WHERE id IN (SELECT source_id FROM copies WHERE session_id = ?1)`, "DELETE FROM copies WHERE session_id = ?1")
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
	if err := im.formerly(body, 0, 0); err != nil {
		return err
	}
	if err := im.do("DELETE FROM trajectory_records WHERE id = ?", id); err != nil {
		return err
	}
	return im.dropBody(body, id)
}

// adopt gives the children of a session to another, "" for none. They are
// looked at again when kin are found.
func (im *importing) adopt(from, to string) error {
	return im.do(adoptSQL, to, from, im.number)
}

// The + keeps SQLite from comparing the value with what partial indexes are of:
// it would prepare the statement anew for each.
const adoptSQL = "UPDATE trajectory_records SET parent = ?1, touched = ?3 WHERE parent = +?2 AND parent <> '' AND id <> ?1"

// retireAll retires the segments of a session.
func (im *importing) retireAll(id string) error {
	ids, err := sqlite.Column[string](im.Rows("SELECT id FROM task_segments WHERE session_id = ?", id))
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
	if err := im.Rows(text, id, w != nil, trace, messages).One(&copied); err != nil || !copied {
		return err
	}
	return im.do(againSQL+"id IN (SELECT source_id FROM copies WHERE session_id = ?)", id)
}

// vacate takes the place of another session for the one that is written: its
// name and its body. It returns the bodies that the session had and has now.
func (im *importing) vacate(w *hub.SessionWrite) (old, body int64, err error) {
	id := w.Session.ID
	const both = "SELECT a.body, b.body FROM trajectory_records a, trajectory_records b WHERE a.id = ? AND b.id = ?"
	found, err := im.Rows(both, id, w.From).Maybe(&old, &body)
	if err == nil && !found {
		err = fmt.Errorf("%w: one of two equal sessions no longer exists", review.ErrConflict)
	}
	if err != nil {
		return 0, 0, err
	}
	if err = im.note(w.From, false); err == nil {
		err = im.retireAll(w.From)
	}
	if err == nil {
		err = im.adopt(w.From, id)
	}
	if err == nil {
		err = im.run([]any{id, w.From}, "UPDATE copies SET session_id = ?1 WHERE session_id = ?2",
			"UPDATE bodies SET session_id = ?1 WHERE session_id = ?2", "DELETE FROM trajectory_records WHERE id = ?2 AND id <> ?1")
	}
	if err == nil {
		err = im.do("UPDATE task_segments SET session_file = ? WHERE session_id = ?", w.Session.File, id)
	}
	return old, body, err
}
