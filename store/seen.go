package store

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/sqlite"
)

const (
	// There is no index by the end of spans: a curator has few in a body.
	seenSQL     = "SELECT first, last FROM seen WHERE body = ? AND curator = ? AND last >= ? AND first <= ? ORDER BY first"
	seenBodySQL = "SELECT curator, first, last FROM seen WHERE body = ? AND last >= ? AND first <= ? ORDER BY curator, first"
	unseeSQL    = "DELETE FROM seen WHERE body = ? AND curator = ? AND first BETWEEN ? AND ?"
	seeSQL      = "INSERT INTO seen (body, curator, first, last) VALUES (?, ?, ?, ?)"
	// tellSeenSQL counts for each of a list of body, first message and number of
	// messages what a curator has seen of them.
	tellSeenSQL = `SELECT w.key, sum(min(v.last, (w.value ->> 1) + (w.value ->> 2) - 1) - max(v.first, w.value ->> 1) + 1)
		FROM json_each(?) AS w CROSS JOIN seen v
		WHERE v.body = w.value ->> 0 AND v.curator = ? AND v.last >= w.value ->> 1 AND v.first < (w.value ->> 1) + (w.value ->> 2) GROUP BY w.key`
)

const (
	// seenCount is how many messages of segment s are in spans v, of those that
	// seenOfS finds of a curator.
	seenCount = "coalesce(sum(min(v.last, s.start_line + s.messages - 1) - max(v.first, s.start_line) + 1), 0)"
	seenOfS   = " FROM seen v WHERE v.body = s.body AND v.curator = ? AND v.last >= s.start_line AND v.first < s.start_line + s.messages"
)

// seenShareSQL is how much of a row of task_segments was seen by a curator, an
// argument. It is divided as review.Share does.
var seenShareSQL = strings.ReplaceAll("(SELECT coalesce("+seenCount+" * 1.0 / nullif(s.messages, 0), 0.0)"+seenOfS+")", "s.", "task_segments.")

// Seen returns which messages from first to last of a body the store's curator has
// seen.
func (s *Store) Seen(ctx context.Context, body int64, first, last int) (review.Spans, error) {
	all := review.Spans{{First: first, Last: last}}
	spans, err := scanSpans(s.db.Rows(ctx, seenSQL, body, s.curator, first, last))
	return spans.Both(all), s.fail("read what was seen", err)
}

// See notes that the store's curator has seen messages of a body. Those that are
// not there are nothing. It is no change of Version: nobody has to read anything
// again for it. The last ones may be lost with the power.
func (s *Store) See(ctx context.Context, body int64, spans review.Spans) error {
	if len(spans) == 0 {
		return nil
	}
	err := s.writeBeside(ctx, "note what was seen", func(t *tx) error {
		last, err := t.lastMessage(body)
		if err != nil {
			return err
		}
		var gone bool
		if _, err := t.Rows("SELECT dropped > 0 FROM bodies WHERE id = ?", body).Maybe(&gone); err != nil || gone {
			return err
		}
		return t.see(body, s.curator, spans.Both(review.Spans{{First: 1, Last: last}}))
	})
	s.tidy(1)
	return err
}

