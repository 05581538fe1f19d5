package store

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
)

const sealedSQL = "SELECT sealed FROM edits INDEXED BY edits_redacted WHERE why = 'redact' AND sealed IS NOT NULL"

// Sealed returns what redactions in force took out: sayings that must be in no
// training data, in whatever session they are said. A message says one of them if
// graph.SayingOf finds it there.
func (s *Store) Sealed(ctx context.Context) (map[graph.Saying]bool, error) {
	all := map[graph.Saying]bool{}
	var list []byte
	rows := s.db.Rows(ctx, sealedSQL)
	for range rows.Into(&list) {
		for ; len(list) >= len(graph.Saying{}); list = list[len(graph.Saying{}):] {
			all[graph.Saying(list)] = true
		}
	}
	return all, s.fail("read what is redacted", rows.Err())
}

// Sealed is Store.Sealed.
func (n *Snapshot) Sealed(ctx context.Context) (map[graph.Saying]bool, error) { return n.s.Sealed(ctx) }

const takenSQL = "SELECT body, n, entry, base FROM edits INDEXED BY edits_redacted WHERE why = 'redact' AND part = 0 AND clash = 0 ORDER BY body, n"

// takenOut remembers what redactions took out: that takes as long as comparing all
// their texts. The zero one is ready.
type takenOut struct {
	mu sync.Mutex
	of map[takenKey]takenTexts
}

// takenTexts are what edit.Taken or edit.Lines tell of a redaction.
type takenTexts struct{ replaced, dropped []string }

// takenKey tells a redaction: of one place another one has another entry, on another
// message another base.
type takenKey struct {
	body  int64
	n     int
	entry int64
	base  chat.Sum
}

// TakenOut returns the texts that redactions in force took out of messages,
// each once: those that gave way to others (edit.Taken), and the lines of messages
// that were dropped (edit.Lines).
func (s *Store) TakenOut(ctx context.Context) (replaced, dropped []string, err error) {
	s.taken.mu.Lock()
	defer s.taken.mu.Unlock()
	var k takenKey
	var keys []takenKey
	rows := s.db.Rows(ctx, takenSQL)
	for range rows.Into(&k.body, &k.n, &k.entry, sumIn{&k.base}) {
		keys = append(keys, k)
	}
	if err := rows.Err(); err != nil {
		return nil, nil, s.fail("read what is redacted", err)
	}
	of, met := make(map[takenKey]takenTexts, len(keys)), map[string]bool{}
	fresh := func(text string) bool {
		known := met[text]
		met[text] = true
		return !known
	}
	var chunk []chat.Message // that was read last, of body
	var body int64
	for _, k := range keys {
		texts, known := s.taken.of[k]
		if !known {
			if last := len(chunk) - 1; k.body != body || last < 0 || k.n > chunk[last].N {
				if chunk, err = s.Chunk(ctx, k.body, k.n); err != nil {
					return nil, nil, err
				}
				body = k.body
			}
			if texts, err = s.takenAt(ctx, k, chunk); err != nil {
				return nil, nil, s.fail("read what is redacted", err)
			}
		}
		of[k] = texts
		for _, text := range texts.replaced {
			if fresh(text) {
				replaced = append(replaced, text)
			}
		}
		for _, text := range texts.dropped {
			if fresh(text) {
				dropped = append(dropped, text)
			}
		}
	}
	s.taken.of = of
	return replaced, dropped, nil
}

const takenStepsSQL = `SELECT session_id, body, n, part, before, after FROM journal_edits e JOIN journal j ON j.id = e.entry
	WHERE e.body = ? AND e.n = ? AND e.part = 0 AND j.undone IN (0, 3) ORDER BY e.entry`

// takenAt compares what redactions wrote at a place with what stood there, a curator's
// text or the message that was recorded, which is in chunk. What a fix changed before is
// not what they took out.
func (s *Store) takenAt(ctx context.Context, k takenKey, chunk []chat.Message) (texts takenTexts, err error) {
	if len(chunk) == 0 || k.n < chunk[0].N || k.n > chunk[len(chunk)-1].N {
		return texts, nil // the body is given up
	}
	recorded := &chunk[k.n-chunk[0].N]
	steps, err := placeChanges(s.db.Rows(ctx, takenStepsSQL, k.body, k.n))
	if err != nil {
		return texts, err
	}
	if last := len(steps) - 1; last < 0 || steps[last].after == nil || steps[last].after.Entry != k.entry {
		// The place was another one then.
		var e edit.Edit
		found, err := s.db.Rows(ctx, editAtSQL, k.body, k.n, 0).Maybe(editFields(&e)...)
		if err == nil && found {
			texts.take(recorded, &e)
		}
		return texts, err
	}
	for i := range steps {
		before, after := steps[i].before, steps[i].after
		if after == nil { // what was recorded stood there again
			texts = takenTexts{}
			continue
		}
		texts.but(before, after)
		switch {
		case after.Why != edit.Redact, before != nil && bytes.Equal(before.Sealed, after.Sealed):
		case before == nil:
			texts.take(recorded, after)
		case before.Op != edit.Drop:
			texts.take(&before.Message, after)
		}
	}
	return texts, nil
}

// but lets go of what an edit says that the one before it did not: it was put back.
func (t *takenTexts) but(before, after *edit.Edit) {
	if before == nil || after.Op == edit.Drop {
		return
	}
	t.replaced = slices.DeleteFunc(t.replaced, func(text string) bool {
		one := edit.NewFinder([]string{text})
		return one.In(&after.Message) && !one.In(&before.Message)
	})
}

// take notes what a redaction took out of a message.
func (t *takenTexts) take(was *chat.Message, e *edit.Edit) {
	if e.Op == edit.Drop {
		t.dropped = append(t.dropped, edit.Lines(was)...)
	} else {
		t.replaced = append(t.replaced, edit.Taken(was, &e.Message)...)
	}
}

// TakenOut is Store.TakenOut.
func (n *Snapshot) TakenOut(ctx context.Context) (replaced, dropped []string, err error) {
	return n.s.TakenOut(ctx)
}
