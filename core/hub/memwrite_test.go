package hub

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
)

func (s *memStore) WriteSome(_ context.Context, writes []ImportWrite) (int, []Change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes++
	if s.most > 0 {
		writes = writes[:min(s.most, len(writes))]
	}
	if before := s.before; before != nil {
		n := s.writes
		s.mu.Unlock()
		before(n)
		s.mu.Lock()
	}
	for i := range writes {
		if err := s.conflict(&writes[i]); err != nil {
			return 0, nil, err
		}
	}
	if s.failAt > 0 && s.writes >= s.failAt {
		return 0, nil, errFull
	}
	was := s.extents()
	for i := range writes {
		source := s.writeSource(&writes[i])
		var written []*memSession
		for j := range writes[i].Sessions {
			written = append(written, s.writeSession(source, writes[i].Source.Path, &writes[i].Sessions[j]))
		}
		for _, m := range written {
			s.check(m)
		}
		for _, id := range writes[i].Leave {
			s.leave(id, writes[i].Source.Path)
		}
	}
	is := s.extents()
	done := map[string]Change{}
	for id := range was {
		done[id] = Change{id, was[id], is[id]}
	}
	for id := range is {
		done[id] = Change{id, was[id], is[id]}
	}
	return len(writes), slices.Collect(maps.Values(done)), nil
}

// extents returns what counts of all sessions, by id.
func (s *memStore) extents() map[string]Extent {
	all := map[string]Extent{}
	for _, m := range s.sessions {
		h := fnv.New64()
		fmt.Fprint(h, m.File, m.Title, m.Model, m.Ended, m.Trace)
		all[m.ID] = Extent{len(m.messages), h.Sum64() | 1, [2]string{m.NativeID}}
	}
	return all
}

// conflict reports whether somebody else changed what a write goes on from.
func (s *memStore) conflict(w *ImportWrite) error {
	var base Base
	for _, src := range s.sources {
		if src.AgentID == w.Source.AgentID && src.Path == w.Source.Path {
			base = BaseOf(&src.State)
		}
	}
	if w.Base == nil || *w.Base != base {
		return review.ErrConflict
	}
	for _, sw := range w.Sessions {
		for id, verdict := range sw.Verdicts {
			if s.verdict(id) != verdict {
				return review.ErrConflict
			}
		}
	}
	return nil
}

// verdict returns that of a segment, "" without one.
func (s *memStore) verdict(id string) review.Verdict {
	for _, m := range s.sessions {
		for i := range m.Segments {
			if m.Segments[i].ID == id {
				return m.Segments[i].Verdict
			}
		}
	}
	return ""
}

func (s *memStore) writeSource(w *ImportWrite) int64 {
	at := slices.IndexFunc(s.sources, func(o *Source) bool { return o.AgentID == w.Source.AgentID && o.Path == w.Source.Path })
	src := w.Source
	if at < 0 {
		src.ID = int64(len(s.sources) + 1)
		s.sources = append(s.sources, &src)
	} else {
		src.ID = s.sources[at].ID
		s.sources[at] = &src
	}
	if w.Fresh {
		s.issues[src.ID] = nil
	}
	if w.Resolved {
		s.issues[src.ID] = slices.DeleteFunc(s.issues[src.ID], func(i session.Issue) bool {
			return i.Severity == session.Pending || w.Base != nil && i.Line > 0 && i.Offset >= w.Base.Offset
		})
	}
	s.issues[src.ID] = append(s.issues[src.ID], w.Issues...)
	return src.ID
}

// leave removes a session, or keeps it without a source if it is judged.
func (s *memStore) leave(id, path string) {
	for key, m := range s.sessions {
		if m.ID != id {
			continue
		}
		delete(s.sessions, key)
		if slices.ContainsFunc(m.Segments, func(r review.SegmentWrite) bool { return r.Verdict.Judged() }) {
			m.File, m.SourceID = path+"#s="+id, 0
			s.sessions[m.AgentID+" "+m.File] = m
		}
		return
	}
}

// find returns the session that is written, under its present name.
func (s *memStore) find(path string, w *SessionWrite) *memSession {
	key := w.Session.AgentID + " " + w.Session.File
	if w.New {
		s.setAside(key, path)
		return nil
	}
	if w.Session.ID == "" {
		return s.sessions[key]
	}
	for was, m := range s.sessions {
		if m.ID != w.Session.ID || was == key {
			continue
		}
		s.setAside(key, path)
		delete(s.sessions, was)
		s.sessions[key] = m
		break
	}
	return s.sessions[key]
}

// setAside gives the session with a name another one.
func (s *memStore) setAside(key, path string) {
	if other := s.sessions[key]; other != nil {
		delete(s.sessions, key)
		other.File = path + "#s=" + other.ID
		s.sessions[other.AgentID+" "+other.File] = other
	}
}

