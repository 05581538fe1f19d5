package hub

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/core/session"
)

// tracker follows one session while its source is read: it numbers and packs
// the messages into chunks and keeps the segments complete.
//
// The newest message is held back, because a later line may still belong to
// it: it joins a chunk when the next one arrives or the session is stored.
type tracker struct {
	row     review.Session
	cover   *segment.Cover
	stored  bool // a row existed before this reading
	dirty   bool // something is to be stored
	counted bool // in the report
	fresh   bool // the messages replace those stored
	keepTo  int  // stored messages up to here stay

	chunks []Chunk // closed, to be stored
	open   packer
	tally  review.Tally // of all messages but the newest
	last   chat.Message // N 0: none
	head   review.Head  // of last
	counts review.Tally // of last
	// sent are the rows of the write before. By the time of the next one the
	// store has filled in the ids of those that were new.
	sent  []SegmentWrite
	isNew []bool
}

// packer collects messages of one chunk.
type packer struct {
	first  int
	packed []byte
	small  []byte // packed, compressed
	lastAt int    // where the newest message begins in packed
	heads  []review.Head
}

func (p *packer) add(m *chat.Message, h review.Head) {
	if len(p.heads) == 0 {
		p.first = m.N
	}
	p.lastAt = len(p.packed)
	p.packed = chat.AppendMessage(p.packed, m)
	p.heads = append(p.heads, h)
}

// chunk compresses what was collected.
func (p *packer) chunk() Chunk {
	p.small = chat.Compress(p.small[:0], p.packed)
	return Chunk{
		First: p.first, Last: p.first + len(p.heads) - 1, Raw: len(p.packed),
		Data: bytes.Clone(p.small), Heads: p.heads,
	}
}

// drop takes the newest message out again.
func (p *packer) drop() {
	p.packed, p.heads = p.packed[:p.lastAt], p.heads[:len(p.heads)-1]
}

// reset starts the next chunk; the heads now belong to the closed one.
func (p *packer) reset() {
	p.packed, p.heads = p.packed[:0], nil
}

// newTracker follows a session that is not stored yet.
func newTracker(agent, file string) *tracker {
	return &tracker{row: review.Session{AgentID: agent, File: file}, cover: segment.NewCover(nil), dirty: true}
}

// loadTracker goes on with a stored session, or reads it anew if its source
// was rewritten.
func loadTracker(ctx context.Context, store ImportStore, agent, file string, rewrite bool) (*tracker, error) {
	s, err := store.LoadSession(ctx, agent, file)
	if errors.Is(err, review.ErrNotFound) {
		return newTracker(agent, file), nil
	}
	if err != nil {
		return nil, err
	}
	segments := make([]review.Segment, len(s.Segments))
	for i := range s.Segments {
		segments[i] = s.Segments[i].Segment
	}
	t := &tracker{row: s.Session, stored: true}
	if rewrite || s.Messages == 0 {
		t.fresh, t.dirty = true, true
		t.row = review.Session{ID: s.ID, AgentID: agent, File: file, SourceID: s.SourceID, Parent: s.Parent, CreatedAt: s.CreatedAt}
		t.cover = segment.NewCover(segments)
		return t, nil
	}
	tail, err := store.Messages(ctx, s.Body, s.LastChunk, s.Messages)
	if err != nil {
		return nil, err
	}
	if len(tail) == 0 || tail[len(tail)-1].N != s.Messages {
		return nil, fmt.Errorf("stored messages of %s end early: run winnow doctor", file)
	}
	for i := range tail[:len(tail)-1] {
		head, _ := review.Measure(&tail[i])
		t.open.add(&tail[i], head)
	}
	t.last = tail[len(tail)-1]
	t.head, t.counts = review.Measure(&t.last)
	t.keepTo = tail[0].N - 1
	t.tally = s.Tally.Minus(t.counts)
	t.cover, err = segment.ResumeCover(segments, s.Segments[len(s.Segments)-1].HashState, t.last, t.counts)
	return t, err
}

