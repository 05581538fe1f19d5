package hub

import (
	"context"
	"errors"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/core/session"
)

// Known is what tells a stored session of a rewritten source from others.
type Known struct {
	ID       string
	File     string // session_file
	NativeID string
	Messages int
	review.Trail
	Segmented bool
	// Marked says that a curator left something on it, or that sessions
	// elsewhere are copies of it: it must not vanish.
	Marked bool

	taken bool
}

// former are the sessions that a rewritten source held, to be found again in
// what it holds now: a line inserted at its top gives all of them other keys.
type former struct {
	all      []Known
	byNative map[string][]*Known
	byTrace  map[chat.Trace][]*Known
	byKey    map[string]*Known
	// left are the new sessions that were not found among them: key, native id.
	left   map[string]string
	copied map[likeKnown]bool
}

// likeKnown is how a copy is like the session it is kept as: by its native id,
// else by all messages.
type likeKnown struct {
	native string
	trace  chat.Trace
}

func likeOf(native string, trace chat.Trace) likeKnown {
	if native != "" {
		trace = chat.Trace{}
	}
	return likeKnown{native, trace}
}

// former loads the sessions of a source that is read anew.
func (r *run) former(ctx context.Context, src *Source) (*former, error) {
	all, err := r.im.Store.SourceSessions(ctx, src.ID)
	if err != nil {
		return nil, err
	}
	copied, err := r.im.Store.CopiedSessions(ctx, src.ID)
	if err != nil {
		return nil, err
	}
	f := &former{
		all: all, byNative: map[string][]*Known{}, byTrace: map[chat.Trace][]*Known{},
		byKey: make(map[string]*Known, len(all)), left: map[string]string{}, copied: make(map[likeKnown]bool, len(copied)),
	}
	for i := range copied {
		f.copied[likeOf(copied[i].NativeID, copied[i].Trace)] = true
	}
	for i := range all {
		k := &all[i]
		if k.NativeID != "" {
			f.byNative[k.NativeID] = append(f.byNative[k.NativeID], k)
		}
		if !k.Trace.IsZero() {
			f.byTrace[k.Trace] = append(f.byTrace[k.Trace], k)
		}
		if rest, ok := strings.CutPrefix(k.File, src.Path); ok {
			f.byKey[strings.TrimPrefix(rest, "#")] = k
		}
	}
	return f, nil
}

// free returns the first of some sessions that is not found yet, nil if there
// is none, and takes those that are off the list.
func free(m []*Known) ([]*Known, *Known) {
	for len(m) > 0 && m[0].taken {
		m = m[1:]
	}
	if len(m) == 0 {
		return nil, nil
	}
	return m, m[0]
}

func (f *former) native(id string) (k *Known) {
	if id != "" {
		f.byNative[id], k = free(f.byNative[id])
	}
	return k
}

func (f *former) trace(tr chat.Trace) (k *Known) {
	f.byTrace[tr], k = free(f.byTrace[tr])
	return k
}

// key returns the session that had a key, unless it is another one by its
// native id.
func (f *former) key(key, native string) *Known {
	k := f.byKey[key]
	if k == nil || k.taken || native != "" && k.NativeID != "" && native != k.NativeID {
		return nil
	}
	return k
}

// matchFirst finds out which stored session the one is whose first message
// arrives; m is nil if that is not at hand. Without ids, a first message that
// has little of the old one makes it another session: what was judged of that
// stays with it.
func (rd *reading) matchFirst(t *tracker, m *chat.Message) error {
	t.unmatched = false
	k := rd.former.native(t.row.NativeID)
	if k == nil {
		k = rd.former.key(t.key, t.row.NativeID)
	}
	if k == nil {
		return nil
	}
	s, err := rd.run.im.Store.SessionByID(rd.ctx, k.ID)
	if errors.Is(err, review.ErrNotFound) {
		return nil // it has become a copy of another one meanwhile
	}
	if err != nil {
		return &review.StoreError{Err: err}
	}
	if m != nil && k.Marked && t.row.NativeID == "" {
		first, err := rd.run.im.Store.RecordedMessages(rd.ctx, s.Body, 1, min(early, s.Messages))
		if err != nil {
			return &review.StoreError{Err: err}
		}
		if len(first) > 0 && !begins(first, m) {
			return nil
		}
	}
	k.taken = true
	t.anew(s)
	return nil
}

// telling is the length in bytes from which a text is no mere "go on".
const telling = 20

// begins reports whether a session that began with some messages may begin with
// m now: the first was edited, or those before it were removed.
func begins(first []chat.Message, m *chat.Message) bool {
	return first[0].Role == m.Role && alike(first[0].Content, m.Content) ||
		len(m.Content) >= telling && slices.ContainsFunc(first, func(old chat.Message) bool {
			return old.Role == m.Role && old.Content == m.Content
		})
}

// alike reports whether one text may be the other, edited: what they begin and
// end with alike is at least half of the longer one.
func alike(a, b string) bool {
	short, long := a, b
	if len(short) > len(long) {
		short, long = long, short
	}
	begin := 0
	for begin < len(short) && short[begin] == long[begin] {
		begin++
	}
	end := 0
	for end < len(short)-begin && short[len(short)-1-end] == long[len(long)-1-end] {
		end++
	}
	return 2*(begin+end) >= len(long)
}