// takeFrom gives a session the messages of another, which leaves.
func (s *memStore) takeFrom(w *SessionWrite) {
	for key, m := range s.sessions {
		if m.ID == w.From {
			delete(s.sessions, key)
			for _, k := range s.sessions {
				if k.ID == w.Session.ID {
					k.messages, k.chunks = m.messages, m.chunks
				}
			}
			return
		}
	}
	s.t.Fatalf("no session %s", w.From)
}

func (s *memStore) writeSession(source int64, path string, w *SessionWrite) *memSession {
	if w.From != "" {
		s.takeFrom(w)
	}
	key := w.Session.AgentID + " " + w.Session.File
	m := s.find(path, w)
	if m == nil {
		s.nextID++
		m = &memSession{}
		m.Body = int64(s.nextID)
		s.sessions[key] = m
	}
	body, id := m.Body, fmt.Sprint(m.Body)
	if w.NewBody {
		m.messages, m.chunks = nil, nil
	}
	m.Session = w.Session
	m.Body, m.ID, m.SourceID, m.Trail = body, id, source, w.Trail
	if w.From == "" {
		m.messages = m.messages[:w.KeepTo]
	}
	for w.From == "" && len(m.chunks) > 0 && m.chunks[len(m.chunks)-1].Last > w.KeepTo {
		m.chunks = m.chunks[:len(m.chunks)-1]
	}
	for _, c := range w.Chunks {
		got, err := chat.ReadChunk(c.Data)
		if err != nil || len(got) != len(c.Heads) || c.Last-c.First+1 != len(got) || got[0].N != c.First || c.First != len(m.messages)+1 {
			s.t.Fatalf("%s: chunk %d–%d behind %d messages: %d messages, %d heads, %v", w.Session.File, c.First, c.Last, len(m.messages), len(got), len(c.Heads), err)
		}
		m.messages, m.chunks = append(m.messages, got...), append(m.chunks, c)
		var starts []Start
		for i := range got {
			if got[i].Child != "" {
				starts = append(starts, Start{got[i].N, got[i].Child})
			}
		}
		if !slices.Equal(starts, c.Starts) {
			s.t.Fatalf("%s: chunk %d–%d starts %v, its messages %v", w.Session.File, c.First, c.Last, c.Starts, starts)
		}
	}
	for _, id := range w.Retire {
		if s.verdict(id).Judged() {
			s.retiredJudged = append(s.retiredJudged, id)
		}
	}
	m.Segments = slices.DeleteFunc(m.Segments, func(r review.SegmentWrite) bool { return slices.Contains(w.Retire, r.ID) })
	m.retired = append(m.retired, w.Retire...)
	for i := range w.Segments {
		r := &w.Segments[i]
		if r.ID == "" {
			s.nextID++
			r.ID = fmt.Sprintf("segment-%d", s.nextID)
			m.Segments = append(m.Segments, *r)
			continue
		}
		at := slices.IndexFunc(m.Segments, func(o review.SegmentWrite) bool { return o.ID == r.ID })
		if at >= 0 {
			m.Segments[at] = *r
			continue
		}
		if !s.takeSegment(r.ID) {
			s.t.Fatalf("%s: update of unknown segment %s", w.Session.File, r.ID)
		}
		m.Segments = append(m.Segments, *r)
	}
	slices.SortFunc(m.Segments, func(a, b review.SegmentWrite) int { return a.Start - b.Start })
	return m
}

// takeSegment takes a segment out of the session that it is in.
func (s *memStore) takeSegment(id string) bool {
	for _, m := range s.sessions {
		n := len(m.Segments)
		m.Segments = slices.DeleteFunc(m.Segments, func(r review.SegmentWrite) bool { return r.ID == id })
		if len(m.Segments) < n {
			return true
		}
	}
	return false
}

// check tests after each write that the segments cover the messages.
func (s *memStore) check(m *memSession) {
	next := 1
	for _, r := range m.Segments {
		if r.Start != next {
			s.t.Fatalf("%s: segment starts at %d, want %d", m.File, r.Start, next)
		}
		next = r.End + 1
	}
	if next != len(m.messages)+1 || m.Tally.Messages != len(m.messages) {
		s.t.Fatalf("%s: segments end at %d, tally %d, of %d messages", m.File, next-1, m.Tally.Messages, len(m.messages))
	}
}

// verify recomputes what was derived from the messages.
func (s *memStore) verify() {
	s.t.Helper()
	for _, m := range s.sessions {
		for _, r := range m.Segments {
			if d := chat.DigestOf(m.messages[r.Start-1 : r.End]); r.Nth == 1 && d != r.Digest {
				s.t.Fatalf("%s: segment %d–%d: digest %v, want %v", m.File, r.Start, r.End, r.Digest, d)
			}
		}
		var tally review.Tally
		for i := range m.messages {
			tally.Add(&m.messages[i])
		}
		if tally != m.Tally {
			s.t.Fatalf("%s: tally %+v, want %+v", m.File, m.Tally, tally)
		}
	}
}
