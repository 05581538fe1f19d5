package store

import (
	"database/sql"
	"errors"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// lostMessages writes the messages of a session anew, with what stands for those
// that are lost.
type lostMessages struct {
	*tx
	session  *brokenSession
	segments []lostSegment
	chunk    []chat.Message // that were read last

	body   int64 // the new one
	tally  review.Tally
	packed []byte
	first  int // of those packed, 0: none are
}

type lostSegment struct {
	id         string
	start, end int
	mark       review.Mark
}

func (l *lostMessages) load() error {
	rows, err := l.Query("SELECT id, start_line, end_line, "+markColumns+" FROM task_segments WHERE session_id = ? ORDER BY start_line", l.session.id)
	if err != nil {
		return err
	}
	return sqlite.Each(rows, func() error {
		l.segments = append(l.segments, lostSegment{})
		g := &l.segments[len(l.segments)-1]
		return rows.Scan(append([]any{&g.id, &g.start, &g.end}, markFields(&g.mark)...)...)
	})
}

// write returns how many judged segments became stale.
func (l *lostMessages) write() (stale int, err error) {
	res, err := l.Exec("INSERT INTO bodies (session_id) VALUES (?)", l.session.id)
	if err != nil {
		return 0, err
	}
	if l.body, err = res.LastInsertId(); err != nil {
		return 0, err
	}
	for i := range l.segments {
		g := &l.segments[i]
		start, lost := l.tally.Messages+1, false
		for n := g.start; n <= g.end; n++ {
			if gap := l.session.gapAt(n); gap > 0 {
				to := min(gap, g.end)
				err, lost = l.add(&chat.Message{Role: chat.System, Content: lostText(n, to), Marks: chat.MarkRepaired}), true
				n = to
			} else {
				err = l.copy(n)
			}
			if err != nil {
				return stale, err
			}
		}
		if err := l.place(g, start, lost); err != nil {
			return stale, err
		}
		if lost && g.mark.Verdict.Judged() {
			stale++
		}
	}
	if err := l.flush(); err != nil {
		return stale, err
	}
	t := &l.tally
	_, err = l.Exec(updateSQL("trajectory_records", tallyColumns+", body"), append(tallyFields(t), l.body, l.session.id)...)
	for _, text := range []string{
		"UPDATE bodies SET stored = ?2 WHERE id = ?1",
		"UPDATE bodies SET dropped = 1 WHERE id = ?3",
	} {
		if err == nil {
			_, err = l.Exec(text, l.body, t.Messages, l.session.body)
		}
	}
	return stale, err
}

// gapAt returns the last of the lost messages that a message is one of, 0 for
// one that is there.
func (b *brokenSession) gapAt(n int) int {
	for _, g := range b.gaps {
		if g[0] <= n && n <= g[1] {
			return g[1]
		}
	}
	return 0
}

// copy adds a message that is there.
func (l *lostMessages) copy(n int) error {
	if len(l.chunk) == 0 || n > l.chunk[len(l.chunk)-1].N {
		var data []byte
		const text = "SELECT data FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1"
		err := l.Row(text, []any{messageID(l.session.body, 1), messageID(l.session.body, n)}, &data)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			l.chunk, err = chat.ReadChunk(data)
		}
		if err != nil {
			return err
		}
	}
	if i := n - l.chunk[0].N; i >= 0 && i < len(l.chunk) {
		m := l.chunk[i]
		return l.add(&m)
	}
	return nil
}

func (l *lostMessages) add(m *chat.Message) error {
	if l.first > 0 && len(l.packed)+m.Size() > chat.ChunkSize {
		if err := l.flush(); err != nil {
			return err
		}
	}
	m.N = l.tally.Messages + 1
	l.tally.Add(m)
	l.packed = chat.AppendMessage(l.packed, m)
	if l.first == 0 {
		l.first = m.N
	}
	return nil
}

func (l *lostMessages) flush() error {
	if l.first == 0 {
		return nil
	}
	_, err := l.Exec("INSERT INTO chunks (id, last, raw, data) VALUES (?, ?, ?, ?)",
		messageID(l.body, l.first), l.tally.Messages, len(l.packed), chat.Compress(nil, l.packed))
	l.packed, l.first = l.packed[:0], 0
	return err
}

// place writes where a segment is now. What is derived from its messages, Repair
// makes anew.
func (l *lostMessages) place(g *lostSegment, start int, lost bool) error {
	_, err := l.Exec("UPDATE task_segments SET body = ?, start_line = ?, end_line = ? WHERE id = ?", l.body, start, l.tally.Messages, g.id)
	if err != nil || !lost {
		return err
	}
	m := review.Mark{Verdict: review.Pending, Note: g.mark.Note, Tags: g.mark.Tags, Stale: g.mark.Stale, Was: g.mark.Was, WasBy: g.mark.WasBy, WasAt: g.mark.WasAt}
	if g.mark.Verdict.Judged() {
		m.Stale, m.Was, m.WasBy, m.WasAt = true, g.mark.Verdict, g.mark.Reviewer, g.mark.ReviewedAt
	}
	if _, err := l.Exec(updateSQL("task_segments", markColumns), append(markFields(&m), g.id)...); err != nil {
		return err
	}
	_, err = l.Exec(`UPDATE task_segments SET fingerprint = id, detail = '', labeled = 0, quality_metrics = '', score = NULL, task_type = '',
		flags = '', tools = '', measures = NULL, recorded = NULL WHERE id = ?`, g.id)
	return err
}
