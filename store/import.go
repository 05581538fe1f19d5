package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/session"
)

// WriteImport applies all writes in one transaction, or none of them. It
// returns the source ids in the same order and fills in the ids of the
// segments it inserted.
//
// A write that goes on from another place or other verdicts than are stored
// (ImportWrite.Base, SessionWrite.Verdicts) is a review.ErrConflict. Without
// them an import still never changes what curators wrote: a judged segment
// whose content it changes becomes pending and stale, and remembers its verdict.
func (s *Store) WriteImport(ctx context.Context, writes []hub.ImportWrite) ([]int64, error) {
	ids := make([]int64, len(writes))
	var fill []assigned
	err := s.write(ctx, s.machine, "import", func(t *tx) error {
		im := &importing{tx: t, ids: s.ids, now: stamp(s.now())}
		for i := range writes {
			var err error
			if ids[i], err = im.write(&writes[i]); err != nil {
				return fmt.Errorf("%s: %w", writes[i].Source.Path, err)
			}
		}
		if err := im.heads.flush(t); err != nil {
			return err
		}
		fill = im.assigned
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, a := range fill {
		a.to.ID = a.id
	}
	return ids, nil
}

// importing is one import transaction.
type importing struct {
	*tx
	ids      *idSource
	now      string
	heads    headRows
	assigned []assigned
}

// assigned is a new segment's id, told to the caller once it is stored.
type assigned struct {
	to *hub.SegmentWrite
	id string
}

func (im *importing) write(w *hub.ImportWrite) (source int64, err error) {
	if err := im.base(w); err != nil {
		return 0, err
	}
	if source, err = im.source(&w.Source); err != nil {
		return 0, err
	}
	if w.Fresh {
		if _, err := im.exec("DELETE FROM import_issues WHERE source_id = ?", source); err != nil {
			return 0, err
		}
	} else if w.Resolved {
		const text = "DELETE FROM import_issues WHERE source_id = ? AND severity = 'pending'"
		if _, err := im.exec(text, source); err != nil {
			return 0, err
		}
	}
	if err := im.issues(source, w.Issues); err != nil {
		return 0, err
	}
	for i := range w.Sessions {
		if err := im.session(source, &w.Sessions[i]); err != nil {
			return 0, fmt.Errorf("session %s: %w", w.Sessions[i].Session.File, err)
		}
	}
	return source, nil
}

// issues appends to the ledger.
func (im *importing) issues(source int64, issues []session.Issue) error {
	const text = "INSERT INTO import_issues (source_id, line, offset, length, severity, reason) VALUES (?, ?, ?, ?, ?, ?)"
	for i := range issues {
		is := &issues[i]
		if _, err := im.exec(text, source, is.Line, is.Offset, is.Length, string(is.Severity), is.Reason); err != nil {
			return err
		}
	}
	return nil
}

// session brings one session to its new state.
func (im *importing) session(source int64, w *hub.SessionWrite) error {
	if err := im.unjudged(w.Verdicts); err != nil {
		return err
	}
	id, body, err := im.findSession(&w.Session)
	if err != nil {
		return err
	}
	isNew := id == ""
	if isNew {
		if id, err = im.ids.next(); err != nil {
			return err
		}
	}
	oldBody := body
	if body == 0 || w.NewBody {
		if body, err = im.newBody(id); err != nil {
			return err
		}
		if w.KeepTo != 0 {
			return fmt.Errorf("%w: a new body holds no messages to keep", review.ErrConflict)
		}
	} else if err := im.truncate(body, w.KeepTo); err != nil {
		return err
	}
	if isNew {
		err = im.insertSession(id, source, body, &w.Session)
	} else {
		err = im.updateSession(id, source, body, &w.Session)
	}
	if err != nil {
		return err
	}
	if err := im.chunks(body, w.KeepTo, w.Chunks); err != nil {
		return err
	}
	place := place{session: id, agent: w.Session.AgentID, file: w.Session.File, body: body}
	if err := im.segments(place, w); err != nil {
		return err
	}
	if oldBody != 0 && oldBody != body {
		if _, err := im.exec("UPDATE task_segments SET body = ? WHERE session_id = ? AND body <> ?", body, id, body); err != nil {
			return err
		}
	}
	if oldBody != 0 && oldBody != body {
		if err := im.dropBody(oldBody, id); err != nil {
			return err
		}
	}
	return im.covered(place, w.Session.Messages)
}

// findSession returns the stored row that a session is, or "".
func (im *importing) findSession(s *review.Session) (id string, body int64, err error) {
	if s.ID != "" {
		var file string
		err = im.row("SELECT session_file, body FROM trajectory_records WHERE id = ?", []any{s.ID}, &file, &body)
		if errors.Is(err, sql.ErrNoRows) {
			err = fmt.Errorf("%s: %w", s.ID, review.ErrNotFound)
		}
		if err == nil && file != s.File {
			const text = "UPDATE task_segments SET agent_id = ?, session_file = ? WHERE session_id = ?"
			_, err = im.exec(text, s.AgentID, s.File, s.ID)
		}
		return s.ID, body, err
	}
	const text = "SELECT id, body FROM trajectory_records WHERE source_agent_id = ? AND session_file = ?"
	err = im.row(text, []any{s.AgentID, s.File}, &id, &body)
	if errors.Is(err, sql.ErrNoRows) {
		return "", 0, nil
	}
	return id, body, err
}

func (im *importing) newBody(session string) (int64, error) {
	res, err := im.exec("INSERT INTO bodies (session_id) VALUES (?)", session)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

func (im *importing) insertSession(id string, source, body int64, s *review.Session) error {
	args := append(sessionArgs(source, body, s), im.now, id)
	_, err := im.exec(insertSessionSQL, args...)
	return err
}

func (im *importing) updateSession(id string, source, body int64, s *review.Session) error {
	_, err := im.exec(updateSessionSQL, append(sessionArgs(source, body, s), id)...)
	return err
}

// covered checks that the segments of a session are contiguous and cover its
// messages. Only another import of the same session at the same time can
// break that; this one then gives up instead of storing a mixture.
func (im *importing) covered(p place, messages int) error {
	rows, err := im.query("SELECT start_line, end_line FROM task_segments WHERE session_id = ? ORDER BY segment_index, start_line", p.session)
	if err != nil {
		return err
	}
	next, start, end := 1, 0, 0
	err = each(rows, func() error {
		if err := rows.Scan(&start, &end); err != nil {
			return err
		}
		if start != next || end < start {
			return fmt.Errorf("%w: its segments don't fit together (message %d); import it again", review.ErrConflict, start)
		}
		next = end + 1
		return nil
	})
	if err == nil && next != messages+1 {
		return fmt.Errorf("%w: its segments end at message %d of %d; import it again", review.ErrConflict, next-1, messages)
	}
	return err
}
