package reader

import (
	"context"
	"math"
	"sort"

	tea "charm.land/bubbletea/v2"
)

// hit is an occurrence of the query: in the text of block b of message n, or
// in its label, where off is -1.
type hit struct {
	n, b     int
	off, end int
}

// search is a find that is shown. It begins at the message that was current
// and goes round, so that the nearest hit comes first.
type search struct {
	id     int
	query  string
	quiet  bool // it marks what a filter searched for: it moves nothing, and says nothing
	begin  int  // the message where it began
	cancel context.CancelFunc
	// hits in segment order: those before the message where it began, and
	// those from there on.
	early, late []hit
	inLate      bool // where the current hit is
	current     int  // its index there, -1: none yet
	done        bool
}

// hitsKept bounds the hits kept of each half: more than anybody looks at, and
// what a single letter gives in a long session.
const hitsKept = 100_000

func (s *search) count() int { return len(s.early) + len(s.late) }

func (s *search) capped() bool { return len(s.early) >= hitsKept || len(s.late) >= hitsKept }

// index returns the number of the current hit, from 1; 0 without one.
func (s *search) index() int {
	if s.current < 0 {
		return 0
	}
	if s.inLate {
		return len(s.early) + s.current + 1
	}
	return s.current + 1
}

// at returns hit i of all, from 0.
func (s *search) at(i int) hit {
	if i < len(s.early) {
		return s.early[i]
	}
	return s.late[i-len(s.early)]
}

func (s *search) choose(i int) {
	s.inLate = i >= len(s.early)
	s.current = i
	if s.inLate {
		s.current -= len(s.early)
	}
}

func (s *search) isCurrent(h hit) bool { return s.current >= 0 && s.at(s.index()-1) == h }

// within returns the hits in [from, to) of a block's text, also those that
// only reach into it; from -1 is about the block's label.
func (s *search) within(n, b, from, to int) []hit {
	if s == nil || s.count() == 0 {
		return nil
	}
	half := s.early
	if n >= s.begin {
		half = s.late
	}
	low := sort.Search(len(half), func(i int) bool {
		h := &half[i]
		if h.n != n {
			return h.n > n
		}
		return h.b > b || h.b == b && h.end > from
	})
	half = half[low:]
	high := sort.Search(len(half), func(i int) bool {
		h := &half[i]
		return h.n != n || h.b != b || h.off >= to || from < 0 && h.off >= 0
	})
	return half[:high]
}

// holds reports whether a block's text has hits.
func (s *search) holds(n, b int) bool {
	return len(s.within(n, b, 0, math.MaxInt)) > 0
}

func (r *Reader) stopFind() {
	if r.find != nil {
		r.find.cancel()
		r.find = nil
	}
}

// Find looks for a text in all messages of the segment: in any case, unless
// query holds an upper-case letter. The first hit from the current message on
// shows as soon as it is known. An empty query ends the find.
func (r *Reader) Find(query string) tea.Cmd {
	r.notice = ""
	r.stopFind()
	m := newMatcher(query)
	if r.seg.ID == "" || m.query == "" {
		return tea.Batch(r.markTexts(), r.need())
	}
	return r.search(&m, search{query: query, begin: r.cursor})
}

// search looks for something in all messages from s.begin on, and then in those
// before.
func (r *Reader) search(m finding, s search) tea.Cmd {
	r.finds++
	ctx, cancel := context.WithCancel(r.ctx)
	s.id, s.cancel, s.current = r.finds, cancel, -1
	r.find = &s
	q := r.request()
	q.ctx = ctx
	return scan{request: q, id: r.finds, match: m, begin: s.begin, at: s.begin, known: r.large()}.next(nil)
}

// large returns the documents here that are worth not being fetched again.
func (r *Reader) large() map[int]*document {
	known := map[int]*document{}
	for key, b := range r.shelf.books {
		if key.body == r.seg.Body && b.doc.size > runBytes {
			known[key.n] = b.doc
		}
	}
	return known
}

// ClearFind ends the find; the view stays. What a filter searched for is marked
// again.
func (r *Reader) ClearFind() tea.Cmd {
	r.notice = ""
	r.stopFind()
	return tea.Batch(r.markTexts(), r.need())
}

// NextHit goes to the next hit, from the last one to the first.
func (r *Reader) NextHit() tea.Cmd { return r.stepHit(1) }

// PrevHit goes to the hit before, from the first one to the last.
func (r *Reader) PrevHit() tea.Cmd { return r.stepHit(-1) }

func (r *Reader) stepHit(step int) tea.Cmd {
	r.notice = ""
	if r.find == nil {
		return nil
	}
	count := r.find.count()
	if count == 0 {
		r.notice = r.none()
		return nil
	}
	i := r.find.index() - 1
	if i < 0 {
		i = r.find.beside(r.cursor, step)
	}
	switch i += step; {
	case i < 0:
		i, r.notice = count-1, fromBottom
	case i >= count:
		i, r.notice = 0, fromTop
	}
	r.find.choose(i)
	return r.showHit()
}

// found takes a page of hits and asks for the next one.
func (r *Reader) found(msg found) tea.Cmd {
	s := r.find
	if s == nil || msg.scan.id != s.id {
		return nil
	}
	if msg.wrapped {
		s.early = append(s.early, msg.hits...)
	} else {
		s.late = append(s.late, msg.hits...)
	}
	s.done = msg.done
	var cmds []tea.Cmd
	if s.current < 0 && s.count() > 0 && !s.quiet {
		s.choose(0)
		if !s.inLate {
			r.notice = fromTop
		}
		cmds = append(cmds, r.showHit())
	}
	if s.done && s.count() == 0 && !s.quiet {
		r.notice = r.none()
	}
	if !s.done {
		cmds = append(cmds, msg.scan.next(s))
	}
	return tea.Batch(append(cmds, r.need())...)
}

// showHit opens the block of the current hit and brings its row on screen, at
// a third of the height if it was not there already.
func (r *Reader) showHit() tea.Cmd {
	h := r.find.at(r.find.index() - 1)
	r.jump, r.cursor = nil, h.n
	target := place{n: h.n, b: h.b, part: headPart}
	if h.off >= 0 {
		r.setFold(h.n, h.b, opened)
		target.part, target.at = bodyPart, h.off
	}
	want := r.resolve(target)
	for i, p := range r.shown() {
		if p == want && !r.document(h.n).stub {
			r.anchor = anchor{place: target, row: i}
			return r.need()
		}
	}
	r.anchor = anchor{place: target, row: r.rows() / 3}
	return r.need()
}
