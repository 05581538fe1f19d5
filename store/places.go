package store

import (
	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/sqlite"
)

const (
	unplacedSQL = `SELECT r.id, r.session_file, coalesce((SELECT m.source_line FROM messages m WHERE m.id = r.body << 32 | 1), 0)
		FROM trajectory_records r INDEXED BY trajectory_records_unplaced WHERE r.place = ''`
	placeSessionSQL  = "UPDATE trajectory_records SET place = ?1 WHERE id = ?2 AND place <> ?1"
	placeSegmentsSQL = "UPDATE task_segments SET place = ?1 WHERE session_id = ?2 AND place <> ?1"
)

// fillPlaces gives each session that has no place its own, and its segments.
// Where none is without, that is a look at an empty index.
func fillPlaces(t sqlite.Asker) error {
	type unplaced struct {
		id, file string
		line     int64
	}
	list, err := sqlite.List(t.Rows(unplacedSQL), func(u *unplaced) []any { return []any{&u.id, &u.file, &u.line} })
	for i := range list {
		if err == nil {
			err = placeSession(t, list[i].id, list[i].file, list[i].line)
		}
	}
	return err
}

// placeSession gives a session, whose first message is on a line of its source,
// its place.
func placeSession(t sqlite.Asker, id, file string, line int64) error {
	at := review.PlaceOf(file, line)
	for _, text := range []string{placeSessionSQL, placeSegmentsSQL} {
		if _, err := t.Exec(text, at, id); err != nil {
			return err
		}
	}
	return nil
}

// placeFirst is placeSession for one whose first message is being written: its
// segments are then written where they stay.
func (im *importing) placeFirst(p target, w *hub.SessionWrite) error {
	if len(w.Chunks) == 0 || w.Chunks[0].First != 1 || len(w.Chunks[0].Heads) == 0 {
		return nil
	}
	return placeSession(im, p.session, p.file, w.Chunks[0].Heads[0].SourceLine)
}
