package segment

import (
	"slices"

	"winnow/core/review"
)

// matching finds which rows stay, and where.
type matching struct {
	old    []review.Segment
	pieces []Piece
	hand   bool
	moved  bool // the pieces lie in another body: places say nothing

	rowOf   []int // for each piece the index of its row, -1 without one
	pieceOf []int // for each row the index of its piece, -1 if it leaves
	// chain are the pairs (row, piece) that rise in both.
	chain [][2]int

	rowClass, pieceClass []int   // of equal content; -1: like nothing else
	counts               []count // by class, of the gap being matched
	counted              []int   // the classes in it
}

// count is of the members of a class in a gap.
type count struct {
	rows, pieces int
	first        int  // the first row
	mixed        bool // its rows have different marks
}

func newMatching(old []review.Segment, pieces []Piece, hand bool) *matching {
	m := &matching{old: old, pieces: pieces, hand: hand, rowOf: make([]int, len(pieces)), pieceOf: make([]int, len(old))}
	for i := range m.rowOf {
		m.rowOf[i] = -1
	}
	for i := range m.pieceOf {
		m.pieceOf[i] = -1
	}
	m.moved = len(old) > 0 && len(pieces) > 0 && pieces[0].Body != 0 && pieces[0].Body != old[0].Body
	return m
}

func (m *matching) match(row, piece int) {
	m.pieceOf[row], m.rowOf[piece] = piece, row
}

// unmoved matches rows with the pieces that stand where they stood.
func (m *matching) unmoved() {
	if m.moved {
		return
	}
	for i, j := 0, 0; i < len(m.old) && j < len(m.pieces); {
		o, p := &m.old[i], &m.pieces[j]
		switch {
		case o.Start < p.Start:
			i++
		case o.Start > p.Start:
			j++
		default:
			if o.End == p.End && (m.hand || p.Print.IsZero() || holds(o, p)) {
				m.match(i, j)
				m.chain = append(m.chain, [2]int{i, j})
			}
			i, j = i+1, j+1
		}
	}
}

// holds reports whether a row has the content of a piece whose print is known.
func holds(o *review.Segment, p *Piece) bool {
	return o.Detail == p.Print.Detail && o.Fingerprint == p.Print.Nth(o.Nth)
}

// contents matches what is left between those places.
func (m *matching) contents() {
	if len(m.chain) == len(m.old) || len(m.chain) == len(m.pieces) {
		return
	}
	m.classify()
	anchors := append(slices.Clone(m.chain), [2]int{len(m.old), len(m.pieces)})
	from := gap{}
	for _, a := range anchors {
		from.rows[1], from.pieces[1] = a[0], a[1]
		m.align(from)
		from.rows[0], from.pieces[0] = a[0]+1, a[1]+1
	}
	slices.SortFunc(m.chain, func(a, b [2]int) int { return a[0] - b[0] })
	m.cross()
}

// gap is a run of rows and the run of pieces they may be found in: half-open
// index ranges.
type gap struct {
	rows, pieces [2]int
	depth        int
}

// maxDepth bounds how often a gap is divided at what is found in it: real
// sessions take two or three.
const maxDepth = 24

// align matches rows and pieces of a gap by content, in order. What is sure
// comes first, and divides the gap: contents that are there once on both sides,
// else as often on both. Of others those follow whose rows have equal marks, so
// that it does not matter which is which.
func (m *matching) align(all gap) {
	for work := []gap{all}; len(work) > 0; {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		if g.rows[0] >= g.rows[1] || g.pieces[0] >= g.pieces[1] {
			continue
		}
		m.count(g)
		found := m.sure(g)
		for i, pair := range found {
			m.match(pair[0], pair[1])
			next := gap{[2]int{pair[0] + 1, g.rows[1]}, [2]int{pair[1] + 1, g.pieces[1]}, g.depth + 1}
			if i+1 < len(found) {
				next.rows[1], next.pieces[1] = found[i+1][0], found[i+1][1]
			}
			work = append(work, next)
		}
		m.chain = append(m.chain, found...)
		if len(found) > 0 {
			work = append(work, gap{[2]int{g.rows[0], found[0][0]}, [2]int{g.pieces[0], found[0][1]}, g.depth + 1})
			continue
		}
		alike := m.common(g, false, func(c *count) bool { return !c.mixed })
		for _, pair := range alike {
			m.match(pair[0], pair[1])
		}
		m.chain = append(m.chain, alike...)
	}
}