// matchWhole finds out which stored session one is that is complete.
func (rd *reading) matchWhole(t *tracker) error {
	t.unmatched = false
	trace := t.trace()
	k := rd.former.trace(trace)
	if k == nil || k.NativeID != t.row.NativeID {
		k = rd.former.native(t.row.NativeID)
	}
	if k == nil {
		// A copy will be linked with what it is a copy of.
		if rd.former.byKey[t.key] != nil && !rd.former.copied[likeOf(t.row.NativeID, trace)] {
			rd.former.left[t.key] = t.row.NativeID
		}
		return nil
	}
	k.taken = true
	if k.Trace == trace {
		t.same = k
		t.row.ID, t.stored, t.fresh = k.ID, true, true
		return nil
	}
	s, err := rd.run.im.Store.SessionByID(rd.ctx, k.ID)
	if errors.Is(err, review.ErrNotFound) {
		return nil
	}
	if err != nil {
		return &review.StoreError{Err: err}
	}
	kept := t.trail
	t.anew(s)
	t.trail = kept
	err = t.each(rd.ctx, rd.run.im.Store, 1, t.messages(), func(m *chat.Message) error {
		t.cover.Add(m, review.TallyOf(m))
		return nil
	})
	t.settle(min(t.cover.Held(), len(t.tail)))
	return err
}

// finishFormer does what is left when all of a rewritten source is read: who
// was not found again gives what curators left on it to the new session in its
// place, or leaves.
func (rd *reading) finishFormer(s *session.State) error {
	f := rd.former
	stored := false
	for i := range f.all {
		k := &f.all[i]
		if k.taken {
			continue
		}
		key := strings.TrimPrefix(strings.TrimPrefix(k.File, rd.src.Path), "#")
		native, left := f.left[key]
		if !k.Marked || !left || f.key(key, native) == nil {
			rd.leave = append(rd.leave, k.ID)
			continue
		}
		if !stored || rd.raw > commitBytes {
			if err := rd.commit(s, false); err != nil {
				return err
			}
			if err := rd.wait(); err != nil {
				return err
			}
			stored = true
		}
		if err := rd.replace(k, key); err != nil {
			return err
		}
	}
	return nil
}

// replace gives the place of a new session, and its messages, to the one that
// had its key before.
func (rd *reading) replace(k *Known, key string) error {
	store := rd.run.im.Store
	keep, err := store.SessionByID(rd.ctx, k.ID)
	if err != nil {
		return &review.StoreError{Err: err}
	}
	from, err := store.LoadSession(rd.ctx, rd.src.AgentID, rd.name(key))
	if err != nil {
		return &review.StoreError{Err: err}
	}
	if keep.ID == from.ID {
		return nil
	}
	if keep.Opening != 0 && from.Opening != 0 && keep.Opening != from.Opening {
		rd.leave = append(rd.leave, keep.ID) // another conversation stands in its place
		return nil
	}
	w, err := takeOver(rd.ctx, store, keep, from)
	if err != nil {
		return &review.StoreError{Err: err}
	}
	rd.out = append(rd.out, w)
	rd.raw += from.Tokens
	return nil
}

// takeOver returns the write by which one stored session takes the place and
// the messages of another, which leaves.
func takeOver(ctx context.Context, store ImportStore, keep, from *review.StoredSession) (SessionWrite, error) {
	row := from.Session
	row.ID, row.CreatedAt = keep.ID, keep.CreatedAt
	w := SessionWrite{Session: row, Trail: from.Trail, From: from.ID, Verdicts: map[string]review.Verdict{}}
	if keep.Trace == from.Trace && !keep.Trace.IsZero() {
		w.Trail.Held, w.Trail.Settled, w.Session.Segmented = keep.Held, keep.Settled, keep.Segmented
		return w, nil
	}
	each := func(f func(*chat.Message) error) error {
		err := eachOf(ctx, store, from.Body, from.Messages, f)
		if errors.Is(err, review.ErrNotFound) {
			err = errors.New("stored messages of " + from.File + " end early: run winnow doctor")
		}
		return err
	}
	cover := segment.NewCover(keep.Rows())
	err := each(func(m *chat.Message) error {
		cover.Add(m, review.TallyOf(m))
		return nil
	})
	if err != nil {
		return w, err
	}
	cover.Settle()
	if b := beforeOf(keep); b != nil && cover.Astray() && from.Messages <= maxCarried {
		c := carrying{before: b, messages: from.Messages, each: each}
		if cover, err = c.cover(ctx, store, cover); err != nil {
			return w, err
		}
	}
	snap, err := cover.Snapshot()
	if err != nil {
		return w, err
	}
	w.Trail.Held, w.Trail.Settled = 0, from.Trace
	w.take(&snap)
	return w, nil
}

// take takes over the segments of a cover of the whole session.
func (w *SessionWrite) take(snap *segment.Snapshot) {
	w.Session.Segmented = snap.Segmented
	for _, s := range snap.Changed {
		sw := review.SegmentWrite{Segment: s}
		if s.End == w.Session.Messages {
			sw.HashState = snap.HashState
		}
		w.Segments = append(w.Segments, sw)
		if s.ID != "" {
			w.Verdicts[s.ID] = s.Verdict
		}
	}
	for _, s := range snap.Retired {
		w.Retire = append(w.Retire, s.ID)
		w.Verdicts[s.ID] = s.Verdict
	}
}
