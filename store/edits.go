package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/store/sqlite"
)

const editColumns = "body, n, part, op, why, base, message, untrained, clash, entry, sealed"

func editFields(e *edit.Edit) []any {
	return []any{
		&e.Body, &e.N, &e.Part, &e.Op, &e.Why, sumIn{&e.Base}, messageIn{&e.Message}, &e.Untrained, &e.Clash, &e.Entry, &e.Sealed,
	}
}

// sumIn is the column of a sum.
type sumIn struct{ sum *chat.Sum }

// Scan implements sql.Scanner.
func (s sumIn) Scan(v any) error {
	data, _ := v.([]byte)
	if len(data) != len(s.sum) {
		return fmt.Errorf("a sum of %d bytes", len(data))
	}
	*s.sum = chat.Sum(data)
	return nil
}

// messageIn is the column of a message that stands alone; NULL is the zero one.
type messageIn struct{ m *chat.Message }

// Scan implements sql.Scanner.
func (c messageIn) Scan(v any) error {
	*c.m = chat.Message{}
	if v == nil {
		return nil
	}
	data, _ := v.([]byte)
	list, err := chat.ReadChunk(data)
	if err == nil && len(list) != 1 {
		err = fmt.Errorf("%d messages in one edit: %w", len(list), chat.ErrCorruptChunk)
	}
	if err == nil {
		*c.m = list[0]
	}
	return err
}

// keptMessage is what messageIn reads.
func keptMessage(e *edit.Edit) any {
	if e.Op == edit.Drop {
		return nil
	}
	return chat.Compress(nil, chat.AppendMessage(nil, &e.Message))
}

const editsSQL = "SELECT " + editColumns + " FROM edits WHERE body = ? AND n BETWEEN ? AND ? ORDER BY n, part"

// editsAmong are the edits over messages from..to. What is in front of the first
// message belongs to it.
func editsAmong(rows func(text string, args ...any) *sqlite.Rows, body int64, from, to int) ([]edit.Edit, error) {
	if from <= 1 {
		from = 0
	}
	return editsIn(rows(editsSQL, body, from, to))
}

func editsIn(rows *sqlite.Rows) (list []edit.Edit, err error) {
	var e edit.Edit
	for range rows.Into(editFields(&e)...) {
		list = append(list, e)
		e = edit.Edit{}
	}
	return list, rows.Err()
}

func sortEdits(list []edit.Edit) {
	slices.SortFunc(list, func(a, b edit.Edit) int { return comparePlaces(a.Place, b.Place) })
}

// Edits returns the edits over messages from..to (inclusive) of a body, in the
// order of their places, those that clash among them.
func (s *Store) Edits(ctx context.Context, body int64, from, to int) ([]edit.Edit, error) {
	list, err := s.edits(ctx, body, from, to)
	return list, s.fail("read edits", err)
}

// edits is Edits, which asks for the number of them first.
func (s *Store) edits(ctx context.Context, body int64, from, to int) ([]edit.Edit, error) {
	var some bool
	if _, err := s.db.Rows(ctx, "SELECT edits > 0 FROM bodies WHERE id = ?", body).Maybe(&some); err != nil || !some {
		return nil, err
	}
	return editsAmong(func(text string, args ...any) *sqlite.Rows { return s.db.Rows(ctx, text, args...) }, body, from, to)
}

// editedHeads brings index entries to what stands in their places now.
func editedHeads(list []review.Head, edits []edit.Edit) []review.Head {
	now := make([]review.Head, 0, len(list)+len(edits))
	next := 0
	for i := range list {
		was := &list[i]
		for ; next < len(edits) && edits[next].N < was.N; next++ {
			if e := &edits[next]; was.N == 1 && !e.Clash { // in front of the first
				now = append(now, addedHead(e))
			}
		}
		first := next
		if first == len(edits) || edits[first].N > was.N || edits[first].Part > 0 || edits[first].Clash {
			now = append(now, *was)
		}
		for ; next < len(edits) && edits[next].N == was.N; next++ {
			switch e := &edits[next]; {
			case e.Clash:
			case e.Op == edit.Set:
				now = append(now, editedHead(was, e))
			case e.Op == edit.Add:
				now = append(now, addedHead(e))
			}
		}
	}
	return now
}

// addedHead measures a message that was not recorded.
func addedHead(e *edit.Edit) review.Head {
	h := review.HeadOf(&e.Message)
	h.N, h.Part = e.N, e.Part
	return h
}

// editedHead measures the message that stands in the place of a recorded one.
func editedHead(was *review.Head, e *edit.Edit) review.Head {
	h := review.HeadOf(&e.Message)
	h.N, h.Timestamp, h.SourceLine, h.SourceOffset = was.N, was.Timestamp, was.SourceLine, was.SourceOffset
	if h.Role != chat.Tool {
		return h
	}
	if h.Failed == was.Failed && was.Role == chat.Tool {
		h.Found = was.Found
		return h
	}
	setFlags(&h, flagsOf(&h)&^(3<<flagFound), "")
	return h
}

// keptEdit is how the journal keeps a row of edits. What it shares with its place
// is not in it, nor whether it clashes: that follows from what is recorded.
type keptEdit struct {
	Op        edit.Op  `json:"op"`
	Why       edit.Why `json:"why"`
	Base      []byte   `json:"base"`
	Message   []byte   `json:"message,omitzero"` // as chat.AppendMessage
	Untrained bool     `json:"untrained,omitzero"`
	Entry     int64    `json:"entry"`
	Sealed    []byte   `json:"sealed,omitzero"`
}

// keptText returns how an edit is kept, nil for none.
func keptText(e *edit.Edit) (any, error) {
	if e == nil {
		return nil, nil
	}
	k := keptEdit{Op: e.Op, Why: e.Why, Base: e.Base[:], Untrained: e.Untrained, Entry: e.Entry, Sealed: e.Sealed}
	if e.Op != edit.Drop {
		k.Message = chat.AppendMessage(nil, &e.Message)
	}
	text, err := json.Marshal(k)
	return string(text), err
}

// editKept is the other way round.
func editKept(text string, p edit.Place) (*edit.Edit, error) {
	if text == "" {
		return nil, nil
	}
	var k keptEdit
	if err := json.Unmarshal([]byte(text), &k); err != nil {
		return nil, err
	}
	e := &edit.Edit{Place: p, Op: k.Op, Why: k.Why, Untrained: k.Untrained, Entry: k.Entry, Sealed: k.Sealed}
	if len(k.Base) != len(e.Base) {
		return nil, fmt.Errorf("a sum of %d bytes", len(k.Base))
	}
	e.Base = chat.Sum(k.Base)
	if k.Op == edit.Drop {
		return e, nil
	}
	list, err := chat.ReadChunk(chat.Compress(nil, k.Message))
	if err == nil && len(list) != 1 {
		err = fmt.Errorf("%d messages in one edit: %w", len(list), chat.ErrCorruptChunk)
	}
	if err == nil {
		e.Message = list[0]
	}
	return e, err
}
