package text

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"winnow/core/chat"
	"winnow/core/words"
)

// wordEnd is how far in front of a place, in bytes, a part of a message may end so
// that no word is cut.
const wordEnd = 1 << 10

// passageRow is a passage to be written, and the states of its body before and
// after it.
type passageRow struct {
	body     int64
	id       int64
	replaces int64 // id of the passage that it takes the place of; 0: none
	words    string
	size     int // bytes of text
	from, to state
}

// filler reads messages that are to be indexed and makes passages of them, while
// those before are written.
type filler struct {
	*Index
	out    chan []passageRow
	size   atomic.Int64 // bytes of text that a transaction should hold
	missed bool

	rows  []passageRow
	bytes int // of text in rows

	// The body that is read, and the passage that is being made.
	state    state
	set      words.Set
	open     passage // no message yet if first is 0
	text     int     // bytes of text in it
	replaces int64
}

// filler returns one that makes passages for ahead transactions before they are
// asked for.
func (x *Index) filler(ahead int) *filler {
	f := &filler{Index: x, out: make(chan []passageRow, ahead)}
	f.size.Store(int64(min(4*x.Sizes.Least, x.Sizes.Most)))
	return f
}

// adapt finds how much a transaction should hold from what one took.
func (f *filler) adapt(size int, took time.Duration) {
	can := float64(size) * float64(fillTook) / float64(took)
	f.size.Store(int64(min(max(can, float64(f.Sizes.Least)), float64(f.Sizes.Most))))
}

const unindexedSQL = "SELECT id, outdated, " + stateColumns + " FROM bodies WHERE indexed < stored AND dropped = 0 AND id > ? ORDER BY id LIMIT 1"

// read makes passages of all bodies that are not filled. One that is damaged
// keeps no other from being found: what is wrong with the first is told at the
// end.
func (f *filler) read(ctx context.Context) error {
	var broken error
	for body := int64(0); ; {
		var outdated bool
		some, err := f.DB.Rows(ctx, unindexedSQL, body).Maybe(append([]any{&body, &outdated}, f.state.dest()...)...)
		if err == nil && !some {
			return cmp.Or(f.flush(ctx), broken)
		}
		if err == nil {
			err = checkBody(body)
		}
		if err == nil && outdated {
			if err = f.clear(ctx, body); err == nil {
				body-- // look again
				continue
			}
		}
		if err == nil {
			err = f.body(ctx, body)
		}
		if errors.Is(err, chat.ErrCorruptChunk) {
			broken, err = cmp.Or(broken, err), nil
		}
		if err != nil {
			return err
		}
	}
}

// body makes passages of what is left of a body.
func (f *filler) body(ctx context.Context, body int64) error {
	n, skip := f.state.indexed+1, max(f.state.part, 0)
	f.open, f.replaces, f.text = passage{body: body}, 0, 0
	f.set.Reset() // of one that was not read to its end
	if f.state.part == openEnd {
		first, id, err := f.openPassage(ctx, body, n)
		if err != nil {
			return err
		}
		n, f.replaces = first, id
	}
	over, err := f.Over(ctx, body, n, f.state.stored)
	if err != nil {
		return err
	}
	var m chat.Message
	for last := 0; n <= min(f.state.stored, maxIndexed); n = last + 1 {
		c, err := f.Chunk(ctx, body, n)
		if errors.Is(err, sql.ErrNoRows) {
			return nil // given up meanwhile
		}
		for more := err == nil; more; {
			if more, err = c.Next(&m); !more || err != nil {
				break
			}
			if last = m.N; last < n || last > maxIndexed {
				continue
			}
			if err := f.add(ctx, over.Joined(&m), skip); err != nil {
				return err
			}
			skip = 0
		}
		if err != nil {
			return err
		}
		if last < n {
			break
		}
	}
	return f.close(ctx, openEnd)
}

