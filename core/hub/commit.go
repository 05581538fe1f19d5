package hub

import (
	"cmp"
	"errors"
	"hash/crc32"
	"io"
	"slices"

	"winnow/core/review"
	"winnow/core/session"
)

// commit stores all that was read up to s: the source's state, its issues and
// every session that changed, in one transaction. Until the source is read to
// its end, it is stored without a time, so that the next import goes on.
func (rd *reading) commit(s *session.State, end bool) error {
	// Segments get their ids from the store, so the write before must be done.
	if err := rd.wait(); err != nil {
		return err
	}
	first := rd.last == nil
	j := &job{write: ImportWrite{
		Fresh: first && rd.rewrite, Resolved: first && rd.resolved,
		Issues: rd.issues,
	}, size: 64 * len(rd.issues)}
	rd.dropEmptied()
	for _, key := range rd.order {
		t := rd.trackers[key]
		if !t.dirty || t.messages() == 0 {
			continue
		}
		if err := rd.take(t); err != nil {
			return err
		}
	}
	for i := range rd.out {
		j.size += rd.out[i].bytes()
	}
	j.write.Sessions, j.write.Leave = rd.out, rd.leave[:min(leaveBatch, len(rd.leave))]
	rd.leave = rd.leave[len(j.write.Leave):]
	rd.out = nil
	if rd.src.Reason = ""; rd.src.Sessions == 0 && end {
		rd.src.Reason = rd.whatSeen
	}
	rd.src.State = s.Keep()
	rd.src.State.Messages = rd.messages
	rd.src.Format = s.Format
	if err := rd.prove(j, end); err != nil {
		return err
	}
	base := rd.base
	j.write.Source, j.write.Base = *rd.src, &base
	rd.base = BaseOf(&rd.src.State)
	if !end {
		j.write.Source.ModTime = 0
	}
	j.urgent = !first
	rd.issues, rd.raw, rd.last = nil, 0, j
	rd.forget()
	return rd.run.committer.put(rd.ctx, j)
}

// ready reports whether wait would not have to wait.
func (rd *reading) ready() bool {
	return rd.conflict != nil || rd.last == nil || rd.last.done == nil || len(rd.last.done) > 0
}

// wait waits until the last commit is stored.
func (rd *reading) wait() error {
	if rd.last == nil || rd.last.done == nil {
		return nil
	}
	done := rd.last.done
	select {
	case err := <-done:
		rd.last.done = nil
		if err != nil {
			return &review.StoreError{Err: err}
		}
		return nil
	case <-rd.ctx.Done():
		return rd.ctx.Err()
	}
}

// prove adds the checksums by which the next import knows the source again.
// There are none, so that it is read anew then, if it was changed after the
// reading, or if only its end tells whether it was read whole.
func (rd *reading) prove(j *job, end bool) error {
	rd.src.Proof = Proof{}
	if !end && (!rd.in.encoding.Seekable() || rd.former != nil) {
		// What the source held before is told from what it holds now only
		// by reading all of it.
		return nil
	}
	same := true
	if end {
		var err error
		if same, err = rd.asRead(); err != nil {
			return err
		}
	}
	if same {
		p, err := prove(rd.in.f, rd.in.provable(rd.src.State.Offset), rd.desk)
		if err == nil {
			rd.src.Proof = p
			return nil
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
	}
	j.write.Issues = append(slices.Clip(j.write.Issues), session.Issue{
		Severity: session.Note, Reason: "changed while it was read: the next import reads it again",
	})
	return nil
}

// asRead reports whether the file still holds the bytes that were read. It
// looks only if somebody wrote to it meanwhile: mostly to append.
func (rd *reading) asRead() (bool, error) {
	info, err := rd.in.f.Stat()
	if err != nil || info.Size() == rd.in.size && info.ModTime().UnixNano() == rd.in.modTime {
		return err == nil, err
	}
	h := crc32.New(castagnoli)
	n, err := io.Copy(h, io.NewSectionReader(rd.in.f, rd.from, rd.bytes))
	return n == rd.bytes && h.Sum32() == rd.sum, err
}

// leaveBatch is how many sessions leave in one transaction: about 20 ms.
const leaveBatch = 256

// take brings a session among those to be stored with the next commit. Its
// former ones must be done.
func (rd *reading) take(t *tracker) error {
	if !t.counted {
		t.counted = true
		if !t.stored || rd.rewrite {
			rd.src.Sessions++
		}
	}
	if t.row.Body == 0 || t.fresh {
		t.moved = true
	}
	if err := t.carry(rd.ctx, rd.run.im.Store); err != nil {
		return err
	}
	w, err := t.write()
	if err != nil {
		return err
	}
	w.Session.Model = cmp.Or(w.Session.Model, rd.run.im.Model)
	rd.out = append(rd.out, w)
	return nil
}

// complete takes the sessions that were whole in the value just read.
func (rd *reading) complete() error {
	for _, key := range rd.wholes {
		t := rd.trackers[key]
		if t == nil {
			continue
		}
		if t.messages() > 0 {
			if t.unmatched {
				if err := rd.matchWhole(t); err != nil {
					return err
				}
			}
			if err := rd.take(t); err != nil {
				return err
			}
		}
		rd.forgetTracker(key)
	}
	rd.wholes = rd.wholes[:0]
	return nil
}

// forgetTracker ends following a session.
func (rd *reading) forgetTracker(key string) {
	rd.desk.take(&rd.trackers[key].open)
	delete(rd.trackers, key)
	if i := slices.Index(rd.order, key); i >= 0 {
		rd.order = slices.Delete(rd.order, i, i+1)
	}
}

// forget drops trackers of sessions that are stored, when there are many: in
// most formats a session is over when the next one begins.
func (rd *reading) forget() {
	if len(rd.order) <= keepTrackers {
		return
	}
	kept := rd.order[:0]
	for i, key := range rd.order {
		if i < len(rd.order)-1 && rd.trackers[key].messages() > 0 {
			rd.desk.take(&rd.trackers[key].open)
			delete(rd.trackers, key)
			continue
		}
		kept = append(kept, key)
	}
	rd.order = kept
}

// end stores the rest of the source.
func (rd *reading) end(s *session.State) error {
	if rd.former != nil {
		if err := rd.finishFormer(s); err != nil {
			return err
		}
	}
	for len(rd.leave) > leaveBatch {
		if err := rd.commit(s, false); err != nil {
			return err
		}
	}
	return rd.commit(s, true)
}

// release gives the buffers of a finished reading to the next one.
func (rd *reading) release() {
	for _, t := range rd.trackers {
		rd.desk.take(&t.open)
	}
}

// bytes is roughly what storing a session writes.
func (w *SessionWrite) bytes() int {
	n := sessionBytes
	for i := range w.Chunks {
		n += len(w.Chunks[i].Data) + 48*len(w.Chunks[i].Heads)
	}
	return n
}
