package list

import (
	"context"
	"slices"

	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Paged is a list that is read page by page, by the keys of its rows. It grows at
// its ends and forgets what is far from the selection, so that a million rows
// cost what a thousand do. The zero key stands for either end of the list.
//
// A motion or another method tells which rows are to be read; Follow asks for
// them, and for those that are needed soon.
type Paged[T any, K comparable] struct {
	key func(*T) K
	Span[T]
	// Sticks has whoever looks at the first rows see those that come before them.
	Sticks bool

	next     *ask[K] // is to be asked
	question screen.Question[page[T]]
}

// Keep bounds the memory of a list.
const Keep = 6 * PageSize

// Want says which rows of a list are wanted.
type Want int

const (
	Start  Want = iota // the first ones, instead of those there are
	End                // the last ones, likewise
	more               // those below the rows
	before             // those above them
	around             // those around a key, likewise; the row of the key is selected
	again              // the rows around the selected one, as they are now
)

// ask is a question for rows.
type ask[K comparable] struct {
	want Want
	key  K
}

// page answers it.
type page[T any] struct {
	rows         []T
	at           int // rows in front of the key
	atTop, atEnd bool
}

// Fetch reads up to limit rows after a key, or before it; more says that
// others follow in the direction of reading.
type Fetch[T any, K comparable] func(ctx context.Context, after K, back bool, limit int) (rows []T, more bool, err error)

// New returns a list without rows.
func New[T any, K comparable](key func(*T) K) Paged[T, K] { return Paged[T, K]{key: key} }

// Ready reports whether the first rows have come, Awaited whether they are awaited.
func (p *Paged[T, K]) Ready() bool   { return p.question.Came }
func (p *Paged[T, K]) Awaited() bool { return p.question.Awaited() }

// Failed says why rows could not be read when they were asked for last.
func (p *Paged[T, K]) Failed() error { return p.question.Err }

// Move does a motion.
func (p *Paged[T, K]) Move(m keys.Motion) {
	if want, ok := p.Span.Move(m); !ok {
		p.next = &ask[K]{want: want}
	}
}

// Restart has the first rows read, of whatever they are now.
func (p *Paged[T, K]) Restart() { p.next = &ask[K]{} }

// GoTo has the rows around a key read; its row is selected.
func (p *Paged[T, K]) GoTo(key K) { p.next = &ask[K]{around, key} }

// Renew has the rows around the selected one read, as they are now.
func (p *Paged[T, K]) Renew() {
	p.next = &ask[K]{}
	if s := p.Selected(); s != nil {
		p.next = &ask[K]{again, p.key(s)}
	}
}

// GiveUp ends the question under way.
func (p *Paged[T, K]) GiveUp() { p.question.GiveUp() }

// Follow brings the list in line with its height, and asks for the rows that are
// needed. took is done when they, or an error, have come.
func (p *Paged[T, K]) Follow(s *screen.Seat, height int, fetch Fetch[T, K], took func()) {
	p.Resize(height)
	q := p.next
	if p.next = nil; q == nil {
		q = p.needs()
	}
	if q == nil {
		return
	}
	of := p.key
	p.question.Ask(s, func(ctx context.Context) (page[T], error) { return fetchPage(ctx, *q, of, fetch) }, func(m page[T], err error) {
		if err == nil {
			p.take(q, &m)
			p.question.Got = page[T]{} // it would keep the rows alive
		}
		took()
	})
}

// needs is the question for rows that are needed soon, nil for none.
func (p *Paged[T, K]) needs() *ask[K] {
	switch {
	case !p.question.Asked():
		return &ask[K]{}
	case p.question.Open || p.question.Err != nil:
		return nil
	}
	switch p.Wants() {
	case 1:
		return &ask[K]{more, p.key(&p.Rows[len(p.Rows)-1])}
	case -1:
		return &ask[K]{before, p.key(&p.Rows[0])}
	}
	return nil
}

// fetchPage answers a question with rows.
func fetchPage[T any, K comparable](ctx context.Context, q ask[K], key func(*T) K, fetch Fetch[T, K]) (page[T], error) {
	back := q.want != Start && q.want != more
	rows, further, err := fetch(ctx, q.key, back, PageSize)
	m := page[T]{rows: rows, at: len(rows), atTop: q.want == Start || back && !further, atEnd: q.want == End || !back && !further}
	if err != nil || q.want < around {
		return m, err
	}
	var after K // nothing precedes the row: it is among the first
	if m.at > 0 {
		after = key(&rows[m.at-1])
	}
	below, further, err := fetch(ctx, after, false, PageSize)
	m.rows, m.atEnd = append(rows, below...), !further
	return m, err
}

// take puts rows in place.
func (p *Paged[T, K]) take(q *ask[K], m *page[T]) {
	newest := p.Sticks && q.want == again && p.AtTop && p.Top == 0
	switch q.want {
	case more:
		p.Rows = append(p.Rows, m.rows...)
		p.AtEnd = m.atEnd
		if over := min(len(p.Rows)-Keep, p.Top); over > 0 {
			p.Rows = slices.Clone(p.Rows[over:]) // a slice would keep the old rows alive
			p.Cur, p.Top, p.AtTop = p.Cur-over, p.Top-over, false
		}
	case before:
		p.Rows = append(slices.Clip(m.rows), p.Rows...)
		p.Cur, p.Top, p.AtTop = p.Cur+len(m.rows), p.Top+len(m.rows), m.atTop
		if keep := max(Keep, p.Top+p.Height); len(p.Rows) > keep {
			p.Rows = slices.Clone(p.Rows[:keep])
			p.AtEnd = false
		}
	default:
		p.replace(q, m)
	}
	if newest {
		p.Top = 0
	}
	p.Scroll()
}

// replace takes rows instead of those there are. The row that was selected
// stays on its line of the screen, if it is among them; the row that was asked
// for is selected wherever it is.
func (p *Paged[T, K]) replace(q *ask[K], m *page[T]) {
	line, key := p.Cur-p.Top, q.key
	if s := p.Selected(); s != nil && q.want == again {
		key = p.key(s) // the selection may have moved since
	}
	p.Rows, p.AtTop, p.AtEnd = m.rows, m.atTop, m.atEnd
	switch q.want {
	case Start:
		p.Cur, p.Top = 0, 0
		return
	case End:
		p.Cur = max(0, len(p.Rows)-1)
		p.Top = p.Cur
		return
	}
	at := slices.IndexFunc(p.Rows, func(r T) bool { return p.key(&r) == key })
	if at < 0 { // it is gone
		at = max(0, min(m.at, len(p.Rows)-1))
	}
	p.Cur, p.Top = at, max(0, at-line)
	if q.want == around {
		p.Top = max(0, at-p.Height/3) // what precedes it gives it its place
	}
}
