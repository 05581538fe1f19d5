package store

import (
	"fmt"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/outcome"
	"winnow/core/review"
	"winnow/store/text"
)

// Ids of chunks and messages are body << bodyShift | number: the messages of a
// session are one range, and ids are never used again.
const bodyShift = 32

// maxMessages is the largest message number that an id can hold.
const maxMessages = 1<<bodyShift - 1

func messageID(body int64, n int) int64 { return body<<bodyShift | int64(n) }

// lastID is the largest id of a body.
func lastID(body int64) int64 { return messageID(body+1, 0) - 1 }

func numberOf(id int64) int { return int(id & maxMessages) }

// truncate removes the messages after keep, which lies on a chunk border. It returns
// those that anybody has seen.
func (im *importing) truncate(body int64, keep int) (seen []seenHead, err error) {
	last, err := im.lastMessage(body)
	if err != nil || last == keep {
		return nil, err
	}
	if last < keep {
		return nil, fmt.Errorf("%w: message %d was to be kept, %d are stored; import it again", review.ErrConflict, keep, last)
	}
	if err := im.formerly(body, keep, body); err != nil {
		return nil, err
	}
	if err := im.heads.flush(im.tx); err != nil { // rows of this body may be among them
		return nil, err
	}
	if seen, err = im.seenHeads(body, keep); err != nil {
		return nil, err
	}
	err = im.run([]any{messageID(body, keep+1), lastID(body)}, "DELETE FROM chunks WHERE id BETWEEN ? AND ?", "DELETE FROM messages WHERE id BETWEEN ? AND ?")
	if err == nil {
		err = im.do("DELETE FROM starts WHERE body = ? AND n > ?", body, keep)
	}
	if err == nil {
		err = im.do("DELETE FROM contexts WHERE body = ? AND n > ?", body, keep)
	}
	if err == nil {
		err = text.Note(im.Tx, body, keep, keep, im.number)
	}
	if err != nil {
		return nil, err
	}
	if last, err = im.lastMessage(body); err == nil && last != keep {
		err = fmt.Errorf("%w: message %d is not the last of a chunk; import it again", review.ErrConflict, keep)
	}
	return seen, err
}

// lastMessage returns the number of the last message that is stored of a body, 0
// for none.
func (t *tx) lastMessage(body int64) (last int, err error) {
	_, err = t.Rows("SELECT last FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1", messageID(body, 1), lastID(body)).Maybe(&last)
	return last, err
}

// chunks adds messages after keep.
func (im *importing) chunks(body int64, keep int, chunks []hub.Chunk) error {
	next := keep + 1
	for i := range chunks {
		c := &chunks[i]
		if c.First != next || c.Last < c.First || len(c.Heads) != c.Last-c.First+1 {
			return fmt.Errorf("chunk of messages %d to %d with %d heads where %d is next", c.First, c.Last, len(c.Heads), next)
		}
		next = c.Last + 1
		const text = "INSERT INTO chunks (id, last, raw, data) VALUES (?, ?, ?, ?)"
		if err := im.do(text, messageID(body, c.First), c.Last, c.Raw, c.Data); err != nil {
			return err
		}
		for j := range c.Heads {
			if err := im.heads.add(im.tx, body, &c.Heads[j]); err != nil {
				return err
			}
		}
		if err := im.starts(body, c.Starts); err != nil {
			return err
		}
		if err := im.contexts(body, c.Contexts); err != nil {
			return err
		}
	}
	if len(chunks) == 0 {
		return nil
	}
	return text.Note(im.Tx, body, keep, next-1, im.number)
}

var insertHeads = insertInto("messages", "id, flags, content_len, reasoning_len, calls, tokens, tool, timestamp, source_line, source_offset, evidence")

// headRows inserts message rows.
type headRows struct{ waiting }

func (r *headRows) add(t *tx, body int64, h *review.Head) error {
	return r.waiting.add(t, insertHeads, messageID(body, h.N), flagsOf(h), int64(h.ContentLen), int64(h.ReasoningLen), int64(h.Calls), int64(h.Tokens),
		valueOrNull(h.Tool), valueOrNull(h.Timestamp), h.SourceLine, h.SourceOffset, valueOrNull(h.Found.Evidence))
}

func (r *headRows) flush(t *tx) error { return r.waiting.flush(t, insertHeads) }

// Flags of a message row; see the schema.
const (
	flagRoles  = 3
	flagTool   = 3 // among roles
	flagFailed = 4
	flagMarks  = 3  // shift
	flagFound  = 20 // shift: 0 unknown, or 1 and the outcome; 2 bits
)

// roles by their stored number: never reorder them.
var roles = [...]chat.Role{chat.System, chat.User, chat.Assistant, chat.Tool}

func flagsOf(h *review.Head) int64 {
	flags := int64(h.Marks) << flagMarks
	for i, r := range roles {
		if r == h.Role {
			flags |= int64(i)
		}
	}
	if h.Failed {
		flags |= flagFailed
	}
	if h.Judged {
		flags |= foundFlag(h.Found.Outcome)
	}
	return flags
}

// foundFlag tells an outcome in the flags of a message.
func foundFlag(o outcome.Outcome) int64 { return (int64(o) + 1) << flagFound }

func setFlags(h *review.Head, flags int64, evidence string) {
	h.Judged, h.Found = false, outcome.Finding{}
	if found := flags >> flagFound & 3; found > 0 {
		h.Judged, h.Found = true, outcome.Finding{Outcome: outcome.Outcome(found - 1), Evidence: evidence}
	}
	h.Role = roles[flags&flagRoles]
	h.Failed = flags&flagFailed != 0
	h.Marks = chat.Marks(flags >> flagMarks)
}
