package hub

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/runs"
)

// The memStore as a CutStore. It applies a write only if what it was made of
// is there, and refuses what would leave a session that no import can go on
// with.

func (s *memStore) SessionsToCut(_ context.Context, q runs.CutQuery) ([]runs.CutRef, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	refs := s.toCut(q)
	if q.Limit < 1 {
		s.t.Fatalf("%d sessions were asked for", q.Limit)
	}
	return refs[:min(q.Limit, len(refs))], nil
}

func (s *memStore) CountToCut(_ context.Context, q runs.CutQuery) (sessions, messages, tokens int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.toCut(q) {
		sessions, messages, tokens = sessions+1, messages+r.Messages, tokens+r.Tokens
	}
	return sessions, messages, tokens, nil
}

func (s *memStore) toCut(q runs.CutQuery) []runs.CutRef {
	var refs []runs.CutRef
	for _, m := range s.sessions {
		r := runs.CutRef{ID: m.ID, File: m.File, Messages: len(m.messages), Tokens: m.Tokens}
		if (q.All || !m.Segmented) && (q.After.ID == "" || byFile(r, q.After) > 0) {
			refs = append(refs, r)
		}
	}
	slices.SortFunc(refs, byFile)
	return refs
}

func byFile(a, b runs.CutRef) int {
	return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.ID, b.ID))
}

// after is what reading after the last message of a body gives.
func (s *memStore) behind(body int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.sessions {
		if m.Body == body {
			return nil
		}
	}
	return review.ErrNotFound
}

func (s *memStore) EachRecorded(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	return s.EachMessage(ctx, body, from, to, f)
}

func (s *memStore) EachMessage(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error {
	s.mu.Lock()
	s.readings++
	s.mu.Unlock()
	for from <= to {
		list, err := s.Chunk(ctx, body, from)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return s.behind(body)
		}
		for i := range list {
			if n := list[i].N; n < from || n > to {
				continue
			}
			if err := f(&list[i]); err != nil {
				return err
			}
		}
		from = list[len(list)-1].N + 1
		clear(list) // a message is valid during the call only
	}
	return nil
}

