package reader

import tea "charm.land/bubbletea/v2"

// Press does what a click on a row of the view does: the message in it becomes
// the current one; a headline that folds is folded or opened. A link is returned
// for somebody else to follow.
func (r *Reader) Press(row int) (l Link, link bool, cmd tea.Cmd) {
	r.notice = ""
	rows := r.shown()
	if row < 0 || row >= len(rows) {
		return l, false, nil
	}
	p := rows[row]
	r.jump, r.anchor = nil, anchor{place: p, row: row}
	r.cursor, r.followed = p.n, blockKey{}
	r.standAt(p)
	d := r.document(p.n)
	switch b := &d.blocks[p.b]; {
	case b.kind == digestBlock:
		r.toggleStep(p.n)
	case p.part == gapPart || d.stub:
	case p.part == headPart && b.kind == linkBlock:
		r.followed = blockKey{p.n, p.b}
		return b.link, true, nil
	case (p.part == headPart || p.part == tailPart) && r.foldable(d, p.b):
		to := opened
		if r.fold(d, p.b, r.fits(d, p.b)) == opened {
			to = b.least()
		}
		r.setFold(p.n, p.b, to)
	}
	return l, false, r.need()
}
