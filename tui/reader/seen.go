package reader

import "winnow/core/review"

// readable is how many messages a row of a digest tells at most so that who sees it
// has seen them: a call with its result, two of them, or an answer between. Of a row
// that sums up more nobody has seen what happened.
const readable = 4

// Shown returns the messages of the segment that a row on the screen tells of: in a
// digest all of its step, if it is a short one or open. One whose text is not there
// yet is told of by none. It walks the rows of one frame.
func (r *Reader) Shown() review.Spans {
	if r.page != nil {
		return nil
	}
	var shown review.Spans
	for _, p := range r.shown() {
		if last := len(shown) - 1; last >= 0 && shown[last].First <= p.n && p.n <= shown[last].Last || !r.tells(p) {
			continue // most rows are of the message above
		}
		first, last := p.n, p.n
		if r.told(p.n) {
			if len(r.sketch().groups) == 0 {
				continue // nobody knows yet what it tells
			}
			if first, last = r.group(p.n); last-first >= readable {
				continue
			}
		} else if run, ok := r.run(p.n); ok {
			first, last = run.From, run.To // nothing of them is left to be seen
		}
		shown.Add(review.Span{First: first, Last: last})
	}
	return shown
}

// tells reports whether a resolved row tells of its message, and not of the whole
// segment, of another session, or of nothing.
func (r *Reader) tells(p place) bool {
	if p.part == gapPart {
		return false
	}
	d := r.document(p.n)
	switch d.blocks[p.b].kind {
	case staleBlock, scoreBlock, linkBlock:
		return false
	}
	return !d.stub
}