// WriteAllCuts is one transaction of several writes. A store that is to fail
// takes none of them.
func (s *memStore) WriteAllCuts(_ context.Context, list []*runs.CutWrite) error {
	if s.failCutsAt > 0 {
		return errFull
	}
	for range list {
		s.beforeCut()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cutTransactions++
	for _, w := range list {
		if !s.cutSession(w.Session).fits(w) {
			return fmt.Errorf("session %s: %w", w.Session, review.ErrConflict)
		}
	}
	for _, w := range list {
		s.applyCuts(s.cutSession(w.Session), w)
	}
	return nil
}

// beforeCut counts a write and tells its number to whoever waits for it.
func (s *memStore) beforeCut() int {
	s.mu.Lock()
	s.cutWrites++
	before, n := s.beforeCuts, s.cutWrites
	s.mu.Unlock()
	if before != nil {
		before(n)
	}
	return n
}

// cutSession is the session with an id, nil if there is none.
func (s *memStore) cutSession(id string) *memSession {
	for _, m := range s.sessions {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// fits reports whether the session is as a write was made of.
func (m *memSession) fits(w *runs.CutWrite) bool {
	return m != nil && m.Body == w.Body && len(m.messages) == w.Messages && slices.EqualFunc(m.Segments, w.Known, sameRow)
}

// WriteCuts is one transaction.
func (s *memStore) WriteCuts(_ context.Context, w *runs.CutWrite) (review.Entry, error) {
	n := s.beforeCut()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cutTransactions++
	if s.failCutsAt > 0 && n >= s.failCutsAt {
		return review.Entry{}, errFull
	}
	m := s.cutSession(w.Session)
	if !m.fits(w) {
		return review.Entry{}, fmt.Errorf("session %s: %w", w.Session, review.ErrConflict)
	}
	s.applyCuts(m, w)
	return review.Entry{Curator: w.Curator, Action: w.Action}, nil
}

// applyCuts does what a write says.
func (s *memStore) applyCuts(m *memSession, w *runs.CutWrite) {
	for _, id := range w.Retire {
		if s.verdict(id).Judged() {
			s.retiredJudged = append(s.retiredJudged, id)
		}
	}
	m.Segments = slices.DeleteFunc(slices.Clone(m.Segments), func(r review.SegmentWrite) bool { return slices.Contains(w.Retire, r.ID) })
	m.retired = append(m.retired, w.Retire...)
	for i := range w.Segments {
		s.writeCut(m, &w.Segments[i])
	}
	slices.SortFunc(m.Segments, func(a, b review.SegmentWrite) int { return a.Start - b.Start })
	if w.Trail != nil {
		m.Held, m.Settled = w.Trail.Held, w.Trail.Settled
	}
	provisional := slices.ContainsFunc(m.Segments, func(r review.SegmentWrite) bool { return r.CutBy == review.CutProvisional })
	if w.Curator == "" || !provisional {
		m.Segmented = true
	}
	s.check(m)
}

// writeCut inserts or updates a row. What curators and scorers left on one that
// stays is not touched.
func (s *memStore) writeCut(m *memSession, r *review.SegmentWrite) {
	if r.ID == "" {
		s.nextID++
		r.ID = fmt.Sprintf("segment-%d", s.nextID)
		m.Segments = append(m.Segments, *r)
		return
	}
	at := slices.IndexFunc(m.Segments, func(o review.SegmentWrite) bool { return o.ID == r.ID })
	if at < 0 {
		s.t.Fatalf("%s: update of unknown segment %s", m.File, r.ID)
	}
	if old := &m.Segments[at]; !reflect.DeepEqual(marksOf(&old.Segment), marksOf(&r.Segment)) {
		s.t.Fatalf("%s: cutting changed what is on segment %s: %+v, was %+v", m.File, r.ID, marksOf(&r.Segment), marksOf(&old.Segment))
	}
	m.Segments[at] = *r
}

// marksOf is what belongs to a segment whatever its place is.
func marksOf(r *review.Segment) []any {
	return []any{
		r.Verdict, r.Reviewer, r.ReviewedAt, r.Note, r.Tags, r.Stale, r.Was, r.WasBy, r.WasAt, r.WasBody, r.WasStart, r.WasEnd,
		r.Labeled, r.Score, r.TaskType, r.Analysis, r.Detail, r.Tally, r.CreatedAt,
	}
}

func sameRow(a review.SegmentWrite, b review.Segment) bool {
	return a.ID == b.ID && a.Start == b.Start && a.End == b.End && a.Digest == b.Digest && reflect.DeepEqual(marksOf(&a.Segment), marksOf(&b))
}

// verifyCuts recomputes what segments say of the messages, and what an import
// needs to go on with them.
func (s *memStore) verifyCuts() {
	s.t.Helper()
	for _, m := range s.sessions {
		s.check(m)
		seen := map[string]bool{}
		for i := range m.Segments {
			r := &m.Segments[i]
			h, tally := chat.NewHasher(), review.Tally{}
			for j := range m.messages[r.Start-1 : r.End] {
				h.Add(&m.messages[r.Start-1+j])
				tally.Add(&m.messages[r.Start-1+j])
			}
			if h.Nth(r.Nth) != r.Fingerprint || h.Digest().Detail != r.Detail || r.Tally != tally || seen[r.Fingerprint] || r.Index != i {
				s.t.Fatalf("%s: segment %d–%d (index %d, the %d. of its content) is %v %+v, want %v %+v; known %v",
					m.File, r.Start, r.End, r.Index, r.Nth, r.Digest, r.Tally, h.Digest(), tally, seen[r.Fingerprint])
			}
			seen[r.Fingerprint] = true
		}
		s.verifyState(m)
	}
}

// verifyState checks that the last segment's hash state, and the trace, are
// those without the messages held back.
func (s *memStore) verifyState(m *memSession) {
	s.t.Helper()
	if len(m.Segments) == 0 {
		return
	}
	last := &m.Segments[len(m.Segments)-1]
	settled := len(m.messages) - m.Held
	if settled < last.Start-1 {
		s.t.Fatalf("%s: %d messages held back, the last segment has %d", m.File, m.Held, last.End-last.Start+1)
	}
	h, trail := chat.NewHasher(), review.Trail{}
	for i := range m.messages[:settled] {
		if i >= last.Start-1 {
			h.Add(&m.messages[i])
		}
		trail.Follow(&m.messages[i], chat.AppendMessage(nil, &m.messages[i]))
	}
	want, err := h.MarshalBinary()
	if err != nil || string(want) != string(last.HashState) {
		s.t.Fatalf("%s: hash state of segment %d–%d (%d held back) is another one", m.File, last.Start, last.End, m.Held)
	}
	if trail.Settled != m.Settled {
		s.t.Fatalf("%s: trace of %d messages is another one", m.File, settled)
	}
}

// verifyNumbers checks that equal segments are numbered in their order.
func (s *memStore) verifyNumbers(m *memSession) {
	s.t.Helper()
	count := map[string]int{}
	for i := range m.Segments {
		r := &m.Segments[i]
		plain := chat.DigestOf(m.messages[r.Start-1 : r.End]).Fingerprint
		if count[plain]++; r.Nth != count[plain] {
			s.t.Fatalf("%s: segment %d–%d is number %d of its content, want %d", m.File, r.Start, r.End, r.Nth, count[plain])
		}
	}
}
