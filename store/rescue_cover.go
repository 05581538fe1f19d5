package store

import (
	"cmp"
	"errors"
	"slices"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// coverRow is what the order of a session's segments is about.
type coverRow struct {
	id                string
	index, start, end int
	messages          int
	judged            bool
	was               [3]int // index, start, end as they are stored
}

// segmentsOfSessions sees that the segments of each session are contiguous and
// cover its messages: where one is lost, another stands for the messages, which
// nobody has cut; one that lies in the place of others leaves, and the journal
// keeps its verdict.
func (c *rescuing) segmentsOfSessions() error {
	type session struct {
		id               string
		messages, stored int
	}
	all, err := sqlite.List(c.ask("SELECT r.id, r.messages, b.stored FROM trajectory_records r JOIN bodies b ON b.id = r.body ORDER BY r.id"),
		func(s *session) []any { return []any{&s.id, &s.messages, &s.stored} })
	for _, s := range all {
		if err == nil {
			err = c.coverSession(s.id, s.messages, s.stored)
		}
	}
	return err
}

func (c *rescuing) coverSession(id string, messages, stored int) error {
	rows, err := sqlite.List(c.ask(`SELECT id, segment_index, start_line, end_line, messages, segment_index, start_line, end_line,
		verdict <> 'pending' OR note <> '' OR tags <> '' OR stale OR masked <> '' FROM task_segments WHERE session_id = ?`, id), func(r *coverRow) []any {
		return []any{&r.id, &r.index, &r.start, &r.end, &r.messages, &r.was[0], &r.was[1], &r.was[2], &r.judged}
	})
	if err != nil {
		return err
	}
	slices.SortFunc(rows, func(a, b coverRow) int {
		// Of two at one place the judged one stays.
		return cmp.Or(cmp.Compare(a.start, b.start), compareBool(b.judged, a.judged), cmp.Compare(a.end, b.end))
	})
	last := lastMessage(rows, messages, stored)
	var kept []coverRow
	next := 1
	for i := range rows {
		r := rows[i]
		end := last
		if i+1 < len(rows) {
			end = rows[i+1].start - 1
		}
		if r.end != end && r.start+r.messages-1 == end { // the count knows better
			r.end = end
		}
		if r.start < next || r.end < r.start || r.end > last {
			if err := c.retire(r.id); err != nil {
				return err
			}
			continue
		}
		if r.start > next {
			kept = append(kept, coverRow{start: next, end: r.start - 1})
		}
		kept, next = append(kept, r), r.end+1
	}
	if next <= last {
		kept = append(kept, coverRow{start: next, end: last})
	}
	if err := c.writeCover(id, kept); err != nil || last == messages {
		return err
	}
	_, err = c.exec("UPDATE trajectory_records SET messages = ?, trace = NULL WHERE id = ?", last, id)
	return err
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// lastMessage is the number of the last message of a session: what two of the
// session, its segments and its messages say, else the largest that can be.
func lastMessage(rows []coverRow, messages, stored int) int {
	end := 0
	for i := range rows {
		if r := &rows[i]; r.end >= r.start {
			end = max(end, r.end)
		}
	}
	switch {
	case messages > 0 && (messages == stored || messages == end):
		return messages
	case stored > 0:
		return stored
	}
	return max(end, messages)
}

// writeCover numbers the segments of a session and makes those that are missing.
func (c *rescuing) writeCover(session string, rows []coverRow) error {
	for i := range rows {
		r := &rows[i]
		if r.id != "" {
			if r.was == [3]int{i, r.start, r.end} {
				continue
			}
			_, err := c.exec("UPDATE task_segments SET segment_index = ?, start_line = ?, end_line = ? WHERE id = ?", i, r.start, r.end, r.id)
			if err != nil {
				return err
			}
			continue
		}
		id, err := c.newSegment()
		if err != nil {
			return err
		}
		_, err = c.exec(`INSERT INTO task_segments (id, agent_id, session_file, segment_index, start_line, end_line, fingerprint, created_at, updated_at,
			session_id, body, detail, cut_by) SELECT ?1, source_agent_id, session_file, ?2, ?3, ?4, ?1, ?5, ?5, id, body, '', ?6
			FROM trajectory_records WHERE id = ?7`, id, i, r.start, r.end, c.now, review.CutProvisional, session)
		if err != nil {
			return err
		}
	}
	return nil
}

// newSegment draws an id for a segment.
func (c *rescuing) newSegment() (string, error) {
	for {
		id, err := c.ids.next()
		if err != nil {
			return "", err
		}
		var taken bool
		const text = "SELECT EXISTS (SELECT 1 FROM task_segments WHERE substr(id, 1, 8) = ?)"
		if err := c.ask(text, review.Short(id)).One(&taken); err != nil || !taken {
			return id, err
		}
	}
}

// retire removes a segment that has no place. The journal keeps what it was.
func (c *rescuing) retire(id string) error {
	var m review.Mark
	var d chat.Digest
	const text = "SELECT fingerprint, detail, " + markColumns + " FROM task_segments WHERE id = ?"
	if err := c.ask(text, id).One(append([]any{&d.Fingerprint, &d.Detail}, markFields(&m)...)...); err != nil {
		return err
	}
	if m.Verdict.Judged() || m.Note != "" || m.Tags != "" || m.Masked != "" || m.Stale {
		if err := c.appendRetire(id, m, d); err != nil {
			return err
		}
	}
	_, err := c.exec("DELETE FROM task_segments WHERE id = ?", id)
	return err
}

func (c *rescuing) appendRetire(id string, before review.Mark, d chat.Digest) error {
	texts := markTexts{}
	was, err1 := texts.of(before)
	is, err2 := texts.of(review.Mark{})
	_, err3 := c.exec("INSERT INTO journal (at, curator, action) VALUES (?, '', ?)", c.now, review.ActRetire)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	if before.Verdict.Judged() {
		c.out.Retired++
	}
	_, err := c.exec(`INSERT INTO journal_changes (entry, n, segment_id, before, after, fingerprint, detail)
		VALUES ((SELECT max(id) FROM journal), 0, ?, ?, ?, ?, ?)`, id, was, is, d.Fingerprint, d.Detail)
	return err
}
