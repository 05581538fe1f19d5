package store

import (
	"fmt"
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/store/stamp"
	"winnow/store/text"
)

// write makes the changes, with their entry.
func (p *editing) write() (err error) {
	if p.held, err = p.holding(p.changes); err != nil {
		return err
	}
	if err := p.keepsSome(); err != nil {
		return err
	}
	if err := p.marks(); err != nil {
		return err
	}
	if err := p.newAction(p.entry); err != nil {
		return err
	}
	for i := range p.changes {
		if e := p.changes[i].after; e != nil {
			e.Entry = p.entry.ID
		}
	}
	if err := p.appendEdits(p.entry.ID, p.changes); err != nil {
		return err
	}
	p.entry.Edits = editsOf(p.changes)
	return p.put()
}

// put writes the places, the marks that the entry leaves, and what follows from
// both.
func (p *editing) put() error {
	names, err := p.names()
	if err != nil {
		return err
	}
	if err := p.putEdits(p.changes); err != nil {
		return err
	}
	if err := p.apply(p.entry, p.rows); err != nil {
		return err
	}
	for i := range p.held {
		if err := p.digestAnew(&p.held[i], stamp.Of(p.entry.At)); err != nil {
			return err
		}
	}
	if err := p.rename(names); err != nil {
		return err
	}
	return p.searchAnew(p.changes)
}

// heldSegment is a segment with changes, which lie in it.
type heldSegment struct {
	id         string
	body       int64
	start, end int
	content    chat.Digest // as it is stored
	fixes      bool
}

const holdingSQL = "SELECT id, start_line, end_line, fingerprint, detail, edited FROM task_segments WHERE body = ? AND start_line <= ? ORDER BY start_line DESC LIMIT 1"

// holding finds the segments that hold changes, which are in the order of their
// places. What is in front of the first message is the first segment's.
func (t *tx) holding(changes []placeChange) (list []heldSegment, err error) {
	for i := range changes {
		c := &changes[i]
		n := max(c.N, 1)
		if last := len(list) - 1; last < 0 || list[last].body != c.Body || list[last].end < n {
			h := heldSegment{body: c.Body}
			found, err := t.Rows(holdingSQL, c.Body, n).Maybe(&h.id, &h.start, &h.end, &h.content.Fingerprint, &h.content.Detail, &h.content.Edited)
			if err != nil {
				return nil, err
			}
			if !found || h.end < n {
				return nil, fmt.Errorf("message %d of body %d lies in no segment: run winnow doctor", n, c.Body)
			}
			list = append(list, h)
		}
		h := &list[len(list)-1]
		h.fixes = h.fixes || c.fixes
	}
	return list, nil
}

// keepsSome checks that no segment loses its last message: there would be nothing to
// look at and to judge, which is what rejecting it is for.
func (p *editing) keepsSome() error {
	takes := func(c placeChange) bool {
		return c.after != nil && c.after.Op == edit.Drop || c.after == nil && c.before != nil && c.before.Op == edit.Add
	}
	if !slices.ContainsFunc(p.changes, takes) {
		return nil
	}
	for i := range p.held {
		h := &p.held[i]
		edits, err := p.editsNow(h.body, h.start, h.end)
		if err != nil {
			return err
		}
		if h.left(withChanges(edits, p.changes, h)) == 0 {
			return conflict(fmt.Sprintf("segment %s would have no message left: reject it instead", review.Short(h.id)))
		}
	}
	return nil
}

// left is how many messages a segment has with edits over it.
func (h *heldSegment) left(edits []edit.Edit) int {
	n := h.end - h.start + 1
	for i := range edits {
		switch e := &edits[i]; {
		case e.Clash:
		case e.Op == edit.Drop:
			n--
		case e.Op == edit.Add:
			n++
		}
	}
	return n
}

// marks finds what becomes of the verdicts on segments: what was judged is stale,
// unless it only lost what is redacted.
func (p *editing) marks() (err error) {
	ids := make([]string, len(p.held))
	for i := range p.held {
		ids[i] = p.held[i].id
	}
	if p.rows, err = p.judged(ids); err != nil {
		return err
	}
	for i := range p.held {
		h := &p.held[i]
		row := p.rows[h.id]
		if row == nil {
			return unlisted(h.id)
		}
		after := row.mark
		if h.fixes && after.Verdict.Judged() {
			was := storedSegment{body: h.body, start: h.start, end: h.end, mark: row.mark}
			after = was.outdated()
		}
		p.entry.Changes = append(p.entry.Changes, review.Change{Segment: h.id, Before: row.mark, After: after, Content: row.content})
	}
	return nil
}