// count counts the classes of a gap.
func (m *matching) count(g gap) {
	for _, c := range m.counted {
		m.counts[c] = count{}
	}
	m.counted = m.counted[:0]
	for i := g.rows[0]; i < g.rows[1]; i++ {
		if c := m.rowClass[i]; c >= 0 {
			n := &m.counts[c]
			if n.rows == 0 {
				m.counted = append(m.counted, c)
				n.first = i
			}
			n.rows++
			n.mixed = n.mixed || !sameMarks(&m.old[n.first], &m.old[i])
		}
	}
	for j := g.pieces[0]; j < g.pieces[1]; j++ {
		if c := m.pieceClass[j]; c >= 0 && m.counts[c].rows > 0 {
			m.counts[c].pieces++
		}
	}
}

// sure returns pairs of a gap that are the same without a doubt.
func (m *matching) sure(g gap) [][2]int {
	if g.depth >= maxDepth {
		return nil
	}
	once, often := false, false
	for _, c := range m.counted {
		n := &m.counts[c]
		once = once || n.rows == 1 && n.pieces == 1
		often = often || n.rows == n.pieces
	}
	switch {
	case once:
		return m.common(g, false, func(c *count) bool { return c.rows == 1 && c.pieces == 1 })
	case often:
		return m.common(g, true, func(c *count) bool { return c.rows == c.pieces })
	}
	return nil
}

// common returns the longest chain of pairs with equal content among the
// classes of a gap that are wanted; with nth only of such as are the n-th of
// their class in the gap, both of them.
func (m *matching) common(g gap, nth bool, wanted func(*count) bool) [][2]int {
	type token struct{ class, n int }
	pick := func(class []int, span [2]int) (at []int, tokens []token) {
		seen := map[int]int{}
		for i := span[0]; i < span[1]; i++ {
			if c := class[i]; c >= 0 && m.counts[c].rows > 0 && m.counts[c].pieces > 0 && wanted(&m.counts[c]) {
				if nth {
					seen[c]++
				}
				at, tokens = append(at, i), append(tokens, token{c, seen[c]})
			}
		}
		return at, tokens
	}
	rows, a := pick(m.rowClass, g.rows)
	pieces, b := pick(m.pieceClass, g.pieces)
	pairs := common(a, b)
	for i, p := range pairs {
		pairs[i] = [2]int{rows[p[0]], pieces[p[1]]}
	}
	return pairs
}

// cross matches what is left, wherever it stands, where it does not matter
// which row is which: all rows of that content have equal marks. A boundary
// that a curator made does not go elsewhere among the same messages.
func (m *matching) cross() {
	all := gap{rows: [2]int{0, len(m.old)}}
	m.count(all)
	left := map[int][]int{}
	for i, c := range m.rowClass {
		if c >= 0 && m.pieceOf[i] < 0 && !m.counts[c].mixed && (m.moved || m.old[i].CutBy != review.CutCurator) {
			left[c] = append(left[c], i)
		}
	}
	for j, c := range m.pieceClass {
		if rows := left[c]; m.rowOf[j] < 0 && c >= 0 && len(rows) > 0 {
			m.match(rows[0], j)
			left[c] = rows[1:]
		}
	}
}

// sameMarks reports whether it does not matter, to a curator, which of two
// segments with equal content is which.
func sameMarks(a, b *review.Segment) bool {
	return a.Verdict == b.Verdict && a.Stale == b.Stale && a.Was == b.Was && a.Note == b.Note && slices.Equal(a.Tags, b.Tags) && slices.Equal(a.Masked, b.Masked) &&
		a.Named == b.Named && (!a.Named || a.Topic == b.Topic)
}
