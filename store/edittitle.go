package store

import (
	carry "winnow/core/segment"

	"winnow/core/chat"
	"winnow/core/edit"
)

// titlesOf are the titles that a message gives to what it begins, with one edit over
// it and with another.
func titlesOf(before, after *edit.Edit, recorded *chat.Message) (titles [2]string) {
	for i, e := range []*edit.Edit{before, after} {
		m := recorded
		if e != nil && !e.Clash {
			m = &e.Message
		}
		if m != nil {
			titles[i], _ = carry.TitleFrom(m)
		}
	}
	return titles
}

// retitle gives a segment and a session that are called as the message of a place
// said what that says now. What a curator or a model called them stays.
func (t *tx) retitle(p edit.Place, titles [2]string) error {
	if titles[0] == "" || titles[0] == titles[1] {
		return nil
	}
	const topic = `UPDATE task_segments SET topic = ?1 WHERE body = ?2 AND start_line <= ?3 AND end_line >= ?3 AND topic = ?4 AND named = 0`
	if err := t.do(topic, titles[1], p.Body, max(p.N, 1), titles[0]); err != nil {
		return err
	}
	const title = "UPDATE trajectory_records SET title = ?1 WHERE id = (SELECT session_id FROM bodies WHERE id = ?2) AND body = ?2 AND title = ?3"
	return t.do(title, titles[1], p.Body, titles[0])
}

// titlesAnew gives what an import has called as recorded messages say the titles that
// they give now.
func (t *tx) titlesAnew(body int64) error {
	edits, err := editsAmong(t.Rows, body, 1, maxMessages)
	read := recordedSums{tx: t}
	for i := range edits {
		e := &edits[i]
		if err != nil || e.N == 0 || e.Part > 0 || e.Clash || e.Op != edit.Set || e.Message.Role != chat.User {
			continue
		}
		var recorded *chat.Message
		if recorded, err = read.message(body, e.N); err == nil {
			err = t.retitle(e.Place, titlesOf(nil, e, recorded))
		}
	}
	return err
}
