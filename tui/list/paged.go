package list

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Paged is a list that is read page by page, by the keys of its rows. It grows at
// its ends and forgets what is far from the selection, so that a million rows
// cost what a thousand do. The zero key stands for either end of the list.
//
// Who shows one resizes it, asks for what it Needs with Ask, and gives it what
// came back with Take.
type Paged[T any, K comparable] struct {
	key func(*T) K
	Span[T]
	Ready bool // the first rows have come

	seq    int                // questions so far
	asked  int                // number of the question under way, 0 for none
	Failed error              // of the last question
	stop   context.CancelFunc // ends the question under way
}

// Keep bounds the memory of a list.
const Keep = 6 * PageSize

// Want says which rows of a list are wanted.
type Want int

const (
	Start  Want = iota // the first ones, instead of those there are
	End                // the last ones, likewise
	More               // those below the rows
	Before             // those above them
	Around             // those around a key, likewise; the row of the key is selected
	Again              // the rows around the selected one, as they are now
)

// Ask is a question for rows. It comes back with its answer.
type Ask[K comparable] struct {
	Want Want
	Key  K
	seq  int // of the list's questions
}

// Page answers an Ask.
type Page[T any, K comparable] struct {
	Ask[K]
	of           *Paged[T, K]
	rows         []T
	at           int // rows in front of the key, for Around and Again
	atTop, atEnd bool
	Err          error
}

// Fetch reads up to limit rows behind a key, or before it; more says that
// others follow in the direction of reading.
type Fetch[T any, K comparable] func(ctx context.Context, after K, back bool, limit int) (rows []T, more bool, err error)

// New returns a list without rows.
func New[T any, K comparable](key func(*T) K) Paged[T, K] { return Paged[T, K]{key: key} }

// fetchPage answers a question with rows.
func fetchPage[T any, K comparable](ctx context.Context, q Ask[K], key func(*T) K, fetch Fetch[T, K]) Page[T, K] {
	m := Page[T, K]{Ask: q}
	var none K
	read := func(after K, back bool) (rows []T, end bool) {
		if m.Err != nil {
			return nil, false
		}
		rows, more, err := fetch(ctx, after, back, PageSize)
		m.Err = err
		return rows, !more
	}
	switch q.Want {
	case Start:
		m.rows, m.atEnd = read(none, false)
		m.atTop = true
	case End:
		m.rows, m.atTop = read(none, true)
		m.atEnd = true
	case More:
		m.rows, m.atEnd = read(q.Key, false)
	case Before:
		m.rows, m.atTop = read(q.Key, true)
	default:
		m.rows, m.atTop = read(q.Key, true)
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

// Needs tells which rows are needed soon, ok false for none.
func (p *Paged[T, K]) Needs() (q Ask[K], ok bool) {
	switch {
	case p.seq == 0: // nothing was asked yet
		return Ask[K]{Want: Start}, true
	case p.asked != 0 || p.Failed != nil || !p.Ready:
		return q, false
	}
	switch p.Wants() {
	case 1:
		return Ask[K]{Want: More, Key: p.key(&p.Rows[len(p.Rows)-1])}, true
	case -1:
		return Ask[K]{Want: Before, Key: p.key(&p.Rows[0])}, true
	}
	return q, false
}

// Again asks for the rows around the selected one, as they are now.
func (p *Paged[T, K]) Again() Ask[K] {
	q := Ask[K]{Want: Again}
	if s := p.Selected(); s != nil {
		q.Key = p.key(s)
	}
	return q
}

// Ask notes a question and returns the command that answers it; an older one is
// given up.
func (p *Paged[T, K]) Ask(ctx context.Context, q Ask[K], fetch Fetch[T, K]) tea.Cmd {
	if p.stop != nil {
		p.stop()
	}
	if q.Want == Again && len(p.Rows) == 0 {
		q.Want = Start
	}
	ctx, p.stop = context.WithCancel(ctx)
	p.seq++
	q.seq, p.asked, p.Failed = p.seq, p.seq, nil
	key := p.key
	return func() tea.Msg {
		m := fetchPage(ctx, q, key, fetch)
		m.of = p
		return m
	}
}

// Take puts rows in place and reports whether they were the ones waited for.
func (p *Paged[T, K]) Take(m Page[T, K]) bool {
	if m.of != p || m.seq != p.asked {
		return false
	}
	p.asked = 0
	if p.Failed = m.Err; p.Failed != nil {
		return true
	}
	p.Ready = true
	switch m.Want {
	case More:
		p.Rows = append(p.Rows, m.rows...)
		p.AtEnd = m.atEnd
		if over := min(len(p.Rows)-Keep, p.Top); over > 0 {
			p.Rows = slices.Clone(p.Rows[over:]) // a slice would keep the old rows alive
			p.Cur, p.Top, p.AtTop = p.Cur-over, p.Top-over, false
		}
	case Before:
		p.Rows = append(slices.Clip(m.rows), p.Rows...)
		p.Cur, p.Top, p.AtTop = p.Cur+len(m.rows), p.Top+len(m.rows), m.atTop
		if keep := max(Keep, p.Top+p.Height); len(p.Rows) > keep {
			p.Rows = slices.Clone(p.Rows[:keep])
			p.AtEnd = false
		}
	default:
		p.replace(m)
	}
	p.Scroll()
	return true
}

// replace takes rows instead of those there are. The row that was selected
// stays on its line of the screen, if it is among them; the row that was asked
// for is selected wherever it is.
func (p *Paged[T, K]) replace(m Page[T, K]) {
	line := p.Cur - p.Top
	if m.Want == Again {
		if s := p.Selected(); s != nil {
			m.Key = p.key(s) // the selection may have moved since
		}
	}
	p.Rows, p.AtTop, p.AtEnd = m.rows, m.atTop, m.atEnd
	switch m.Want {
	case Start:
		p.Cur, p.Top = 0, 0
		return
	case End:
		p.Cur = max(0, len(p.Rows)-1)
		p.Top = p.Cur
		return
	}
	at := slices.IndexFunc(p.Rows, func(r T) bool { return p.key(&r) == m.Key })
	if at < 0 { // it is gone
		at = max(0, min(m.at, len(p.Rows)-1))
	}
	p.Cur, p.Top = at, max(0, at-line)
	if m.Want == Around {
		p.Top = max(0, at-p.Height/3) // what precedes it gives it its place
	}
}
