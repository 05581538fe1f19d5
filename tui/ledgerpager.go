package tui

import (
	"context"
	"slices"

	"winnow/tui/keys"
)

// pager is the part of a list of the ledger that is in memory: a run of rows
// without gaps, the selected one among them. It grows at its ends page by page
// and forgets what is far from the selection, so that a million rows cost what
// a thousand do. The zero key stands for either end of the list.
type pager[T any, K comparable] struct {
	key func(*T) K

	rows         []T
	atTop, atEnd bool // nothing precedes or follows the rows
	cur, top     int  // index of the selected row, and of the first one on screen
	height       int  // rows on screen
	ready        bool // the first rows have come

	asked  int                // number of the question under way, 0 for none
	failed error              // of the last question
	stop   context.CancelFunc // ends the question under way
}

// keepRows bounds the memory of a pager.
const keepRows = 6 * pageSize

// pageWant says which rows of a pager are wanted.
type pageWant int

const (
	pageStart  pageWant = iota // the first ones, instead of those there are
	pageEnd                    // the last ones, likewise
	pageMore                   // those below the rows
	pageBefore                 // those above them
	pageAround                 // those around a key, likewise; the row of the key is selected
	pageAgain                  // the rows around the selected one, as they are now
)

// pageAsk is a question for rows. It comes back with its answer.
type pageAsk[K comparable] struct {
	want pageWant
	seq  int // of the screen, so that no two questions share it
	key  K
}

// pageCame answers a pageAsk.
type pageCame[T any, K comparable] struct {
	pageAsk[K]
	rows         []T
	at           int // rows in front of the key, for pageAround and pageAgain
	atTop, atEnd bool
	err          error
}

// fetcher reads up to limit rows behind a key, or before it; more says that
// others follow in the direction of reading.
type fetcher[T any, K comparable] func(ctx context.Context, after K, back bool, limit int) (rows []T, more bool, err error)

// fetchPage answers a question with rows.
func fetchPage[T any, K comparable](ctx context.Context, q pageAsk[K], key func(*T) K, fetch fetcher[T, K]) pageCame[T, K] {
	m := pageCame[T, K]{pageAsk: q}
	var none K
	read := func(after K, back bool) (rows []T, end bool) {
		if m.err != nil {
			return nil, false
		}
		rows, more, err := fetch(ctx, after, back, pageSize)
		m.err = err
		return rows, !more
	}
	switch q.want {
	case pageStart:
		m.rows, m.atEnd = read(none, false)
		m.atTop = true
	case pageEnd:
		m.rows, m.atTop = read(none, true)
		m.atEnd = true
	case pageMore:
		m.rows, m.atEnd = read(q.key, false)
	case pageBefore:
		m.rows, m.atTop = read(q.key, true)
	default:
		m.rows, m.atTop = read(q.key, true)
		m.at = len(m.rows)
		after := none // nothing precedes the row: it is among the first
		if n := len(m.rows); n > 0 {
			after = key(&m.rows[n-1])
		}
		var below []T
		below, m.atEnd = read(after, false)
		m.rows = append(m.rows, below...)
	}
	return m
}

// selected returns the selected row, or nil.
func (p *pager[T, K]) selected() *T {
	if p.cur < 0 || p.cur >= len(p.rows) {
		return nil
	}
	return &p.rows[p.cur]
}

// visible returns the rows on screen.
func (p *pager[T, K]) visible() []T {
	from := min(p.top, len(p.rows))
	return p.rows[from:min(from+p.height, len(p.rows))]
}

// resize sets the number of rows on screen.
func (p *pager[T, K]) resize(height int) {
	p.height = max(1, height)
	p.scroll()
}

// pick selects a row by index, as far as rows are there.
func (p *pager[T, K]) pick(i int) {
	p.cur = max(0, min(i, len(p.rows)-1))
	p.scroll()
}

