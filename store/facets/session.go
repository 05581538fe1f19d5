package facets

import "winnow/core/filter"

// sessionFacets are the columns of sessions. A session has the number of its
// body, by which segments name it, as filters in SQL do: no body has its segments
// from two sessions, or is used again.
type sessionFacets struct {
	byBody  map[int64]int32
	byRowid map[int64]int32

	owner         []int64 // rowid, 0 if no session has the body
	id            []string
	file          []string // session_file
	place         []string // in natural order
	folded        []string // file
	copied        []bool   // it has copies elsewhere
	format, model words
}

func newSessionFacets() sessionFacets {
	return sessionFacets{byBody: map[int64]int32{}, byRowid: map[int64]int32{}, format: newWords(), model: newWords()}
}

// number returns the number of a body. One whose session is not known yet is
// empty: whoever reads the segments reads it afterwards.
func (s *sessionFacets) number(body int64) int32 {
	n, ok := s.byBody[body]
	if !ok {
		n = int32(len(s.id))
		s.byBody[body] = n
		s.owner, s.id, s.file = append(s.owner, 0), append(s.id, ""), append(s.file, "")
		s.place = append(s.place, "")
		s.folded, s.copied = append(s.folded, ""), append(s.copied, false)
		s.format.grow()
		s.model.grow()
	}
	return n
}

// put writes a session; moved is whether it has another place.
func (s *sessionFacets) put(r *Session) (n int32, moved bool) {
	n = s.number(r.Body)
	if old, ok := s.byRowid[r.Rowid]; ok && old != n {
		s.remove(r.Rowid) // it has another body, or another session its row
	}
	s.byRowid[r.Rowid] = n
	moved = s.place[n] != r.Place
	s.set(n, r)
	return n, moved
}

// set writes the columns of a session.
func (s *sessionFacets) set(n int32, r *Session) {
	if s.file[n] != r.File {
		s.file[n], s.folded[n] = r.File, filter.Fold(r.File)
		if s.folded[n] == r.File {
			s.folded[n] = r.File // one text instead of two
		}
	}
	s.owner[n], s.id[n], s.place[n], s.copied[n] = r.Rowid, r.ID, r.Place, r.Copied
	s.format.set(n, r.Format)
	s.model.set(n, r.Model)
}

// remove forgets a session that left, as its segments did, unless another one
// has its body now.
func (s *sessionFacets) remove(rowid int64) {
	n, ok := s.byRowid[rowid]
	delete(s.byRowid, rowid)
	if ok && s.owner[n] == rowid {
		s.set(n, &Session{})
	}
}

// whereSession returns the slots whose session passes, which a session is asked for
// once.
func (f *columns) whereSession(in rowSet, passes func(n int32) bool) rowSet {
	a := newAnswers(len(f.sessions.id), func(n uint32) bool { return passes(int32(n)) })
	return in.where(func(slot int32) bool { return a.of(uint32(f.session[slot])) })
}

// whereSessionWord is whereSession for a text of sessions.
func (f *columns) whereSessionWord(in rowSet, c *words, passes func(text string) bool) rowSet {
	a := newAnswers(len(c.text), func(n uint32) bool { return n != 0 && passes(c.text[n]) })
	return f.whereSession(in, func(n int32) bool { return a.of(c.at[n]) })
}
