package reader

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/review"
)

func (p *pane) shows(what string, want ...review.Span) {
	p.Helper()
	p.View(p.w, p.h)
	if got := p.Shown(); !slices.Equal(got, want) {
		p.Errorf("%s: %v is shown, want %v\n%s", what, got, want, p.View(p.w, p.h))
	}
}

// TestRowsTellOfTheirMessages: of all that have a row on the screen, also a folded
// one, and of no other.
func TestRowsTellOfTheirMessages(t *testing.T) {
	long := storeOf(user("find it"), result("terminal", strings.Repeat("a line\n", 99)), assistant(strings.Repeat("so\n\n", 40)), user("thanks"))
	p := open(t, long, 80, 8)
	p.shows("from the top", review.Span{First: 1, Last: 3})
	p.do(p.PageDown())
	p.shows("within a message that is higher than the screen", review.Span{First: 3, Last: 3})
	p.do(p.Bottom())
	p.shows("at the end", review.Span{First: 3, Last: 4})
	p.w, p.h = 80, 4
	p.do(p.Resize(80, 4))
	p.shows("smaller", p.Shown()...)
	if n := p.Shown().Count(1, 4); n > 2 {
		t.Errorf("%d messages on 4 rows", n)
	}
	p.Close()
	p.shows("closed")
}

// TestADigestTellsOfItsSteps: a line tells of all messages of its step, none before
// it is laid out.
func TestADigestTellsOfItsSteps(t *testing.T) {
	s := work(4)
	p := digested(t, s, 120, 12)
	shown := p.Shown()
	rows := 0
	for _, a := range shown {
		rows += a.Last - a.First + 1
	}
	if len(shown) != 1 || shown[0].First != 1 || rows <= 12 {
		t.Errorf("%v on 12 rows\n%s", shown, p.View(120, 12))
	}
	p.do(p.Bottom())
	if at := p.Shown(); at[len(at)-1].Last != s.count {
		t.Errorf("%v at the end of %d\n%s", at, s.count, p.View(120, 12))
	}
	q := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles(), Digest: 1}), store: s, w: 120, h: 12}
	_ = q.Open(s.segment()) // nothing has come
	q.shows("while it is read")
	plain := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles()}), store: s, w: 120, h: 12}
	_ = plain.Open(s.segment())
	plain.shows("while messages are read")
}

// TestRowsThatSumUpAreNotSeen: nobody has seen what happened in many messages of one
// row, until the step is open.
func TestRowsThatSumUpAreNotSeen(t *testing.T) {
	s := work(40)
	p := digested(t, s, 120, 60)
	from, to := 0, 0
	for _, g := range p.sketch().groups {
		if g.To-g.From >= readable && from == 0 {
			from, to = g.From, g.To
		}
	}
	if from == 0 {
		t.Fatal("no row sums up")
	}
	p.do(p.Show(from))
	all := review.Span{First: from, Last: to}
	if p.View(120, 60); p.Shown().Has(all) {
		t.Errorf("messages %d to %d are seen in a row", from, to)
	}
	p.toggleStep(from)
	p.do(p.need())
	if p.View(120, 60); !p.Shown().Has(review.Span{First: from, Last: from}) {
		t.Errorf("message %d is not seen in an open step: %v", from, p.Shown())
	}
}

// BenchmarkShown walks the rows of a frame in the middle of a long segment.
func BenchmarkShown(b *testing.B) {
	talk := talk()
	talk.make, talk.count = manyOf(talk.make), 5000
	p := open(b, talk, 200, 60)
	p.do(p.PageDown())
	p.View(p.w, p.h)
	b.ReportAllocs()
	for b.Loop() {
		p.Shown()
	}
}
