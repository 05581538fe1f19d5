package store

import (
	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// lostMessages gives a session a new body in which one message stands for those
// of a segment that are lost in one place. A verdict on such a segment is not in
// force any more: the segment is stale, and remembers it.
type lostMessages struct {
	*importing
	session *brokenSession
	chunk   []chat.Message // that were read last

	body   int64 // the new one
	tally  review.Tally
	packed []byte
	first  int // of those packed, 0: none are
	// to is the new number of each message; of one that is lost, that of the
	// message which says so.
	to map[int]int
}

type lostSegment struct {
	id         string
	start, end int
	mark       review.Mark
}

// write returns how many judged segments became stale.
func (l *lostMessages) write() (stale int, err error) {
	const text = "SELECT id, start_line, end_line, " + markColumns + " FROM task_segments WHERE session_id = ? ORDER BY start_line"
	segments, err := sqlite.List(l.Rows(text, l.session.id), func(g *lostSegment) []any {
		return append([]any{&g.id, &g.start, &g.end}, markFields(&g.mark)...)
	})
	l.to = map[int]int{}
	if err == nil {
		l.body, err = l.newBody(l.session.id)
	}
	if err != nil {
		return 0, err
	}
	for i := range segments {
		g := &segments[i]
		start, lost := l.tally.Messages+1, false
		for n := g.start; n <= g.end; n++ {
			if gap := l.session.gapAt(n); gap > 0 {
				to := min(gap, g.end)
				err, lost = l.add(&chat.Message{Role: chat.System, Content: lostText(n, to), Marks: chat.MarkRepaired}), true
				for ; n < to; n++ {
					l.to[n] = l.tally.Messages
				}
				l.to[n] = l.tally.Messages
			} else {
				err = l.copy(n)
			}
			if err != nil {
				return stale, err
			}
		}
		if err := l.putSegment(g, start, lost); err != nil {
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
	err = l.do(updateSQL("trajectory_records", tallyColumns+", body"), append(tallyFields(t), l.body, l.session.id)...)
	if err == nil {
		err = l.do("UPDATE bodies SET stored = ? WHERE id = ?", t.Messages, l.body)
	}
	if err == nil {
		err = l.edits()
	}
	if err == nil {
		err = l.do("UPDATE bodies SET dropped = 1 WHERE id = ?", l.session.body)
	}
	return stale, err
}

// edits brings edits to the new body. That of a lost message waits where it was.
func (l *lostMessages) edits() error {
	edits, err := editsAmong(l.Rows, l.session.body, 1, maxMessages)
	if err != nil || len(edits) == 0 {
		return err
	}
	l.to[0] = 0
	moved := map[edit.Place]edit.Place{}
	for i := range edits {
		if n, there := l.to[edits[i].N]; there {
			moved[edits[i].Place] = edit.Place{Body: l.body, N: n, Part: edits[i].Part}
		}
	}
	to := moves(edits, moved)
	if err := l.clear(to); err != nil {
		return err
	}
	if _, err := l.moveEdits(&former{body: l.session.body}, to); err != nil {
		return err
	}
	return l.editedAnew(l.body)
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
		found, err := l.Rows(text, messageID(l.session.body, 1), messageID(l.session.body, n)).Maybe(&data)
		if found && err == nil {
			l.chunk, err = chat.ReadChunk(data)
		}
		if err != nil || !found {
			return err
		}
	}
	if i := n - l.chunk[0].N; i >= 0 && i < len(l.chunk) {
		m := l.chunk[i]
		err := l.add(&m)
		l.to[n] = m.N
		return err
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
	err := l.do("INSERT INTO chunks (id, last, raw, data) VALUES (?, ?, ?, ?)",
		messageID(l.body, l.first), l.tally.Messages, len(l.packed), chat.Compress(nil, l.packed))
	l.packed, l.first = l.packed[:0], 0
	return err
}

// putSegment writes where a segment is now. What is derived from its messages, Repair
// makes anew.
func (l *lostMessages) putSegment(g *lostSegment, start int, lost bool) error {
	err := l.do("UPDATE task_segments SET body = ?, start_line = ?, end_line = ? WHERE id = ?", l.body, start, l.tally.Messages, g.id)
	if err != nil || !lost {
		return err
	}
	m := review.Mark{Verdict: review.Pending, Note: g.mark.Note, Tags: g.mark.Tags, Stale: g.mark.Stale, Was: g.mark.Was, WasBy: g.mark.WasBy, WasAt: g.mark.WasAt}
	if g.mark.Verdict.Judged() {
		m.Stale, m.Was, m.WasBy, m.WasAt = true, g.mark.Verdict, g.mark.Reviewer, g.mark.ReviewedAt
	}
	if err := l.mark(g.id, m); err != nil {
		return err
	}
	return l.do("UPDATE task_segments SET fingerprint = id, detail = '', "+unscored+" WHERE id = ?", g.id)
}