// see adds messages to those that a curator has seen of a body.
func (t *tx) see(body int64, curator string, spans review.Spans) error {
	for _, a := range spans {
		// Those that it touches become one with it.
		near, err := scanSpans(t.Rows(seenSQL, body, curator, a.First-1, a.Last+1))
		if err != nil {
			return err
		}
		if near.Has(a) {
			continue
		}
		for _, n := range near {
			a = review.Span{First: min(a.First, n.First), Last: max(a.Last, n.Last)}
		}
		err = t.do(unseeSQL, body, curator, a.First, a.Last)
		if err == nil {
			err = t.do(seeSQL, body, curator, a.First, a.Last)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// seenOf returns what all curators have seen of messages of a body.
func (t *tx) seenOf(body int64, first, last int) (map[string]review.Spans, error) {
	seen := map[string]review.Spans{}
	var curator string
	var a review.Span
	rows := t.Rows(seenBodySQL, body, first, last)
	for range rows.Into(&curator, &a.First, &a.Last) {
		seen[curator] = append(seen[curator], a)
	}
	return seen, rows.Err()
}

// unsee forgets that anybody has seen messages of a body.
func (t *tx) unsee(body int64, first, last int) error {
	seen, err := t.seenOf(body, first, last)
	if err != nil {
		return err
	}
	for curator, spans := range seen {
		err = t.do(unseeSQL, body, curator, spans[0].First, spans[len(spans)-1].First)
		if err == nil {
			err = t.see(body, curator, spans.Without(review.Spans{{First: first, Last: last}}))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// seeAgain takes what was seen of messages from first to last of a body along to
// another, where they begin with message at.
func (t *tx) seeAgain(body int64, first, last int, to int64, at int) error {
	seen, err := t.seenOf(body, first, last)
	for curator, spans := range seen {
		spans = spans.Both(review.Spans{{First: first, Last: last}})
		for i := range spans {
			spans[i].First += at - first
			spans[i].Last += at - first
		}
		if err == nil {
			err = t.see(to, curator, spans)
		}
	}
	return err
}

// seenHead is what tells whether a message that somebody has seen is the same
// after its chunk was written anew.
type seenHead struct {
	n, flags, content, reasoning, calls int
}

// seenHeads reads the messages after keep that anybody has seen: mostly nobody has.
func (t *tx) seenHeads(body int64, keep int) ([]seenHead, error) {
	var some bool
	err := t.Rows("SELECT EXISTS (SELECT 1 FROM seen WHERE body = ? AND last > ?)", body, keep).One(&some)
	if err != nil || !some {
		return nil, err
	}
	const text = `SELECT m.id, m.flags, m.content_len, m.reasoning_len, m.calls FROM messages m WHERE m.id BETWEEN ? AND ?
		AND EXISTS (SELECT 1 FROM seen v WHERE v.body = ? AND v.first <= m.id - ? AND v.last >= m.id - ?)`
	from := messageID(body, 0)
	list, err := sqlite.List(t.Rows(text, messageID(body, keep+1), lastID(body), body, from, from), func(h *seenHead) []any {
		return []any{&h.n, &h.flags, &h.content, &h.reasoning, &h.calls}
	})
	for i := range list {
		list[i].n = numberOf(int64(list[i].n))
	}
	return list, err
}

// keepSeen forgets what was seen of messages that a write took away, or wrote as
// others: an append writes the last chunk anew, of which most messages stay, and
// may go on with the last one.
func (im *importing) keepSeen(body int64, was []seenHead, chunks []hub.Chunk) error {
	const same = flagRoles | flagFailed
	at := 0
	for i := range chunks {
		for j := range chunks[i].Heads {
			h := &chunks[i].Heads[j]
			for ; at < len(was) && was[at].n < h.N; at++ {
				if err := im.unsee(body, was[at].n, was[at].n); err != nil {
					return err
				}
			}
			if at == len(was) {
				return nil
			}
			o := &was[at]
			if o.n == h.N && int64(o.flags)&same == flagsOf(h)&same && o.content == int(h.ContentLen) && o.reasoning == int(h.ReasoningLen) && o.calls == int(h.Calls) {
				at++
			}
		}
	}
	if at == len(was) {
		return nil
	}
	return im.unsee(body, was[at].n, maxMessages)
}

func scanSpans(rows *sqlite.Rows) (spans review.Spans, err error) {
	var a review.Span
	for range rows.Into(&a.First, &a.Last) {
		spans = append(spans, a)
	}
	return spans, rows.Err()
}

// tellSeen tells of segments how many of their messages the store's curator has
// seen. It is asked for apart: only the store knows whose it is.
func (s *Store) tellSeen(list []review.Segment, ask func(text string, args ...any) *sqlite.Rows) error {
	if s.curator == "" || len(list) == 0 {
		return nil
	}
	of := make([][3]int64, len(list))
	for i := range list {
		of[i] = [3]int64{list[i].Body, int64(list[i].Start), int64(list[i].Messages)}
	}
	text, err := json.Marshal(of)
	if err != nil {
		return err
	}
	var at, n int
	rows := ask(tellSeenSQL, string(text), s.curator)
	for range rows.Into(&at, &n) {
		list[at].Seen = n
	}
	return rows.Err()
}

// moveSegments gives a session's segments that stay as they are the body that it goes
// to, and that what was seen in them.
func (im *importing) moveSegments(p target, old int64) error {
	const text = "SELECT start_line, end_line FROM task_segments WHERE session_id = ? AND body = ?"
	stay, err := sqlite.List(im.Rows(text, p.session, old), func(a *review.Span) []any { return []any{&a.First, &a.Last} })
	for _, a := range stay {
		if err == nil {
			err = im.seeAgain(old, a.First, a.Last, p.body, a.First)
		}
	}
	if err != nil {
		return err
	}
	return im.do("UPDATE task_segments SET body = ? WHERE session_id = ? AND body <> ?", p.body, p.session, p.body)
}

// checkSeenSQL finds what cannot have been seen.
const checkSeenSQL = `SELECT 'body ' || v.body, format('messages %d to %d were seen, %s', v.first, v.last, CASE
			WHEN b.id IS NULL THEN 'and are not there'
			WHEN v.last > coalesce((SELECT c.last FROM chunks c WHERE c.id BETWEEN v.body << 32 AND (v.body + 1 << 32) - 1 ORDER BY c.id DESC LIMIT 1), 0)
				THEN 'which are more than are there'
			ELSE 'as others were that they touch' END), json_array(v.body, v.curator, v.first)
		FROM seen v LEFT JOIN bodies b ON b.id = v.body AND b.dropped = 0
		WHERE b.id IS NULL OR v.last > coalesce((SELECT c.last FROM chunks c WHERE c.id BETWEEN v.body << 32 AND (v.body + 1 << 32) - 1 ORDER BY c.id DESC LIMIT 1), 0)
		OR EXISTS (SELECT 1 FROM seen o WHERE o.body = v.body AND o.curator = v.curator AND o.first < v.first AND o.last >= v.first - 1)`
