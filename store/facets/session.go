package facets

// sessionFacets are the columns of sessions. A session has the number of its
// body, by which segments name it, as filters in SQL do: no body has its segments
// from two sessions, or is used again.
type sessionFacets struct {
	byBody  map[int64]int32
	byRowid map[int64]int32

	owner         values[int64] // rowid, 0 if no session has the body
	id            values[string]
	file          paths          // session_file
	place         values[string] // in natural order
	created       values[int64]
	copied        values[bool] // it has copies elsewhere
	format, model words

	all []column // those above
}

func newSessionFacets() *sessionFacets {
	s := &sessionFacets{byBody: map[int64]int32{}, byRowid: map[int64]int32{}, format: newWords(), model: newWords()}
	s.all = []column{&s.owner, &s.id, &s.file, &s.place, &s.created, &s.copied, &s.format, &s.model}
	return s
}

// number returns the number of a body. One whose session is not known yet is
// empty: whoever reads the segments reads it afterwards.
func (s *sessionFacets) number(body int64) int32 {
	n, ok := s.byBody[body]
	if !ok {
		n = int32(len(s.id))
		s.byBody[body] = n
		for _, c := range s.all {
			c.grow()
		}
		s.created[n] = Never
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
	s.file.set(n, r.File)
	s.owner[n], s.id[n], s.place[n], s.copied[n] = r.Rowid, r.ID, r.Place, r.Copied
	s.created[n] = r.Created
	s.format.set(n, r.Format)
	s.model.set(n, r.Model)
}

// remove forgets a session that left, as its segments did, unless another one
// has its body now.
func (s *sessionFacets) remove(rowid int64) {
	n, ok := s.byRowid[rowid]
	delete(s.byRowid, rowid)
	if ok && s.owner[n] == rowid {
		s.set(n, &Session{Created: Never})
	}
}

// sessionsIn returns the numbers of the sessions of slots, and maybe of others.
func (f *columns) sessionsIn(in rowSet) rowSet {
	sessions := newRowSet(len(f.sessions.id))
	if in.len() < len(f.sessions.id) {
		in.each(func(slot int32) { sessions.add(f.session[slot]) })
		return sessions
	}
	for n := range f.sessions.id {
		sessions.add(int32(n))
	}
	return sessions
}

// whereSession returns the slots whose session is one of some.
func (f *columns) whereSession(in, sessions rowSet) rowSet {
	return in.where(func(slot int32) bool { return sessions.has(f.session[slot]) })
}
