package hub

import (
	"context"
	"errors"
	"fmt"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/core/session"
)

// tracker follows one session while its source is read: it numbers and packs
// the messages into chunks and keeps the segments complete.
//
// The newest messages are held back as long as later lines may belong to them:
// they join a chunk when the cover lets go of them or the session is stored.
type tracker struct {
	key     string // in its source
	row     review.Session
	parent  string // session_file of its parent in the same source
	cover   *segment.Cover
	stored  bool // a row existed before this reading
	dirty   bool // something is to be stored
	counted bool // among the sessions of the source
	fresh   bool // the messages replace those stored
	whole   bool // all of it is in one value
	moved   bool // row.Body is not where its messages are now
	emptied bool // all its messages went to another session
	// unmatched says that the session that its source held before, if any, is
	// still to be found.
	unmatched bool
	same      *Known  // the stored session that it equals, nil: to be compared
	before    *before // what a session held that is read anew, nil: nothing to be carried over
	keepTo    int     // stored messages up to here stay

	chunks []Chunk // closed, to be stored
	open   packer
	tail   []message    // held back
	tally  review.Tally // of all messages but those of the tail
	trail  review.Trail // Settled, Head and Opening are kept up to date
	broke  bool         // the last answer of those that are packed is a failure
	follow outcome.Follower
	// sent are the rows of the write before. By the time of the next one the
	// store has filled in the ids of those that were new.
	sent  []review.SegmentWrite
	isNew []bool
}

// newTracker follows a session that is not stored yet.
func newTracker(agent, file string) *tracker {
	return &tracker{row: review.Session{AgentID: agent, File: file}, cover: segment.NewCover(nil), dirty: true}
}

// loadTracker goes on with a stored session.
func loadTracker(ctx context.Context, store ImportStore, agent, file string) (*tracker, error) {
	s, err := store.LoadSession(ctx, agent, file)
	if errors.Is(err, review.ErrNotFound) {
		return newTracker(agent, file), nil
	}
	if err != nil {
		return nil, err
	}
	t := &tracker{row: s.Session, stored: true, trail: s.Trail, broke: s.Failed}
	if s.Messages == 0 {
		t.anew(s)
		return t, nil
	}
	segments := s.Rows()
	last := segments[len(segments)-1]
	t.trail.Held = min(s.Held, last.End-last.Start+1)
	if t.trail.Held != s.Held {
		return nil, fmt.Errorf("segments of %s do not fit its messages: run winnow doctor", file)
	}
	at := s.Messages - s.Held + 1
	first, err := store.Chunk(ctx, s.Body, min(at, s.Messages))
	if err != nil {
		return nil, err
	}
	if len(first) == 0 {
		return nil, fmt.Errorf("stored messages of %s end early: run winnow doctor", file)
	}
	list := first
	if end := first[len(first)-1].N; end < s.Messages {
		more, err := store.RecordedMessages(ctx, s.Body, end+1, s.Messages)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	if list[len(list)-1].N != s.Messages {
		return nil, fmt.Errorf("stored messages of %s end early: run winnow doctor", file)
	}
	t.keepTo, t.tally = list[0].N-1, s.Tally
	t.follow.Late = t.keepTo > 0
	packed := list[:len(list)-s.Held]
	for i := range packed {
		t.pack(&packed[i])
	}
	tail := list[len(packed):]
	tallies := make([]review.Tally, len(tail))
	for i := range tail {
		m := measured(&tail[i])
		t.tail, tallies[i] = append(t.tail, m), m.tally
		t.tally = t.tally.Minus(m.tally)
	}
	t.unlearn(tail)
	t.cover, err = segment.ResumeCover(segments, s.Segments[len(s.Segments)-1].HashState, tail, tallies)
	return t, err
}

// anew makes the tracker one that reads a stored session again. Its messages
// so far are none.
func (t *tracker) anew(s *review.StoredSession) {
	t.stored, t.fresh, t.dirty = true, true, true
	t.row.ID, t.row.Body, t.row.SourceID, t.row.CreatedAt = s.ID, s.Body, s.SourceID, s.CreatedAt
	t.trail, t.broke = review.Trail{}, false
	t.cover, t.before = segment.NewCover(s.Rows()), beforeOf(s)
}

// messages is the number of messages so far.
func (t *tracker) messages() int { return t.tally.Messages + len(t.tail) }

func (t *tracker) add(m *chat.Message) {
	m.N = t.messages() + 1
	it := measured(m)
	t.cover.Add(m, it.tally)
	t.tail, t.dirty = append(t.tail, it), true
	t.settle(t.cover.Held())
}

// amend replaces a message that is held back; else it reports false.
func (t *tracker) amend(back int, m *chat.Message) bool {
	m.N = t.messages() - back
	it := measured(m)
	if m.N < 1 || !t.cover.Amend(back, m, it.tally) {
		return false
	}
	t.tail[len(t.tail)-1-back], t.dirty = it, true
	return true
}

// settle packs what is held back, but for the newest messages.
func (t *tracker) settle(but int) {
	n := len(t.tail) - but
	for i := range t.tail[:n] {
		it := &t.tail[i]
		t.tally = t.tally.Plus(it.tally)
		t.learn(&it.Message, t.packAs(&it.Message, it.head))
		if t.row.Model == "" {
			t.row.Model = it.Model
		}
		if it.Timestamp != "" {
			t.stamp(it.Timestamp)
		}
	}
	copy(t.tail, t.tail[n:])
	clear(t.tail[but:]) // lets go of the texts
	t.tail = t.tail[:but]
}

// pack packs a message that is counted already.
func (t *tracker) pack(m *chat.Message) { t.packAs(m, review.HeadOf(m)) }

func (t *tracker) packAs(m *chat.Message, h review.Head) []byte {
	if t.open.full(m.Size()) {
		t.chunks = append(t.chunks, t.open.chunk())
		t.open.reset()
	}
	h.Judge(t.follow.Add(m))
	return t.open.add(m, h)
}

// learn keeps up to date what tells of the messages that are packed.
func (t *tracker) learn(m *chat.Message, packed []byte) {
	t.trail.Follow(m, packed)
	if m.Role == chat.Assistant {
		t.broke = review.Broke(m)
	}
}

// unlearn takes back what messages that are held back told: they may change.
func (t *tracker) unlearn(tail []chat.Message) {
	told := review.Trail{Settled: t.trail.Settled}
	var packed []byte
	for i := range tail {
		packed = chat.AppendMessage(packed[:0], &tail[i])
		told.Follow(&tail[i], packed)
	}
	if told.Head == t.trail.Head {
		t.trail.Head = 0
	}
	if t.tally.Turns == 0 { // all that may be an opening are among them
		t.trail.Opening = 0
	}
}

// trace is that of all messages so far.
func (t *tracker) trace() chat.Trace {
	trail := t.trail
	var packed []byte
	for i := range t.tail {
		packed = chat.AppendMessage(packed[:0], &t.tail[i].Message)
		trail.Follow(&t.tail[i].Message, packed)
	}
	return trail.Settled
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
	t.row.Usage = t.row.Usage.Plus(m.Usage)
	t.whole = t.whole || m.Whole
	if m.Origin.Kind != "" {
		t.row.Origin = m.Origin
		t.row.Origin.Key = ""
	}
}

// isoTime turns a recorded time into RFC 3339 UTC, "" if it is none.
func isoTime(recorded string) string {
	when, ok := chat.ParseTime(recorded)
	if !ok {
		return ""
	}
	return when.Format("2006-01-02T15:04:05.999Z07:00")
}