// openPassage returns where filling goes on before message n: with the passage in
// front of it, which is replaced, if messages may be added to that.
func (x *Index) openPassage(ctx context.Context, body int64, n int) (first int, replaces int64, err error) {
	var id int64
	found, err := x.DB.Rows(ctx, beforeSQL, passagesFrom(body, 0), passagesFrom(body, n)-1).Maybe(&id)
	p := passageOf(id)
	if err != nil || !found || p.part > 0 || p.last != n-1 || p.last-p.first+1 >= passageMessages {
		return n, 0, err
	}
	role, err := x.Role(ctx, body, n)
	if errors.Is(err, sql.ErrNoRows) || err == nil && beginsPassage(role) {
		return n, 0, nil
	}
	return p.first, id, err
}

// beginsPassage reports whether a message begins a passage whatever is before
// it. Machines cut sessions there, so that nearly every passage lies in one
// segment.
func beginsPassage(r chat.Role) bool { return r == chat.User || r == chat.System }

// add adds a message to the open passage, or begins another; of a long message
// the first skip parts are left out.
func (f *filler) add(ctx context.Context, m *chat.Message, skip int) error {
	size := m.Size()
	if f.open.first > 0 && (beginsPassage(m.Role) || m.N-f.open.first >= passageMessages || f.text+size > f.Sizes.Passage) {
		if err := f.close(ctx, 0); err != nil {
			return err
		}
	}
	if size > f.Sizes.Passage {
		return f.parts(ctx, m, size, skip)
	}
	if f.open.first == 0 {
		f.open.first = m.N
	}
	f.open.last = m.N
	f.text += size
	f.set.AddMessage(m)
	return nil
}

// close ends the open passage, if there is one; part is openEnd after the last
// message there is.
func (f *filler) close(ctx context.Context, part int) error {
	if f.open.first == 0 {
		return nil
	}
	to := f.state
	to.indexed, to.part = f.open.last, part
	return f.put(ctx, to)
}

// parts makes passages of the parts of a long message.
func (f *filler) parts(ctx context.Context, m *chat.Message, size, skip int) (err error) {
	limit := max(f.Sizes.Passage, 2*size/passageParts)
	f.open.first, f.open.last, f.open.part = m.N, m.N, 1
	words.Texts(m, func(text string) bool {
		for more := true; more && err == nil; {
			var piece string
			piece, text, more = cutPiece(text, limit-f.text, f.Sizes.Overlap)
			if f.text += len(piece); f.open.part > skip {
				f.set.Add(piece)
			}
			if more { // the part is full
				err = f.part(ctx, skip)
			}
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	to := f.state
	to.indexed, to.part = m.N, 0
	return f.put(ctx, to)
}

// part ends a part of a message after which there are others.
func (f *filler) part(ctx context.Context, skip int) error {
	next := f.open
	next.part++
	if f.open.part > skip {
		to := f.state
		to.indexed, to.part = f.open.first-1, f.open.part
		if err := f.put(ctx, to); err != nil {
			return err
		}
	}
	f.open, f.text = next, 0
	return nil
}

// cutPiece returns the first piece of a text, about size bytes, and where the
// next one begins, overlap in front of its end. more is false for the last one.
func cutPiece(text string, size, overlap int) (piece, rest string, more bool) {
	if len(text) <= size+overlap {
		return text, "", false
	}
	end := wordBefore(text, max(size, 0))
	return text[:end], text[wordBefore(text, max(end-overlap, 0)):], true
}

// wordBefore returns a place at or a little in front of at where no word is cut.
func wordBefore(text string, at int) int {
	from := max(at-wordEnd, 0)
	if n := strings.LastIndexAny(text[from:at], " \n\t"); n >= 0 {
		return from + n + 1
	}
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// put adds the open passage to those that will be written; to is the state of
// its body then.
func (f *filler) put(ctx context.Context, to state) error {
	f.rows = append(f.rows, passageRow{
		body: f.open.body, id: f.open.id(), replaces: f.replaces, words: string(f.set.Bytes()), size: f.text, from: f.state, to: to,
	})
	f.bytes += f.text
	f.state, f.replaces, f.text, f.open = to, 0, 0, passage{body: f.open.body}
	f.set.Reset()
	if int64(f.bytes) < f.size.Load() {
		return nil
	}
	return f.flush(ctx)
}

// flush hands over the passages that are made.
func (f *filler) flush(ctx context.Context) error {
	if len(f.rows) == 0 {
		return ctx.Err()
	}
	rows := f.rows
	f.rows, f.bytes = nil, 0
	select {
	case f.out <- rows:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
