package store

// sessionFacets are the columns of sessions. A session has a number, which
// stays taken when it leaves.
type sessionFacets struct {
	byID    map[string]int32
	byRowid map[int64]int32

	id            []string
	file          []string // session_file
	folded        []string // file
	copied        []bool   // it has copies elsewhere
	agent, format words
	model         words
}

// sessionFacet is a session as it is read.
type sessionFacet struct {
	rowid                    int64
	id                       string
	agent, file, format, mod string
	copied                   bool
}

func newSessionFacets() sessionFacets {
	return sessionFacets{byID: map[string]int32{}, byRowid: map[int64]int32{}, agent: newWords(), format: newWords(), model: newWords()}
}

// number returns the number of a session. One that nothing is known of yet is
// empty: whoever reads its segments reads it afterwards.
func (s *sessionFacets) number(id string) int32 {
	n, ok := s.byID[id]
	if !ok {
		n = int32(len(s.id))
		s.byID[id] = n
		s.id, s.file, s.folded, s.copied = append(s.id, id), append(s.file, ""), append(s.folded, ""), append(s.copied, false)
		s.agent.grow()
		s.format.grow()
		s.model.grow()
	}
	return n
}

// put writes a session; moved is whether its file has another name.
func (s *sessionFacets) put(r *sessionFacet) (n int32, moved bool) {
	if old, ok := s.byRowid[r.rowid]; ok && s.id[old] != r.id {
		s.remove(r.rowid) // numbers of rows that left are given again
	}
	n = s.number(r.id)
	s.byRowid[r.rowid] = n
	moved = s.file[n] != r.file
	if moved {
		s.file[n], s.folded[n] = r.file, fold(r.file)
		if s.folded[n] == r.file {
			s.folded[n] = r.file // one text instead of two
		}
	}
	s.copied[n] = r.copied
	s.agent.set(n, r.agent)
	s.format.set(n, r.format)
	s.model.set(n, r.mod)
	return n, moved
}

// remove forgets a session that left; its segments did, too.
func (s *sessionFacets) remove(rowid int64) {
	n, ok := s.byRowid[rowid]
	if !ok {
		return
	}
	delete(s.byRowid, rowid)
	if s.byID[s.id[n]] == n {
		delete(s.byID, s.id[n])
	}
	s.id[n], s.file[n], s.folded[n], s.copied[n] = "", "", "", false
	s.agent.set(n, "")
	s.format.set(n, "")
	s.model.set(n, "")
}

// where returns the slots whose session passes, which a session is asked for
// once.
func (f *facets) whereSession(in rowSet, passes func(n int32) bool) rowSet {
	a := newAnswers(len(f.sessions.id), func(n uint32) bool { return passes(int32(n)) })
	return in.where(func(slot int32) bool { return a.of(uint32(f.session[slot])) })
}

// whereSessionWord is whereSession for a text of sessions.
func (f *facets) whereSessionWord(in rowSet, c *words, passes func(text string) bool) rowSet {
	a := newAnswers(len(c.text), func(n uint32) bool { return n != 0 && passes(c.text[n]) })
	return f.whereSession(in, func(n int32) bool { return a.of(c.at[n]) })
}
