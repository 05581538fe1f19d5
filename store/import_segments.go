package store

import (
	"database/sql"
	"errors"
	"fmt"

	"winnow/core/hub"
	"winnow/core/review"
)

// place is where segments of one session lie.
type place struct {
	session, agent, file string
	body                 int64
}

// unjudged checks that the verdicts are still those the writer knows.
func (im *importing) unjudged(known map[string]review.Verdict) error {
	for id, verdict := range known {
		var stored review.Verdict
		err := im.row("SELECT verdict FROM task_segments WHERE id = ?", []any{id}, &stored)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if stored != verdict {
			return fmt.Errorf("%w: segment %s was judged meanwhile", review.ErrConflict, review.Short(id))
		}
	}
	return nil
}

// segments retires, updates and inserts, in this order, so that fingerprints
// that move from row to row never meet.
func (im *importing) segments(p place, w *hub.SessionWrite) error {
	for _, id := range w.Retire {
		if err := im.retire(id); err != nil {
			return err
		}
	}
	updates := 0
	for i := range w.Segments {
		if w.Segments[i].ID != "" {
			updates++
		}
	}
	if updates > 1 {
		// Two rows may exchange their fingerprints; an id is unique and
		// stands in meanwhile.
		for i := range w.Segments {
			if id := w.Segments[i].ID; id != "" {
				if err := im.park(id, &w.Segments[i]); err != nil {
					return err
				}
			}
		}
	}
	for i := range w.Segments {
		if w.Segments[i].ID != "" {
			if err := im.updateSegment(p, &w.Segments[i]); err != nil {
				return err
			}
		}
	}
	for i := range w.Segments {
		if w.Segments[i].ID == "" {
			if err := im.insertSegment(p, &w.Segments[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// park frees a fingerprint that is about to change. The row's own former one
// is needed to see whether its content changes, so the row that keeps its
// fingerprint is left alone.
func (im *importing) park(id string, w *hub.SegmentWrite) error {
	_, err := im.exec("UPDATE task_segments SET fingerprint = id || fingerprint WHERE id = ? AND fingerprint <> ?", id, w.Fingerprint)
	return err
}

// stored is what an update must know of the row as it is now.
type storedSegment struct {
	fingerprint, detail string
	nth, messages       int
	mark                review.Mark
}

func (im *importing) storedSegment(id string) (row storedSegment, err error) {
	const text = "SELECT fingerprint, detail, nth, messages, " + markColumns + " FROM task_segments WHERE id = ?"
	dest := append([]any{&row.fingerprint, &row.detail, &row.nth, &row.messages}, markDest(&row.mark)...)
	err = im.row(text, []any{id}, dest...)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("segment %s: %w", review.Short(id), review.ErrNotFound)
	}
	if parked := len(id); len(row.fingerprint) > parked && row.fingerprint[:parked] == id {
		row.fingerprint = row.fingerprint[parked:]
	}
	return row, err
}

// changes reports whether a write gives the row another content. A row that
// only got another place among equal ones has another n and fingerprint.
func (row *storedSegment) changes(w *hub.SegmentWrite) bool {
	return row.detail != w.Detail || row.messages != w.Messages ||
		row.nth == max(w.Nth, 1) && row.fingerprint != w.Fingerprint
}

func (im *importing) updateSegment(p place, w *hub.SegmentWrite) error {
	row, err := im.storedSegment(w.ID)
	if err != nil {
		return err
	}
	if row.mark.Verdict.Judged() && row.changes(w) {
		if err := im.mark(w.ID, outdated(row.mark)); err != nil {
			return err
		}
	}
	_, err = im.exec(updateSegmentSQL, append(segmentArgs(p, w), im.now, w.ID)...)
	return err
}

// outdated is the mark of a judged segment whose content changed.
func outdated(m review.Mark) review.Mark {
	return review.Mark{Verdict: review.Pending, Note: m.Note, Stale: true, Was: m.Verdict, WasBy: m.Reviewer, WasAt: m.ReviewedAt}
}

// mark writes the curators' part of one row.
func (im *importing) mark(id string, m review.Mark) error {
	const text = "UPDATE task_segments SET verdict = ?, note = ?, reviewer = ?, reviewed_at = ?, stale = ?, was = ?, was_by = ?, was_at = ? WHERE id = ?"
	_, err := im.exec(text, append(markArgs(m), id)...)
	return err
}

func (im *importing) insertSegment(p place, w *hub.SegmentWrite) error {
	id, err := im.segmentID()
	if err != nil {
		return err
	}
	tags, err := tagsText(w.Tags)
	if err != nil {
		return err
	}
	if w.Verdict == "" {
		w.Verdict = review.Pending
	}
	args := append(segmentArgs(p, w), im.now, id, im.now)
	args = append(append(args, markArgs(markOf(&w.Segment))...), tags)
	if _, err := im.exec(insertSegmentSQL, args...); err != nil {
		if isDuplicate(err) {
			err = fmt.Errorf("%w: messages %d to %d are a segment already; import it again", review.ErrConflict, w.Start, w.End)
		}
		return err
	}
	im.assigned = append(im.assigned, assigned{w, id})
	return nil
}

// segmentID draws an id whose first eight digits no segment has. Among
// 200,000 segments a second draw is needed now and then.
func (im *importing) segmentID() (string, error) {
	for {
		id, err := im.ids.next()
		if err != nil {
			return "", err
		}
		var taken bool
		const text = "SELECT EXISTS (SELECT 1 FROM task_segments WHERE substr(id, 1, 8) = ?)"
		if err := im.row(text, []any{review.Short(id)}, &taken); err != nil {
			return "", err
		}
		if !taken {
			return id, nil
		}
	}
}

// retire removes a segment. If a curator ever did anything to it, the journal
// keeps what it was.
func (im *importing) retire(id string) error {
	var m review.Mark
	err := im.row("SELECT "+markColumns+" FROM task_segments WHERE id = ?", []any{id}, markDest(&m)...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // it has left already
	}
	if err != nil {
		return err
	}
	known := m.Verdict.Judged() || m.Note != "" || m.Stale
	if !known {
		const text = "SELECT EXISTS (SELECT 1 FROM journal_changes WHERE segment_id = ?)"
		if err := im.row(text, []any{id}, &known); err != nil {
			return err
		}
	}
	if known {
		entry := review.Entry{Action: review.ActRetire, Changes: []review.Change{{Segment: id, Before: m}}}
		if err := im.appendEntry(&entry, im.now); err != nil {
			return err
		}
	}
	_, err = im.exec("DELETE FROM task_segments WHERE id = ?", id)
	return err
}
