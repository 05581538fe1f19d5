package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// EachMessage calls f for messages from..to (inclusive) of a body as they are now,
// with the edits in force, in order, holding one chunk in memory at a time. It stops
// at the first error of f and returns it. The message is valid during the call; its
// texts stay, and with any of them those of the whole chunk. review.ErrNotFound says
// that the session has a new body and the messages of this one are given up.
func (s *Store) EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	return s.eachMessage(ctx, body, from, to, false, f)
}

// EachRecorded is EachMessage for messages as they were recorded.
func (s *Store) EachRecorded(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	return s.eachMessage(ctx, body, from, to, true, f)
}

func (s *Store) eachMessage(ctx context.Context, body int64, from, to int, recorded bool, f func(*chat.Message) error) error {
	from, to = max(from, 1), int(min(int64(to), maxMessages))
	var m chat.Message
	var over *edit.Overlay // nil: nothing is edited
	asked := recorded
	for from <= to {
		// One statement per chunk: f may take its time, and an open one
		// would keep the log from being emptied.
		c, edited, err := s.chunkOf(ctx, body, from)
		if errors.Is(err, sql.ErrNoRows) {
			return s.fail("read messages", s.there(ctx, body))
		}
		if err == nil && edited && !asked {
			asked = true
			over, err = s.overlay(ctx, body, from, to)
		}
		last := 0
		for more := err == nil; more; {
			if more, err = c.Next(&m); !more {
				break
			}
			last = m.N
			if last < from || last > to {
				continue
			}
			for now := range over.At(&m) {
				if err := f(now); err != nil {
					return err
				}
			}
			m.N = last // f may change m
		}
		if err != nil {
			return s.fail(readingMessage(from, body), err)
		}
		if last < from {
			return nil // from lies after the last message
		}
		from = last + 1
	}
	return nil
}

// overlay returns what lies over messages from..to.
func (s *Store) overlay(ctx context.Context, body int64, from, to int) (*edit.Overlay, error) {
	list, err := s.edits(ctx, body, from, to)
	return edit.NewOverlay(list), err
}

func readingMessage(n int, body int64) string {
	return fmt.Sprintf("read message %d of body %d", n, body)
}

// Chunk returns the messages that are stored together with message n of a
// body; none if the body is given up.
func (s *Store) Chunk(ctx context.Context, body int64, n int) ([]chat.Message, error) {
	c, err := s.chunk(ctx, body, n)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	var list []chat.Message
	if err == nil {
		list, err = c.Rest()
	}
	return list, s.fail(readingMessage(n, body), err)
}

// chunk opens the chunk in which message n lies, or the last chunk if n lies
// after it; sql.ErrNoRows if there is none.
func (s *Store) chunk(ctx context.Context, body int64, n int) (chat.Chunk, error) {
	c, _, err := s.chunkOf(ctx, body, n)
	return c, err
}

// chunkOf is chunk, which also tells whether the body has edits.
func (s *Store) chunkOf(ctx context.Context, body int64, n int) (c chat.Chunk, edited bool, err error) {
	const text = "SELECT data, b.edits > 0 FROM chunks c LEFT JOIN bodies b ON b.id = ?3 WHERE c.id BETWEEN ?1 AND ?2 AND coalesce(b.dropped, 0) = 0 ORDER BY c.id DESC LIMIT 1"
	var from chunkFrom
	err = s.db.Rows(ctx, text, messageID(body, 1), messageID(body, n), body).One(&from, orNull[bool]{&edited})
	return from.Chunk, edited, err
}

// chunkFrom scans a stored chunk without a copy of it.
type chunkFrom struct{ chat.Chunk }

// Scan implements sql.Scanner.
func (c *chunkFrom) Scan(v any) (err error) {
	data, ok := v.([]byte)
	if !ok {
		return fmt.Errorf("a chunk is stored as %T: %w", v, chat.ErrCorruptChunk)
	}
	c.Chunk, err = chat.OpenChunk(data)
	return err
}

// Messages returns messages from..to (inclusive) of a body as they are now, with
// their text. Numbers without a message are left out.
func (s *Store) Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	return collected(func(f func(*chat.Message) error) error { return s.EachMessage(ctx, body, from, to, f) })
}

// RecordedMessages is Messages for messages as they were recorded.
func (s *Store) RecordedMessages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	return collected(func(f func(*chat.Message) error) error { return s.EachRecorded(ctx, body, from, to, f) })
}

func collected(each func(func(*chat.Message) error) error) (list []chat.Message, err error) {
	err = each(func(m *chat.Message) error {
		list = append(list, *m)
		return nil
	})
	return list, err
}

const headsSQL = `SELECT id, flags, content_len, reasoning_len, calls, tokens, tool, timestamp, source_line, source_offset, evidence
	FROM messages WHERE id BETWEEN ? AND ? ORDER BY id`

// Heads returns the index entries of messages from..to (inclusive) of a body as they
// are now, with errors as for EachMessage.
func (s *Store) Heads(ctx context.Context, body int64, from, to int) ([]review.Head, error) {
	from, to = max(from, 1), int(min(int64(to), maxMessages))
	if to < from {
		return nil, nil
	}
	list, err := scanHeads(s.db.Rows(ctx, headsSQL, messageID(body, from), messageID(body, to)))
	if err == nil && len(list) <= to-from {
		err = s.there(ctx, body)
	}
	if err == nil {
		var edits []edit.Edit
		if edits, err = s.edits(ctx, body, from, to); len(edits) > 0 {
			list = editedHeads(list, edits)
		}
	}
	return list, s.fail("read message heads", err)
}

func scanHeads(rows *sqlite.Rows) (list []review.Head, err error) {
	var id, flags int64
	var h review.Head
	var evidence string
	for range rows.Into(&id, &flags, &h.ContentLen, &h.ReasoningLen, &h.Calls, &h.Tokens, orNull[string]{&h.Tool}, orNull[string]{&h.Timestamp}, &h.SourceLine, &h.SourceOffset, orNull[string]{&evidence}) {
		h.N = numberOf(id)
		setFlags(&h, flags, evidence)
		list = append(list, h)
	}
	return list, rows.Err()
}
