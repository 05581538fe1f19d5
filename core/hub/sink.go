package hub

import (
	"errors"
	"slices"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
)

// track returns the tracker of a session, loading what is stored of it. A
// session that is whole in the value being read can't be stored yet, unless
// its source was rewritten.
func (rd *reading) track(key string, whole bool) (*tracker, error) {
	if t := rd.trackers[key]; t != nil {
		return t, nil
	}
	var t *tracker
	again := rd.seen[key]
	switch {
	case !again && (rd.isNew || rd.rewrite || whole):
		t = newTracker(rd.src.AgentID, rd.name(key))
		t.unmatched = rd.rewrite
	default:
		if err := rd.wait(); err != nil { // what was sent must be there to be loaded
			return nil, err
		}
		var err error
		if t, err = loadTracker(rd.ctx, rd.run.im.Store, rd.src.AgentID, rd.name(key)); err != nil {
			return nil, &review.StoreError{Err: err}
		}
		if !t.stored {
			copied, err := rd.run.im.Store.HasCopy(rd.ctx, rd.src.ID, key)
			if err != nil {
				return nil, &review.StoreError{Err: err}
			}
			if copied {
				return nil, errCopyGrew
			}
		}
	}
	t.key, t.counted, t.whole = key, again, whole
	if len(rd.order) < keepBuffers { // more of them are not worth the memory
		t.open.packed = append(rd.desk.buffer(), t.open.packed...)
		t.open.small = rd.desk.buffer()
	}
	rd.trackers[key] = t
	if whole {
		rd.wholes = append(rd.wholes, key)
	} else {
		rd.seen[key] = true
	}
	rd.order = append(rd.order, key)
	rd.raw += sessionBytes
	return t, nil
}

// errCopyGrew says that a session goes on of which nothing is stored, because
// it was a copy: the source is read anew.
var errCopyGrew = errors.New("a copy of another session has grown")

// Meta implements session.Sink.
func (rd *reading) Meta(key string, m session.Meta) error {
	t, err := rd.track(key, m.Whole)
	if err != nil {
		return err
	}
	t.meta(m)
	if o := &m.Origin; o.Kind != "" && o.NativeID == "" {
		t.parent = rd.name(o.Key)
	}
	return nil
}

// Message implements session.Sink.
func (rd *reading) Message(key string, m *chat.Message) error {
	t, err := rd.track(key, false)
	if err == nil && t.unmatched && !t.whole {
		err = rd.matchFirst(t, m)
	}
	if err == nil {
		t.add(m)
		rd.messages++
		rd.raw += m.Size()
	}
	return err
}

// Amend implements session.Sink.
func (rd *reading) Amend(key string, back int, m *chat.Message) error {
	t, err := rd.track(key, false)
	if err != nil {
		return err
	}
	rd.raw += m.Size()
	if rd.linked && t.stored && !rd.rewrite {
		return errCopyGrew // parts of the message may be those of others
	}
	if t.amend(back, m) {
		return nil
	}
	if err := rd.arrived(t); err != nil {
		return err
	}
	return t.reopen(rd.ctx, rd.run.im.Store, back, m)
}

// Move implements session.Sink.
func (rd *reading) Move(from string, after int, to string) error {
	source, err := rd.track(from, false)
	if err != nil {
		return err
	}
	target, err := rd.track(to, false)
	if err != nil {
		return err
	}
	if target.unmatched {
		if err := rd.matchFirst(target, nil); err != nil {
			return err
		}
	}
	if rd.linked && source.stored && !rd.rewrite {
		return errCopyGrew // the messages of others stand where these stood
	}
	if err := rd.arrived(source); err != nil {
		return err
	}
	if err := source.move(rd.ctx, rd.run.im.Store, after, target); err != nil {
		return err
	}
	source.emptied = source.messages() == 0
	return nil
}

// arrived sees that all a tracker gave to the store is there, and that it
// knows where.
func (rd *reading) arrived(t *tracker) error {
	if err := rd.wait(); err != nil {
		return err
	}
	if !t.stored || t.row.Body != 0 && !t.moved {
		return nil
	}
	s, err := rd.run.im.Store.LoadSession(rd.ctx, rd.src.AgentID, t.row.File)
	if err != nil {
		return &review.StoreError{Err: err}
	}
	t.row.ID, t.row.Body, t.row.CreatedAt, t.moved = s.ID, s.Body, s.CreatedAt, false
	return nil
}

// dropEmptied ends following the sessions whose messages all went to another
// one, unless others came: then all of it was a branch, and it goes on.
func (rd *reading) dropEmptied() {
	for _, key := range slices.Clone(rd.order) {
		if t := rd.trackers[key]; t.emptied && t.messages() == 0 {
			rd.drop(t)
		}
	}
}

// drop forgets a session that has no message any more, and takes it out of the
// store.
func (rd *reading) drop(t *tracker) {
	if t.stored {
		rd.leave = append(rd.leave, t.row.ID)
		if t.counted {
			rd.src.Sessions--
		}
	}
	rd.forgetTracker(t.key)
}

// Issue implements session.Sink.
func (rd *reading) Issue(i session.Issue) error {
	rd.issues = append(rd.issues, i)
	rd.raw += 64 // a file of blank lines is stored in pieces too
	return nil
}

// LineDone implements session.Sink.
func (rd *reading) LineDone(s *session.State) error {
	if err := rd.complete(); err != nil {
		return err
	}
	if rd.raw < commitBytes || rd.raw < holdBytes && rd.matching() {
		return nil
	}
	return rd.commit(s, false)
}

// matching reports whether a session waits for its old verdicts.
func (rd *reading) matching() bool {
	for _, t := range rd.trackers {
		if t.cover.Matching() || t.before != nil && t.cover.Astray() {
			return true
		}
	}
	return false
}
