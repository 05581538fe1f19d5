package reader

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/reader/match"
)

// scan is a find under way, that every answer carries on.
type scan struct {
	request
	match   match.Finding
	begin   int  // the message where it began
	at      int  // the message it goes on with
	wrapped bool // it went round and looks at what lies before begin
	shown   bool // a first hit is known
	known   map[int]*document
}

const (
	// scanBytes is the size of text looked at before the hits so far are
	// shown, once the first is.
	scanBytes = 8 << 20
	// scanHeads is the number of messages asked for at once at most.
	scanHeads = 256
)

// scan goes on with a find, for what was found so far.
func (r *Reader) scan(q scan) tea.Cmd {
	s := r.find
	q.shown = s.count() > 0
	room := hitsKept - s.late
	if q.wrapped {
		room = hitsKept - (s.count() - s.late)
	}
	return r.ask(func() arrival {
		wrapped := q.wrapped
		hits := q.page(room)
		return func() tea.Cmd {
			if r.find != s {
				return nil
			}
			return r.found(q, wrapped, hits)
		}
	})
}

// done reports whether all messages were looked at, or the find was given up.
func (q *scan) done() bool { return q.wrapped && q.at >= q.begin || q.ctx.Err() != nil }

// page looks at messages until it has a page full of hits or of text. It moves the
// scan on.
func (q *scan) page(room int) (hits []hit) {
	var buf []byte
	last := q.seg.End
	if q.wrapped {
		last = q.begin - 1
	}
	bytes := 0
	for q.at <= last && q.ctx.Err() == nil {
		docs, to := q.pageTo(last)
		for _, d := range docs {
			bytes += d.size
			hits, buf = q.matches(d, hits, buf, room)
		}
		q.at = to + 1
		if len(hits) >= room {
			q.at = last + 1
		}
		if len(hits) > 0 && !q.shown || bytes > scanBytes {
			break
		}
	}
	if q.at > last && !q.wrapped {
		q.wrapped, q.at = true, q.seg.Start
	}
	return hits
}

// pageTo returns the next messages as they would show, and the number of the
// last. What can't be read is passed over: the pane says so where it shows.
func (q *scan) pageTo(last int) (docs []*document, to int) {
	if d := q.known[q.at]; d != nil {
		return []*document{d}, q.at
	}
	if q.learnEdits() != nil {
		return nil, min(last, q.at+scanHeads-1)
	}
	heads, err := q.index(q.at, min(last, q.at+scanHeads-1))
	if run, ok := q.run(q.at); ok && err == nil { // dropped messages are a page of their own
		if docs, err = q.texts(q.at, q.at); err != nil {
			return nil, max(q.at, run.To)
		}
		return docs, max(q.at, run.To)
	}
	if err != nil || len(heads) == 0 {
		return nil, min(last, q.at+scanHeads-1)
	}
	to = q.runEnd(heads)
	docs, err = q.texts(q.at, to)
	if err != nil {
		return nil, to
	}
	return docs, to
}

// runEnd returns the last message that goes into one request.
func (q *scan) runEnd(heads []review.Head) int {
	const runs = 4 // times the size that is fetched for display
	bytes, to := 0, q.at
	for i := range heads {
		h := &heads[i]
		bytes += h.ContentLen + h.ReasoningLen
		if i > 0 && (bytes > runs*runBytes || q.known[h.N] != nil) {
			break
		}
		to = h.N
	}
	return max(q.at, to)
}

// matches appends the hits in a document, at most room in all.
func (q *scan) matches(d *document, hits []hit, buf []byte, room int) ([]hit, []byte) {
	for b := range d.blocks {
		blk := &d.blocks[b]
		if blk.kind == staleBlock || blk.kind == scoreBlock || blk.kind == droppedBlock && q.view == Current {
			continue // what it says is not in the segment
		}
		if blk.kind == callBlock {
			buf = q.match.Each(q.ctx, blk.label, buf, func(int, int) bool {
				hits = append(hits, hit{n: d.n, b: b, off: -1})
				return false
			})
		}
		buf = q.match.Each(q.ctx, blk.text, buf, func(from, to int) bool {
			if len(hits) >= room {
				return false
			}
			hits = append(hits, hit{d.n, b, from, to})
			return true
		})
	}
	return hits, buf
}
