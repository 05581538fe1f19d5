package list

import (
	"context"
	"errors"
	"testing"

	"winnow/tui/keys"
)

// source are the numbers from 1 to n, whose keys they are.
type source struct {
	n    int
	fail error
}

func (s *source) fetch(ctx context.Context, after int, back bool, limit int) (rows []int, more bool, err error) {
	if s.fail != nil {
		return nil, false, s.fail
	}
	from, to := after+1, min(after+limit, s.n)
	if back {
		if after == 0 {
			after = s.n + 1
		}
		to = min(after-1, s.n)
		from = max(1, to-limit+1)
	}
	for i := from; i <= to; i++ {
		rows = append(rows, i)
	}
	return rows, back && from > 1 || !back && to < s.n, ctx.Err()
}

// paged is a list of a source, with what is asked for.
type paged struct {
	t *testing.T
	Paged[int, int]
	src source
}

func newPaged(t *testing.T, n int) *paged {
	p := &paged{t: t, Paged: New(func(i *int) int { return *i }), src: source{n: n}}
	p.Resize(10)
	return p
}

// ask answers a question at once.
func (p *paged) ask(q Ask[int]) {
	p.t.Helper()
	if !p.Take(p.Ask(p.t.Context(), q, p.src.fetch)().(Page[int, int])) {
		p.t.Error("the answer was not taken")
	}
}

// settle asks for what is needed until nothing is.
func (p *paged) settle() {
	for q, ok := p.Needs(); ok; q, ok = p.Needs() {
		p.ask(q)
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
	want, ok := p.Move(keys.ToEnd)
	if ok {
		t.Fatal("it went to an end that is not there")
	}
	p.ask(Ask[int]{Want: want})
	p.settle()
	p.on("to the end", all, 9)
	want, _ = p.Move(keys.ToStart)
	p.ask(Ask[int]{Want: want})
	p.settle()
	p.on("to the start", 1, 0)
}

// TestAround: the row that is asked for is selected, with what precedes it above;
// one that is gone is the one that stood after it.
func TestAround(t *testing.T) {
	p := newPaged(t, 1000)
	for row, line := range map[int]int{500: 3, 1: 0, 2: 1, 1000: 9} {
		p.ask(Ask[int]{Want: Around, Key: row})
		p.on("around", row, line)
	}
	p.ask(Ask[int]{Want: Around, Key: 2000})
	p.on("around one that is gone", 1000, 9)
}

// TestAgain: what is read again keeps the selected row on its line, also if the
// selection moved while it was read.
func TestAgain(t *testing.T) {
	p := newPaged(t, 1000)
	p.ask(p.Again()) // no rows: the first ones
	p.on("at first", 1, 0)
	p.ask(Ask[int]{Want: Around, Key: 500})
	cmd := p.Ask(t.Context(), p.Again(), p.src.fetch)
	p.Move(keys.LineDown)
	p.Take(cmd().(Page[int, int]))
	p.on("again", 501, 4)
	p.src.n = 400
	p.ask(p.Again())
	p.on("without the row", 400, 9)
	p.src.n = 0
	if p.ask(p.Again()); p.Selected() != nil || !p.AtTop || !p.AtEnd {
		t.Error("there is a row in a list without rows")
	}
}

// TestOldAnswersAreDropped, and their questions given up: only the newest counts,
// and none of another list.
func TestOldAnswersAreDropped(t *testing.T) {
	p, other := newPaged(t, 1000), newPaged(t, 1000)
	old := p.Ask(t.Context(), Ask[int]{Want: Start}, p.src.fetch)
	cmd := p.Ask(t.Context(), Ask[int]{Want: Around, Key: 500}, p.src.fetch)
	late := old().(Page[int, int])
	if !errors.Is(late.Err, context.Canceled) {
		t.Errorf("the old question was not given up: %v", late.Err)
	}
	other.Ask(t.Context(), Ask[int]{Want: Start}, p.src.fetch)
	other.Ask(t.Context(), Ask[int]{Want: Start}, p.src.fetch)
	m := cmd().(Page[int, int])
	if p.Take(late) || other.Take(m) || p.Ready || !p.Take(m) || p.Take(m) {
		t.Error("an answer was taken that nobody waits for, or the one waited for was not")
	}
	p.on("after all", 500, 3)
	p.Pick(len(p.Rows) - 1)
	q, ok := p.Needs()
	p.Ask(t.Context(), q, p.src.fetch)
	if _, again := p.Needs(); !ok || q.Want != More || again {
		t.Errorf("it asks for %v %v, and while it waits %v", q.Want, ok, again)
	}
}

// TestAFailureStays until one asks again: rows that are there stay, and nothing
// asks by itself.
func TestAFailureStays(t *testing.T) {
	p := newPaged(t, 1000)
	p.settle()
	p.src.fail = errors.New("no database")
	p.ask(Ask[int]{Want: More, Key: PageSize})
	p.Move(keys.ToEnd)
	p.Pick(PageSize - 1)
	if _, ok := p.Needs(); ok || !errors.Is(p.Failed, p.src.fail) || len(p.Rows) < PageSize {
		t.Errorf("%d rows, %v", len(p.Rows), p.Failed)
	}
	p.src.fail = nil
	p.ask(p.Again())
	p.on("again", PageSize, 9)
}