// unlisted is the error of a segment that was found by its place just now, and is not
// by its id.
func unlisted(id string) error {
	return fmt.Errorf("%w: segment %q is not found by its id: winnow doctor --repair", ErrDamaged, id)
}

// putEdits brings places to what they are to be, body after body.
func (t *tx) putEdits(changes []placeChange) error {
	t.PrepareFor(len(changes))
	for i := range changes {
		c := &changes[i]
		var err error
		if c.after == nil {
			err = t.do("DELETE FROM edits WHERE body = ? AND n = ? AND part = ?", c.Body, c.N, c.Part)
		} else {
			err = t.putEdit(c.after)
		}
		if err != nil {
			return err
		}
		if i+1 < len(changes) && changes[i+1].Body == c.Body {
			continue
		}
		if err := t.countEdits(c.Body); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) putEdit(e *edit.Edit) error {
	fields := editFields(e)
	fields[5], fields[6] = e.Base[:], keptMessage(e)
	return t.do("INSERT OR REPLACE INTO edits ("+editColumns+") VALUES ("+places(len(fields))+")", fields...)
}

func (t *tx) countEdits(body int64) error {
	return t.do("UPDATE bodies SET edits = (SELECT count(*) FROM edits WHERE body = ?1) WHERE id = ?1", body)
}

// editsNow are the edits over a segment.
func (t *tx) editsNow(body int64, start, end int) ([]edit.Edit, error) {
	return editsAmong(t.Rows, body, start, end)
}

// unscored takes what was found out about other messages from a segment, which is to
// be scored again.
const unscored = `labeled = 0, quality_metrics = '', score = NULL, task_type = '',
	flags = '', tools = '', measures = NULL, recorded = NULL, errors = tool_fails, exits = 0`

// digestAnew finds the digest of the current view of a segment, which is to be
// scored again if that is another one.
func (t *tx) digestAnew(h *heldSegment, now string) error {
	edits, err := t.editsNow(h.body, h.start, h.end)
	if err != nil {
		return err
	}
	const text = "UPDATE task_segments SET edited = ?1, updated_at = ?2, " + unscored + " WHERE id = ?3 AND edited <> ?1"
	if err := t.do(text, edit.Digest(h.content, h.start, edits), now, h.id); err != nil {
		return err
	}
	return t.do("UPDATE task_segments SET edits = ?1 WHERE id = ?2 AND edits <> ?1", editKinds(edits), h.id)
}

// editKinds are the bits of task_segments.edits.
func editKinds(edits []edit.Edit) (kinds int) {
	bits := map[edit.Why]int{edit.Fix: 1, edit.Redact: 2, edit.Squash: 4}
	for i := range edits {
		if edits[i].Clash {
			kinds |= 8
		} else {
			kinds |= bits[edits[i].Why]
		}
	}
	return kinds
}

// searchAnew has the messages of changes, and those after them, made searchable
// again.
func (t *tx) searchAnew(changes []placeChange) error {
	var number int64
	for i := range changes {
		c := &changes[i]
		if i > 0 && changes[i-1].Body == c.Body {
			continue // the first one of a body is the first in it
		}
		if number == 0 {
			if err := t.Rows(nextWriteSQL).One(&number); err != nil {
				return err
			}
		}
		var stored int
		if err := t.Rows("SELECT stored FROM bodies WHERE id = ?", c.Body).One(&stored); err != nil {
			return err
		}
		if err := text.Note(t.Tx, c.Body, max(c.N-1, 0), stored, number); err != nil {
			return err
		}
	}
	return nil
}

const insertJournalEdit = "INSERT INTO journal_edits (entry, k, session_id, body, n, part, before, after) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

// appendEdits keeps what an entry does to places.
func (t *tx) appendEdits(entry int64, changes []placeChange) error {
	for k := range changes {
		c := &changes[k]
		before, err := keptText(c.before)
		if err != nil {
			return err
		}
		after, err := keptText(c.after)
		if err != nil {
			return err
		}
		if err := t.do(insertJournalEdit, entry, k, c.session, c.Body, c.N, c.Part, before, after); err != nil {
			return err
		}
	}
	return nil
}

// editsOf is what a caller sees of changes.
func editsOf(changes []placeChange) []review.Edited {
	list := make([]review.Edited, len(changes))
	for i := range changes {
		c := &changes[i]
		list[i] = review.Edited{Session: c.session, Place: c.Place, Before: c.before, After: c.after}
	}
	return list
}
