package hub

import (
	"winnow/core/chat"
	"winnow/core/review"
)

// identify gives the cover the ids of the rows that the last write made. That
// write must be done.
func (t *tracker) identify() {
	var inserted []review.Segment
	for i := range t.sent {
		if t.isNew[i] {
			inserted = append(inserted, t.sent[i].Segment)
		}
	}
	t.cover.Stored(inserted)
	t.sent, t.isNew = nil, t.isNew[:0]
}

// write returns what brings the stored session to the state read so far. The
// session can go on afterwards: the messages of the chunk that is not full,
// and those held back, are then written again.
func (t *tracker) write() (SessionWrite, error) {
	t.identify()
	row, trail, keepTo := t.row, t.trail, t.keepTo
	row.Tally, row.Failed = t.tally, t.broke
	chunks := t.part(&row, &trail)
	snap, err := t.cover.Snapshot()
	if err != nil {
		return SessionWrite{}, err
	}
	row.Failed = row.Failed || row.Completed != nil && !*row.Completed
	row.Segmented, row.Ended = snap.Segmented, isoTime(row.Ended)
	trail.Held = snap.Held
	w := SessionWrite{
		Session: row, Trail: trail, ParentFile: t.parent, New: !t.stored, NewBody: t.fresh, KeepTo: keepTo, Chunks: chunks,
		Verdicts: map[string]review.Verdict{},
	}
	if k := t.same; k != nil { // its segments are as they are
		if w.Session.Segmented = k.Segmented; w.Trail.Held != k.Held {
			w.Trail.Held, w.Trail.Settled = k.Held, k.Settled
		}
		t.chunks, t.fresh, t.dirty, t.same = nil, false, false, nil
		return w, nil
	}
	for i := range snap.Changed {
		r := &snap.Changed[i]
		sw := review.SegmentWrite{Segment: *r}
		if r.End == row.Tally.Messages {
			sw.HashState = snap.HashState
		}
		w.Segments = append(w.Segments, sw)
		t.isNew = append(t.isNew, r.ID == "")
		if r.ID != "" {
			w.Verdicts[r.ID] = r.Verdict
		}
	}
	for i := range snap.Retired {
		r := &snap.Retired[i]
		w.Retire = append(w.Retire, r.ID)
		w.Verdicts[r.ID] = r.Verdict
	}
	t.chunks, t.fresh, t.dirty, t.sent, t.stored = nil, false, false, w.Segments, true
	return w, nil
}

// part returns the chunks to be stored, those that are not full among them,
// and counts the messages held back in row and trail. Later ones are packed as
// if that had not been.
func (t *tracker) part(row *review.Session, trail *review.Trail) []Chunk {
	chunks := t.chunks
	packed, heads := len(t.open.packed), len(t.open.heads)
	t.keepTo = t.tally.Messages - heads
	p, follow := &t.open, t.follow.Clone()
	for i := range t.tail {
		it := &t.tail[i]
		it.head.Judge(follow.Add(&it.Message))
		if p.full(it.Size()) {
			full := p.chunk()
			full.Heads = append([]review.Head(nil), full.Heads...)
			chunks = append(chunks, full)
			if p == &t.open {
				p.drop(packed, heads)
				p = &packer{}
			} else {
				p.reset()
			}
		}
		row.Tally = row.Tally.Plus(it.tally)
		trail.Follow(&it.Message, p.add(&it.Message, it.head))
		if row.Model == "" {
			row.Model = it.Model
		}
		if it.Timestamp != "" {
			if row.Started == "" {
				row.Started = isoTime(it.Timestamp)
			}
			row.Ended = it.Timestamp
		}
		if it.Role == chat.Assistant {
			row.Failed = review.Broke(&it.Message)
		}
	}
	if len(p.heads) > 0 {
		last := p.chunk()
		last.Heads = append([]review.Head(nil), last.Heads...)
		chunks = append(chunks, last)
	}
	if p == &t.open {
		p.drop(packed, heads)
	}
	trail.Trace = trail.Settled
	trail.Settled = t.trail.Settled
	return chunks
}
