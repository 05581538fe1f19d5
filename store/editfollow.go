package store

import (
	"fmt"

	"winnow/core/edit"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// refreshEdits derives anew what follows from the edits over a body and the messages
// that are recorded there now: which edits are in force, and the digests of its
// segments. Edits of messages that are not there leave into the journal.
func (t *tx) refreshEdits(body int64, now string) error {
	edits, err := editsAmong(t.Rows, body, 1, maxMessages)
	if err != nil {
		return err
	}
	last, err := t.lastMessage(body)
	if err != nil {
		return err
	}
	read := recordedSums{tx: t}
	var gone []edit.Edit
	for i := range edits {
		e := &edits[i]
		if e.N > last {
			gone = append(gone, *e)
			continue
		}
		recorded, err := read.sum(body, e.N)
		if err != nil {
			return err
		}
		if clash := recorded != e.Base; clash != e.Clash {
			const text = "UPDATE edits SET clash = ? WHERE body = ? AND n = ? AND part = ?"
			if err := t.do(text, clash, body, e.N, e.Part); err != nil {
				return err
			}
		}
	}
	if err := t.depart(gone, "", now); err != nil {
		return err
	}
	if err := t.countEdits(body); err != nil {
		return err
	}
	return t.digestsAnew(body, now)
}

// digestsIfEdited is digestsAnew for a body that may have no edits.
func (t *tx) digestsIfEdited(body int64, now string) error {
	var some bool
	if _, err := t.Rows("SELECT edits > 0 FROM bodies WHERE id = ?", body).Maybe(&some); err != nil || !some {
		return err
	}
	return t.digestsAnew(body, now)
}

const digestedSQL = "SELECT id, body, start_line, end_line, fingerprint, detail, edited FROM task_segments WHERE body = ? ORDER BY start_line"

// segmentsOver are the segments of a body.
func (t *tx) segmentsOver(body int64) ([]heldSegment, error) {
	return sqlite.List(t.Rows(digestedSQL, body), func(h *heldSegment) []any {
		return []any{&h.id, &h.body, &h.start, &h.end, &h.content.Fingerprint, &h.content.Detail, &h.content.Edited}
	})
}

// nothingLeft refuses a cut that leaves a segment nothing but dropped messages.
func (c *recutTx) nothingLeft() error {
	all, err := c.segmentsOver(c.s.body)
	for i := range all {
		h := &all[i]
		if err != nil || h.content.Edited == "" {
			continue
		}
		var edits []edit.Edit
		if edits, err = c.editsNow(h.body, h.start, h.end); err == nil && h.left(edits) == 0 {
			err = conflict(fmt.Sprintf("all of messages %d to %d are dropped: there would be nothing in their segment", h.start, h.end))
		}
	}
	return err
}

// digestsAnew finds the digests of the segments of a body.
func (t *tx) digestsAnew(body int64, now string) error {
	all, err := t.segmentsOver(body)
	if err != nil {
		return err
	}
	for i := range all {
		if err := t.digestAnew(&all[i], now); err != nil {
			return err
		}
	}
	return nil
}

// depart takes edits away whose messages are gone. An entry of the journal keeps
// them, which is nobody's.
func (t *tx) depart(gone []edit.Edit, session, now string) error {
	for i := range gone {
		if err := t.do("DELETE FROM edits WHERE body = ? AND n = ? AND part = ?", gone[i].Body, gone[i].N, gone[i].Part); err != nil {
			return err
		}
	}
	return t.departed(gone, session, now)
}

// departed keeps edits in the journal that are in their places no more.
func (t *tx) departed(gone []edit.Edit, session, now string) error {
	if len(gone) == 0 {
		return nil
	}
	entry := review.Entry{Action: review.ActUnedit}
	if err := t.appendEntry(&entry, now); err != nil {
		return err
	}
	changes := make([]placeChange, len(gone))
	for i := range gone {
		changes[i] = placeChange{session: session, Place: gone[i].Place, before: &gone[i]}
	}
	return t.appendEdits(entry.ID, changes)
}

// unedit takes all edits away that lie over a body.
func (t *tx) unedit(body int64, session, now string) error {
	edits, err := editsAmong(t.Rows, body, 1, maxMessages)
	if err == nil {
		err = t.depart(edits, session, now)
	}
	if err == nil {
		err = t.countEdits(body)
	}
	return err
}