// messages is the number of messages so far.
func (t *tracker) messages() int {
	if t.last.N > 0 {
		return t.last.N
	}
	return t.tally.Messages
}

func (t *tracker) add(m *chat.Message) {
	m.N = t.messages() + 1
	t.settle()
	t.last, t.dirty = *m, true
	t.head, t.counts = review.Measure(m)
	t.cover.Add(m, t.counts)
}

func (t *tracker) amend(m *chat.Message) {
	if t.last.N == 0 {
		t.add(m)
		return
	}
	m.N = t.last.N
	t.last, t.dirty = *m, true
	t.head, t.counts = review.Measure(m)
	t.cover.Amend(m, t.counts)
}

// settle packs the newest message; a giant one gets a chunk of its own.
func (t *tracker) settle() {
	if t.last.N == 0 {
		return
	}
	t.tally = t.tally.Plus(t.counts)
	if len(t.open.heads) > 0 && len(t.open.packed)+t.last.Size() > chat.ChunkSize {
		t.chunks = append(t.chunks, t.open.chunk())
		t.open.reset()
	}
	t.open.add(&t.last, t.head)
	if t.row.Model == "" {
		t.row.Model = t.last.Model
	}
	if t.last.Timestamp != "" {
		t.stamp(t.last.Timestamp)
	}
	t.last = chat.Message{}
}

// stamp widens the session's time span.
func (t *tracker) stamp(recorded string) {
	if t.row.Started == "" {
		t.row.Started = isoTime(recorded)
	}
	t.row.Ended = recorded
}

// meta adds what a source tells about the session.
func (t *tracker) meta(m session.Meta) {
	t.dirty = true
	set := func(dst *string, val string) {
		if val != "" {
			*dst = val
		}
	}
	set(&t.row.Format, m.Format)
	set(&t.row.NativeID, m.NativeID)
	set(&t.row.Title, m.Title)
	set(&t.row.Model, m.Model)
	set(&t.row.Started, isoTime(m.Started))
	set(&t.row.Ended, isoTime(m.Ended))
	set(&t.row.Dir, m.Dir)
	set(&t.row.Tools, m.Tools)
	set(&t.row.Metadata, m.Extra)
	if m.Completed != nil {
		t.row.Completed = m.Completed
	}
}

// write returns what brings the stored session to the state read so far. The
// session can go on afterwards: the messages of the chunk that is not full
// are then written again.
func (t *tracker) write() (SessionWrite, error) {
	var inserted []review.Segment
	for i := range t.sent {
		if t.isNew[i] {
			inserted = append(inserted, t.sent[i].Segment)
		}
	}
	t.cover.Stored(inserted)
	last := t.last
	t.settle()
	chunks := t.chunks
	keepTo := t.keepTo
	if len(t.open.heads) > 0 {
		part := t.open.chunk()
		part.Heads = append([]review.Head(nil), part.Heads...)
		chunks = append(chunks, part)
		t.keepTo = part.First - 1
	}
	snap, err := t.cover.Snapshot()
	if err != nil {
		return SessionWrite{}, err
	}
	row := t.row
	row.Tally, row.Segmented, row.Ended = t.tally, snap.Segmented, isoTime(row.Ended)
	w := SessionWrite{Session: row, NewBody: t.fresh, KeepTo: keepTo, Chunks: chunks, Verdicts: map[string]review.Verdict{}}
	t.isNew = t.isNew[:0]
	for i := range snap.Changed {
		r := &snap.Changed[i]
		sw := SegmentWrite{Segment: *r}
		if i == len(snap.Changed)-1 {
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
	if last.N > 0 {
		// A later line may still change the newest message.
		t.tally = t.tally.Minus(t.counts)
		t.open.drop()
		t.last = last
	}
	t.chunks, t.fresh, t.dirty, t.sent = nil, false, false, w.Segments
	return w, nil
}

// isoTime turns a recorded time into RFC 3339 UTC, "" if it is none.
func isoTime(recorded string) string {
	when, ok := chat.ParseTime(recorded)
	if !ok {
		return ""
	}
	return when.Format("2006-01-02T15:04:05.999Z07:00")
}
