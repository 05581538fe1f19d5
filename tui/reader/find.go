package reader

import (
	"context"
	"math"
	"sort"
	"winnow/tui/reader/match"

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
	query  string
	quiet  bool // it marks what a filter searched for: it moves nothing, and says nothing
	begin  int  // the message where it began
	cancel context.CancelFunc
	// hits are those from there on and then those before: late of them are
	// from there on.
	hits    []hit
	late    int
	current int // in hits, -1: none yet
	done    bool
}

// hitsKept bounds the hits kept of each half: more than anybody looks at, and
// what a single letter gives in a long session.
const hitsKept = 100_000

func (s *search) count() int { return len(s.hits) }

func (s *search) capped() bool { return s.late >= hitsKept || s.count()-s.late >= hitsKept }

// index returns the number of the current hit, from 1; 0 without one.
func (s *search) index() int {
	if s.current < 0 {
		return 0
	}
	return (s.current+s.count()-s.late)%s.count() + 1
}

// place returns where hit i of all is in hits, both from 0.
func (s *search) place(i int) int { return (i + s.late) % s.count() }

// at returns hit i of all, from 0.
func (s *search) at(i int) hit { return s.hits[s.place(i)] }

func (s *search) isCurrent(h hit) bool { return s.current >= 0 && s.hits[s.current] == h }

// within returns the hits in [from, to) of a block's text, also those that
// only reach into it; from -1 is about the block's label.
func (s *search) within(n, b, from, to int) []hit {
	if s == nil || s.count() == 0 {
		return nil
	}
	half := s.hits[:s.late]
	if n < s.begin {
		half = s.hits[s.late:]
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
	m := match.New(query)
	if r.seg.ID == "" || m == nil {
		return tea.Batch(r.markTexts(), r.need())
	}
	return r.search(m, search{query: query, begin: r.cursor})
}

// search looks for something in all messages from s.begin on, and then in those
// before.
func (r *Reader) search(m match.Finding, s search) tea.Cmd {
	ctx, cancel := context.WithCancel(r.ctx)
	s.cancel, s.current = cancel, -1
	r.find = &s
	q := scan{request: r.request(), match: m, begin: s.begin, at: s.begin, known: r.large()}
	q.ctx = ctx
	return r.scan(q)
}

// large returns the documents here that are worth not being fetched again, or
// that nobody stores.
func (r *Reader) large() map[int]*document {
	known := map[int]*document{}
	for key, b := range r.shelf.books {
		if key.body == r.seg.Body && (b.doc.size > runBytes || r.page != nil) {
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
	r.find.current = r.find.place(i)
	return r.showHit()
}

// found takes a page of hits, those before the message where the find began if
// wrapped, and asks for the next one.
func (r *Reader) found(q scan, wrapped bool, hits []hit) tea.Cmd {
	s := r.find
	s.hits = append(s.hits, hits...)
	if !wrapped {
		s.late = s.count()
	}
	s.done = q.done()
	var cmds []tea.Cmd
	if s.current < 0 && s.count() > 0 && !s.quiet {
		s.current = s.place(0)
		if s.late == 0 {
			r.notice = fromTop
		}
		cmds = append(cmds, r.showHit())
	}
	if s.done && s.count() == 0 && !s.quiet {
		r.notice = r.none()
	}
	if !s.done {
		cmds = append(cmds, r.scan(q))
	}
	return tea.Batch(cmds...)
}

// showHit opens the block of the current hit and brings its row on screen, at
// a third of the height if it was not there already.
func (r *Reader) showHit() tea.Cmd {
	h := r.find.hits[r.find.current]
	r.jump, r.cursor = nil, h.n
	r.standAt(place{n: h.n, b: h.b})
	if r.told(h.n) {
		r.toggleStep(h.n)
	}
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
