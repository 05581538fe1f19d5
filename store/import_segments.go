package store

import (
	"database/sql"
	"errors"
	"fmt"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// target is where segments of one session are written.
type target struct {
	session, agent, file string
	body                 int64
	seen                 []seenHead // what anybody has seen of messages that are written anew
}

// unjudged checks that the verdicts are still those the writer knows.
func (im *importing) unjudged(known map[string]review.Verdict) error {
	for id, verdict := range known {
		var stored review.Verdict
		if _, err := im.Rows("SELECT verdict FROM task_segments WHERE id = ?", id).Maybe(&stored); err != nil {
			return err
		}
		if stored != verdict {
			return fmt.Errorf("%w: segment %s was judged meanwhile", review.ErrConflict, review.Short(id))
		}
	}
	return nil
}

// makeRoom retires segments, and parks those that come from another session,
// before any session of a write is stored: what stands in their place there may
// have their fingerprint.
func (im *importing) makeRoom(w *hub.SessionWrite) error {
	if err := im.unjudged(w.Verdicts); err != nil {
		return err
	}
	for _, id := range w.Retire {
		if err := im.retire(id); err != nil {
			return err
		}
	}
	const park = "UPDATE task_segments SET fingerprint = id || fingerprint WHERE id = ? AND session_file <> ? AND length(fingerprint) < length(id)"
	for i := range w.Segments {
		if sw := &w.Segments[i]; sw.ID != "" && sw.SessionFile != w.Session.File {
			if err := im.do(park, sw.ID, w.Session.File); err != nil {
				return err
			}
		}
	}
	return nil
}

// segments updates and inserts, in this order, so that fingerprints that move
// from row to row never meet.
func (im *importing) segments(p target, w *hub.SessionWrite) error {
	var updates, inserts []*review.SegmentWrite
	for i := range w.Segments {
		if sw := &w.Segments[i]; sw.ID != "" {
			updates = append(updates, sw)
		} else {
			inserts = append(inserts, sw)
		}
	}
	if err := im.parkAll(updates); err != nil {
		return err
	}
	for _, sw := range updates {
		if err := im.updateSegment(p, sw); err != nil {
			return err
		}
	}
	for _, sw := range inserts {
		if err := im.insertSegment(p, sw); err != nil {
			return err
		}
	}
	return nil
}

// parkAll parks rows before they are updated: two may exchange their
// fingerprints. An id is unique and stands in meanwhile.
func (im *importing) parkAll(updates []*review.SegmentWrite) error {
	if len(updates) < 2 {
		return nil
	}
	for _, w := range updates {
		if err := im.park(w.ID, w); err != nil {
			return err
		}
	}
	return nil
}

// park frees a fingerprint that is about to change. The row's own former one
// is needed to see whether its content changes, so the row that keeps its
// fingerprint is left alone.
func (im *importing) park(id string, w *review.SegmentWrite) error {
	return im.do("UPDATE task_segments SET fingerprint = id || fingerprint WHERE id = ? AND fingerprint <> ? AND length(fingerprint) < length(id)", id, w.Fingerprint)
}

// stored is what an update must know of the row as it is now.
type storedSegment struct {
	fingerprint, detail string
	cutBy               review.CutBy
	nth, messages       int
	body                int64
	start, end          int
	mark                review.Mark
}

func (im *importing) storedSegment(id string) (row storedSegment, err error) {
	const text = "SELECT fingerprint, detail, cut_by, nth, messages, body, start_line, end_line, " + markColumns + " FROM task_segments WHERE id = ?"
	dest := append([]any{&row.fingerprint, &row.detail, &row.cutBy, &row.nth, &row.messages, &row.body, &row.start, &row.end}, markFields(&row.mark)...)
	err = im.Rows(text, id).One(dest...)
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
func (row *storedSegment) changes(w *review.SegmentWrite) bool {
	return row.detail != w.Detail || row.messages != w.Messages ||
		row.nth == max(w.Nth, 1) && row.fingerprint != w.Fingerprint
}

func (im *importing) updateSegment(p target, w *review.SegmentWrite) error {
	row, err := im.storedSegment(w.ID)
	if err != nil {
		return err
	}
	if row.cutBy == review.CutCurator && w.CutBy != row.cutBy {
		return fmt.Errorf("%w: segment %s was cut by hand meanwhile", review.ErrConflict, review.Short(w.ID))
	}
	changed := row.changes(w)
	if changed && row.mark.Verdict.Judged() {
		if err := im.mark(w.ID, row.outdated()); err != nil {
			return err
		}
	}
	if err := im.analysed(w, changed); err != nil {
		return err
	}
	if !changed && row.body != p.body {
		if err := im.seeAgain(row.body, row.start, row.end, p.body, w.Start); err != nil {
			return err
		}
	}
	return im.do(updateSegmentSQL, append(segmentArgs(p, w, im.now), w.ID)...)
}

// analysed brings the analysis of a write in line with the row: it was perhaps
// scored while the import was reading. It stays as long as the content does.
func (im *importing) analysed(w *review.SegmentWrite, changed bool) error {
	if changed {
		w.Labeled, w.Score, w.TaskType, w.Analysis = false, nil, "", ""
		return nil
	}
	const text = "SELECT labeled, score, task_type, quality_metrics FROM task_segments WHERE id = ?"
	return im.Rows(text, w.ID).One(&w.Labeled, &w.Score, &w.TaskType, &w.Analysis)
}

// outdated is the mark of a judged segment whose content changes.
func (row *storedSegment) outdated() review.Mark {
	m := &row.mark
	return review.Mark{
		Verdict: review.Pending, Note: m.Note, Tags: m.Tags, Masked: m.Masked, Stale: true, Was: m.Verdict, WasBy: m.Reviewer, WasAt: m.ReviewedAt,
		WasBody: row.body, WasStart: row.start, WasEnd: row.end,
	}
}

var updateMarkSQL = updateSQL("task_segments", markColumns)

// mark writes the curators' part of one row.
func (im *importing) mark(id string, m review.Mark) error {
	return im.do(updateMarkSQL, append(markFields(&m), id)...)
}

func (im *importing) insertSegment(p target, w *review.SegmentWrite) error {
	id, err := im.segmentID()
	if err != nil {
		return err
	}
	if err := im.insertRow(p, w, id, im.now); err != nil {
		return err
	}
	im.assigned = append(im.assigned, assigned{w, id})
	return nil
}

// insertRow inserts a segment with the id that it is to have.
func (im *importing) insertRow(p target, w *review.SegmentWrite, id, created string) error {
	if w.Verdict == "" {
		w.Verdict = review.Pending
	}
	mark := markOf(&w.Segment)
	args := append(segmentArgs(p, w, im.now), w.Named, id, created)
	err := im.do(insertSegmentSQL, append(args, markFields(&mark)...)...)
	if sqlite.IsDuplicate(err) {
		err = fmt.Errorf("%w: messages %d to %d are a segment already; try again", review.ErrConflict, w.Start, w.End)
	}
	return err
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
		if err := im.Rows(text, review.Short(id)).One(&taken); err != nil {
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
	found, err := im.Rows("SELECT "+markColumns+" FROM task_segments WHERE id = ?", id).Maybe(markFields(&m)...)
	if err != nil || !found { // it has left already
		return err
	}
	known := m.Verdict.Judged() || m.Note != "" || m.Tags != "" || m.Masked != "" || m.Stale
	if !known {
		const text = "SELECT EXISTS (SELECT 1 FROM journal_changes WHERE segment_id = ?)"
		if err := im.Rows(text, id).One(&known); err != nil {
			return err
		}
	}
	if known {
		entry := review.Entry{Action: review.ActRetire, Changes: []review.Change{{Segment: id, Before: m}}}
		if err := im.lastPlace(&entry.Changes[0]); err != nil {
			return err
		}
		if err := im.appendEntry(&entry, im.now); err != nil {
			return err
		}
	}
	return im.deleteRow(id)
}

// covered checks that the segments of a session are numbered in order,
// contiguous and cover its messages. Only somebody else who wrote the same
// session at the same time can break that; this one then gives up instead of
// storing a mixture.
func (im *importing) covered(p target, messages int) error {
	n, next, index, start, end := 0, 1, 0, 0, 0
	rows := im.Rows("SELECT segment_index, start_line, end_line FROM task_segments WHERE session_id = ? ORDER BY segment_index, start_line", p.session)
	for range rows.Into(&index, &start, &end) {
		if index != n || start != next || end < start {
			return fmt.Errorf("%w: its segments don't fit together (message %d); try again", review.ErrConflict, start)
		}
		n, next = n+1, end+1
	}
	if rows.Err() == nil && next != messages+1 {
		return fmt.Errorf("%w: its segments end at message %d of %d; try again", review.ErrConflict, next-1, messages)
	}
	return rows.Err()
}
