package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/segment"
)

// keepText is the text of one session, in bytes, that is kept in memory for
// the second reading: a cutter reads it, then it is hashed. Most sessions are
// smaller; of the others each reading decodes a chunk at a time.
const keepText = 8 << 20

// growMost is for how many messages memory is made at once, before any of them
// is read.
const growMost = 1 << 10

// eachFunc is EachMessage or EachRecorded of a store.
type eachFunc = func(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error

// text reads the messages of one stored session for a cutter and for the
// hashes, or those of a segment for a scorer. It is used by one goroutine at a
// time.
type text struct {
	stored eachFunc
	file   string
	body   int64
	last   int // number of the last message
	// from and to are what will be read sooner or later.
	from, to int
	kept     []chat.Message // consecutive
	weight   int            // bytes of text in kept
	large    bool           // more than is kept
	edited   bool           // messages may be dropped and added: nothing is kept
	// failed is the first failure of the store, which is no fault of the
	// cutter that it was told.
	failed error
}

// newText is a session as it was recorded: segments are told by that.
func newText(store CutStore, s *review.StoredSession) *text {
	return &text{stored: store.EachRecorded, file: s.File, body: s.Body, last: s.Messages}
}

// shown is a session as people see it, and with them cutters: t unless anything of
// it is edited.
func (t *text) shown(store CutStore, s *review.StoredSession) *text {
	if s.Edits == 0 {
		return t
	}
	return &text{stored: placed(store.EachMessage), file: s.File, body: s.Body, last: s.Messages}
}

// placed gives cutters one message for each place: one that is dropped is empty, and
// those that are added belong to what they stand after. Boundaries are between places.
func placed(each eachFunc) eachFunc {
	return func(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
		next := from
		dropped := func(until int) (err error) {
			for ; err == nil && next < until; next++ {
				err = f(&chat.Message{N: next, Role: chat.Assistant})
			}
			return err
		}
		err := each(ctx, body, from, to, func(m *chat.Message) error {
			if m.Part > 0 {
				return nil
			}
			if err := dropped(m.N); err != nil {
				return err
			}
			next++
			return f(m)
		})
		if err == nil {
			err = dropped(to + 1)
		}
		return err
	}
}

// expect says that messages from..to will be read, which count so many
// tokens.
func (t *text) expect(from, to, tokens int) {
	t.from, t.to = from, to
	t.large = 3*tokens > keepText // a token is four letters, or one of three bytes
}

// errLarge says that a text is not kept.
var errLarge = errors.New("more text than is kept")

// each calls f for messages from..to in order, as segment.Text.Each.
func (t *text) each(ctx context.Context, from, to int, f func(*chat.Message) error) error {
	if from < 1 || to > t.last {
		return fmt.Errorf("messages %d to %d of %d were asked for", from, to, t.last)
	}
	if !t.large && !t.edited && from <= to {
		if err := t.keep(ctx, from, to); err != nil {
			return err
		}
	}
	if !t.keeps(from) || !t.keeps(to) {
		return t.read(ctx, from, to, f)
	}
	var m chat.Message
	for i := from - t.kept[0].N; i <= to-t.kept[0].N; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		m = t.kept[i] // what f does to it is not kept
		if err := f(&m); err != nil {
			return err
		}
	}
	return nil
}

// forget gives up what is kept, which is read again if it is asked for.
func (t *text) forget() { t.kept, t.weight = nil, 0 }

func (t *text) keeps(n int) bool {
	return len(t.kept) > 0 && t.kept[0].N <= n && n <= t.kept[len(t.kept)-1].N
}

// keep keeps messages from..to, unless that is too much. They are read
// together with what is expected: parts of a chunk cost as much as all of it.
func (t *text) keep(ctx context.Context, from, to int) error {
	if t.keeps(from) && t.keeps(to) {
		return nil
	}
	if t.from > 0 {
		from, to = min(from, t.from), max(to, t.to)
	}
	if len(t.kept) > 0 && from >= t.kept[0].N {
		return t.extend(ctx, t.kept, t.kept[len(t.kept)-1].N+1, to)
	}
	var behind []chat.Message
	if len(t.kept) > 0 {
		behind, to = t.kept, t.kept[0].N-1
	}
	if err := t.extend(ctx, nil, from, to); err != nil || t.large {
		return err
	}
	t.kept = append(t.kept, behind...)
	return nil
}

// extend adds messages from..to to a list, which is what is kept then.
func (t *text) extend(ctx context.Context, list []chat.Message, from, to int) error {
	list = slices.Grow(list, min(to-from+1, growMost))
	err := t.read(ctx, from, to, func(m *chat.Message) error {
		list = append(list, *m)
		if t.weight += m.Size(); t.weight > keepText {
			return errLarge
		}
		return nil
	})
	if errors.Is(err, errLarge) {
		t.kept, t.large = nil, true
		return nil
	}
	if err == nil {
		t.kept = list
	}
	return err
}

// read reads messages from..to, each of which must be there unless some are edited.
func (t *text) read(ctx context.Context, from, to int, f func(*chat.Message) error) error {
	next := from
	var stopped error
	err := t.stored(ctx, t.body, from, to, func(m *chat.Message) error {
		if t.edited {
			stopped = f(m)
		} else if m.N != next {
			stopped = t.missing(next)
		} else {
			next++
			stopped = f(m)
		}
		return stopped
	})
	switch {
	case stopped != nil:
		return stopped
	case err == nil && next <= to && !t.edited:
		return t.missing(next)
	case err != nil && ctx.Err() == nil && t.failed == nil:
		t.failed = err
	}
	return err
}

// ErrMissing says that fewer messages are stored than were.
var ErrMissing = errors.New("is missing: run winnow doctor")

func (t *text) missing(n int) error {
	return fmt.Errorf("message %d of %s %w", n, t.file, ErrMissing)
}

// errNamed ends the search for a title.
var errNamed = errors.New("found")

// title is that of messages from..to, "" if none of them gives one.
func (t *text) title(ctx context.Context, from, to int) (string, error) {
	var n segment.Naming
	err := t.each(ctx, from, to, func(m *chat.Message) error {
		if n.Add(m); n.Done {
			return errNamed
		}
		return nil
	})
	if errors.Is(err, errNamed) {
		err = nil
	}
	return n.Title, err
}

// forCutter is a run of the text as a cutter gets it.
func (t *text) forCutter(from, to int) segment.Text {
	return segment.Text{From: from, To: to, Each: func(ctx context.Context, a, b int, f func(*chat.Message) error) error {
		if b > to {
			return fmt.Errorf("messages %d to %d were asked for, which go to %d", a, b, to)
		}
		return t.each(ctx, a, b, f)
	}}
}
