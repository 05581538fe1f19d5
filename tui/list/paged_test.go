package list

import (
	"context"
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// source are the numbers from 1 to n, whose keys they are.
type source struct {
	hidden int // so many of the first ones are not there yet
	n      int
	fail   error
	ended  error // why the context of the last question had ended
}

func (s *source) fetch(ctx context.Context, after int, back bool, limit int) (rows []int, more bool, err error) {
	if s.fail != nil {
		return nil, false, s.fail
	}
	s.ended = ctx.Err()
	from := max(after, s.hidden) + 1
	to := min(from+limit-1, s.n)
	if back {
		if after == 0 {
			after = s.n + 1
		}
		to = min(after-1, s.n)
		from = max(s.hidden+1, to-limit+1)
	}
	for i := from; i <= to; i++ {
		rows = append(rows, i)
	}
	return rows, back && from > s.hidden+1 || !back && to < s.n, ctx.Err()
}

// paged is a list of a source, on a screen of ten rows.
type paged struct {
	t *testing.T
	Paged[int, int]
	src  source
	host host
	took int // answers
}

// host keeps what is to be run.
type host struct {
	screen.Host
	cmds []tea.Cmd
}

func (h *host) Run(cmd tea.Cmd) { h.cmds = append(h.cmds, cmd) }

func newPaged(t *testing.T, n int) *paged {
	return &paged{t: t, Paged: New(func(i *int) int { return *i }), src: source{n: n}}
}

// follow asks for what is needed, and returns what answers it, nil for nothing.
func (p *paged) follow() (answer func()) {
	p.host.cmds = nil
	p.Follow(&screen.Seat{Ctx: p.t.Context(), Host: &p.host}, 10, p.src.fetch, func() { p.took++ })
	if len(p.host.cmds) > 1 {
		p.t.Errorf("%d questions at once", len(p.host.cmds))
	}
	for _, cmd := range p.host.cmds {
		return func() { cmd().(work.Then)() }
	}
	return nil
}

// settle asks for what is needed until nothing is.
func (p *paged) settle() {
	p.t.Helper()
	for answer := p.follow(); answer != nil; answer = p.follow() {
		before := p.took
		if answer(); p.took != before+1 {
			p.t.Fatal("the answer was not taken")
		}
	}
}

// on checks the selected row, the line of the screen it is on, and that the rows
// have no gap and are not too many.
func (p *paged) on(what string, row, line int) {
	p.t.Helper()
	if s := p.Selected(); s == nil || *s != row || p.Cur-p.Top != line {
		p.t.Errorf("%s: row %v on line %d, want %d on line %d", what, p.Visible(), p.Cur-p.Top, row, line)
	}
	for i := range p.Rows {
		if p.Rows[i] != p.Rows[0]+i {
			p.t.Fatalf("%s: %d follows %d", what, p.Rows[i], p.Rows[i-1])
		}
	}
	if len(p.Rows) > Keep+PageSize {
		p.t.Errorf("%s: %d rows are kept", what, len(p.Rows))
	}
}

// TestAWalkThroughAll: page by page to the end and back, each row once.
func TestAWalkThroughAll(t *testing.T) {
	const all = 3 * Keep
	p := newPaged(t, all)
	p.settle()
	p.on("at first", 1, 0)
	for i := 2; i <= all; i++ {
		p.Move(keys.LineDown)
		p.settle()
		p.on("down", i, min(i-1, 9))
	}
	if p.AtTop || !p.AtEnd {
		t.Error("the beginning is still there, or the end is not")
	}
	for i := all - 1; i >= 1; i-- {
		p.Move(keys.LineUp)
		p.settle()
		p.on("up", i, max(0, 9-(all-i)))
	}
	if !p.AtTop || p.AtEnd {
		t.Error("the end is still there, or the beginning is not")
	}
	if p.Move(keys.ToEnd); *p.Selected() != 1 {
		t.Fatal("it went to an end that is not there")
	}
	p.settle()
	p.on("to the end", all, 9)
	p.Move(keys.ToStart)
	p.settle()
	p.on("to the start", 1, 0)
}

// TestAround: the row that is asked for is selected, with what precedes it above;
// one that is gone is the one that stood after it.
func TestAround(t *testing.T) {
	p := newPaged(t, 1000)
	for row, line := range map[int]int{500: 3, 1: 0, 2: 1, 1000: 9} {
		p.GoTo(row)
		p.settle()
		p.on("around", row, line)
	}
	p.GoTo(2000)
	p.settle()
	p.on("around one that is gone", 1000, 9)
}

// TestAgain: what is read again keeps the selected row on its line, also if the
// selection moved while it was read.
func TestAgain(t *testing.T) {
	p := newPaged(t, 1000)
	p.Renew() // no rows: the first ones
	p.settle()
	p.on("at first", 1, 0)
	p.GoTo(500)
	p.settle()
	p.Renew()
	answer := p.follow()
	p.Move(keys.LineDown)
	answer()
	p.on("again", 501, 4)
	p.src.n = 400
	p.Renew()
	p.settle()
	p.on("without the row", 400, 9)
	p.src.n = 0
	p.Renew()
	if p.settle(); p.Selected() != nil || !p.AtTop || !p.AtEnd {
		t.Error("there is a row in a list without rows")
	}
}

// TestSticks: who looks at the first rows sees those that come before them, and
// nobody else does.
func TestSticks(t *testing.T) {
	for _, c := range []struct {
		sticks bool
		from   int
		line   int
	}{{true, 3, 2}, {false, 3, 0}, {true, 500, 3}} {
		p := newPaged(t, 1000)
		p.Sticks, p.src.hidden = c.sticks, 2
		p.GoTo(c.from)
		p.settle()
		p.src.hidden = 0
		p.Renew()
		p.settle()
		p.on("after others came", c.from, c.line)
	}
}

// TestOldAnswersAreDropped, and their questions given up: only the newest counts.
func TestOldAnswersAreDropped(t *testing.T) {
	p := newPaged(t, 1000)
	late := p.follow()
	p.GoTo(500)
	answer := p.follow()
	if late(); !errors.Is(p.src.ended, context.Canceled) {
		t.Errorf("the old question was not given up: %v", p.src.ended)
	}
	if p.took != 0 || p.Ready() || !p.Awaited() {
		t.Error("an answer was taken that nobody waits for")
	}
	if answer(); p.took != 1 || !p.Ready() || p.Awaited() {
		t.Error("the answer was not taken")
	}
	p.on("after all", 500, 3)
	p.Pick(len(p.Rows) - 1)
	if answer = p.follow(); answer == nil || p.follow() != nil {
		t.Error("it does not ask for the next rows, or twice")
	}
	p.GiveUp()
	if answer(); p.took != 1 {
		t.Error("an answer was taken that was given up")
	}
}

// TestAFailureStays until one asks again: rows that are there stay, and nothing
// asks by itself.
func TestAFailureStays(t *testing.T) {
	p := newPaged(t, 1000)
	p.settle()
	p.src.fail = errors.New("no database")
	p.Pick(PageSize - 1)
	p.settle()
	p.Move(keys.LineUp)
	p.Move(keys.LineDown)
	if p.follow() != nil || !errors.Is(p.Failed(), p.src.fail) || len(p.Rows) < PageSize {
		t.Errorf("%d rows, %v", len(p.Rows), p.Failed())
	}
	p.src.fail = nil
	p.Renew()
	p.settle()
	p.on("again", PageSize, 9)
}