// scroll moves the screen as little as needed to show the selected row, and
// leaves no gap below the last one.
func (p *pager[T, K]) scroll() {
	p.top = min(p.top, p.cur)
	p.top = max(p.top, p.cur-p.height+1)
	p.top = max(0, min(p.top, len(p.rows)-p.height))
}

// move does a motion; ok is false if rows have to be read for it, which ask
// tells.
func (p *pager[T, K]) move(m keys.Motion) (want pageWant, ok bool) {
	page := max(1, p.height-1) // one line stays in sight
	switch m {
	case keys.ToStart:
		if !p.atTop {
			return pageStart, false
		}
		p.pick(0)
	case keys.ToEnd:
		if !p.atEnd {
			return pageEnd, false
		}
		p.pick(len(p.rows) - 1)
	default:
		p.pick(p.cur + map[keys.Motion]int{
			keys.LineDown: 1, keys.LineUp: -1, keys.HalfDown: max(1, p.height/2), keys.HalfUp: -max(1, p.height/2), keys.PageDown: page, keys.PageUp: -page,
		}[m])
	}
	return 0, true
}

// needs tells which rows are needed soon, ok false for none.
func (p *pager[T, K]) needs() (q pageAsk[K], ok bool) {
	margin := max(ahead, 2*p.height)
	switch {
	case p.asked != 0 || p.failed != nil || !p.ready || len(p.rows) == 0:
		return q, false
	case !p.atEnd && len(p.rows)-p.cur < margin:
		return pageAsk[K]{want: pageMore, key: p.key(&p.rows[len(p.rows)-1])}, true
	case !p.atTop && p.cur < margin:
		return pageAsk[K]{want: pageBefore, key: p.key(&p.rows[0])}, true
	}
	return q, false
}

// took puts rows in place and reports whether they were the ones waited for.
func (p *pager[T, K]) took(m pageCame[T, K]) bool {
	if m.seq != p.asked {
		return false
	}
	p.asked = 0
	if p.failed = m.err; p.failed != nil {
		return true
	}
	p.ready = true
	switch m.want {
	case pageMore:
		p.rows = append(p.rows, m.rows...)
		p.atEnd = m.atEnd
		if over := min(len(p.rows)-keepRows, p.top); over > 0 {
			p.rows = slices.Clone(p.rows[over:]) // a slice would keep the old rows alive
			p.cur, p.top, p.atTop = p.cur-over, p.top-over, false
		}
	case pageBefore:
		p.rows = append(slices.Clip(m.rows), p.rows...)
		p.cur, p.top, p.atTop = p.cur+len(m.rows), p.top+len(m.rows), m.atTop
		if keep := max(keepRows, p.top+p.height); len(p.rows) > keep {
			p.rows = slices.Clone(p.rows[:keep])
			p.atEnd = false
		}
	default:
		p.replace(m)
	}
	p.scroll()
	return true
}

// replace takes rows instead of those there are. The row that was selected
// stays on its line of the screen, if it is among them; the row that was asked
// for is selected wherever it is.
func (p *pager[T, K]) replace(m pageCame[T, K]) {
	line := p.cur - p.top
	if m.want == pageAgain {
		if s := p.selected(); s != nil {
			m.key = p.key(s) // the selection may have moved since
		}
	}
	p.rows, p.atTop, p.atEnd = m.rows, m.atTop, m.atEnd
	switch m.want {
	case pageStart:
		p.cur, p.top = 0, 0
		return
	case pageEnd:
		p.cur = max(0, len(p.rows)-1)
		p.top = p.cur
		return
	}
	at := slices.IndexFunc(p.rows, func(r T) bool { return p.key(&r) == m.key })
	if at < 0 { // it is gone
		at = max(0, min(m.at, len(p.rows)-1))
	}
	p.cur, p.top = at, max(0, at-line)
	if m.want == pageAround {
		p.top = max(0, at-p.height/3) // what precedes it gives it its place
	}
}
