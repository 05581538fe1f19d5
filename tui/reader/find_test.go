package reader

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/tui/draw"
)

func TestFindGoesRoundFromTheCurrentMessage(t *testing.T) {
	p := open(t, talk(), 80, 30)
	for range 4 {
		p.do(p.NextMessage())
	}
	p.do(p.Find("parser"))
	s := p.Status()
	if s.Searching || s.FindQuery != "parser" || s.Hits < 8 {
		t.Fatalf("status %+v", s)
	}
	if s.Message != 5 || s.Hit == 1 {
		t.Fatalf("the first hit shown is %d, in message %d; the nearest is in 5", s.Hit, s.Message)
	}
	var seen []int
	for range s.Hits {
		seen = append(seen, p.Status().Hit)
		p.do(p.NextHit())
	}
	slices.Sort(seen)
	for i, n := range seen {
		if n != i+1 {
			t.Fatalf("hits seen: %v", seen)
		}
	}
	if p.Status() != s {
		t.Fatalf("all the way round: %+v, began at %+v", p.Status(), s)
	}
	p.do(p.PrevHit())
	p.do(p.NextHit())
	if p.Status() != s {
		t.Fatal("back and forth ends elsewhere")
	}
	p.do(p.ClearFind())
	if s := p.Status(); s.Hits != 0 || s.FindQuery != "" {
		t.Fatalf("cleared: %+v", s)
	}
}

func TestFindLooksIntoEverythingAndUnfoldsIt(t *testing.T) {
	for _, query := range []string{"data race", "-count=20", "line 45", "t.parallel", "共享", "careful", "terminal", "sync.Map"} {
		p := open(t, talk(), 80, 20)
		p.do(p.Find(query))
		if s := p.Status(); s.Hits == 0 || s.Hit == 0 {
			t.Errorf("%q not found", query)
		} else if !strings.Contains(strings.ToLower(p.screen()), strings.ToLower(query)) {
			t.Errorf("%q found, but it is not on the screen:\n%s", query, p.screen())
		}
	}
}

func TestHitsAreMarkedAlsoAcrossRows(t *testing.T) {
	p := open(t, storeOf(user(strings.Repeat("word ", 7)+"breaking"+strings.Repeat("x", 60)+" end")), 40, 12)
	mark := inkBegins(p.inks.current)
	p.do(p.Find("breaking" + strings.Repeat("x", 60)))
	if n := strings.Count(p.View(40, 12), mark); n < 2 {
		t.Fatalf("a hit over several rows is marked in %d:\n%s", n, p.screen())
	}
	p.do(p.Find("word"))
	if n := strings.Count(p.View(40, 12), inkBegins(p.inks.match)); n != 6 {
		t.Fatalf("%d other hits marked, want 6", n)
	}
	p.do(p.ClearFind())
	if strings.Contains(p.View(40, 12), inkBegins(p.inks.match)) {
		t.Fatal("marked after the end of the find")
	}
}

func TestFindInManyMessages(t *testing.T) {
	s := &fakeStore{count: 3000, make: func(n int) chat.Message {
		m := user(fmt.Sprintf("message %d %s", n, strings.Repeat("lorem ipsum ", 20)))
		if n%1000 == 7 {
			m.Content += " the needle"
		}
		m.N = n
		return m
	}}
	p := open(t, s, 80, 20)
	p.do(p.Find("needle"))
	if s := p.Status(); s.Hits != 3 || s.Hit != 1 || s.Message != 7 || s.Searching {
		t.Fatalf("%+v", s)
	}
	p.do(p.PrevHit())
	if s := p.Status(); s.Message != 2007 {
		t.Fatalf("%+v", s)
	}
	p.want("message 2007", "the needle")
}

func TestFirstHitShowsBeforeTheFindEnds(t *testing.T) {
	s := &fakeStore{count: 30_000, make: func(n int) chat.Message {
		m := user(fmt.Sprintf("message %d %s", n, strings.Repeat("lorem ipsum ", 20)))
		m.N = n
		return m
	}}
	p := open(t, s, 80, 20)
	msg := p.Find("message 3 ")()
	next := p.Update(msg)
	if st := p.Status(); st.Hit != 1 || !st.Searching || st.Message != 3 {
		t.Fatalf("after the first page: %+v", st)
	}
	old := p.find
	second := p.Find("message 12 ")
	p.do(next) // answers to the first query
	if st := p.Status(); p.find == old || st.Hits != 0 || !st.Searching {
		t.Fatalf("an old answer was taken: %+v", p.Status())
	}
	p.do(second)
	if st := p.Status(); st.Hits != 1 || st.Message != 12 || st.Searching {
		t.Fatalf("%+v", st)
	}
}

func TestHitsAreBounded(t *testing.T) {
	p := open(t, storeOf(user("start"), user(strings.Repeat("e", 3*hitsKept)), user("e")), 80, 20)
	p.do(p.Find("e"))
	if s := p.Status(); !s.Capped || s.Hits > 2*hitsKept || s.Hits < hitsKept || s.Searching {
		t.Fatalf("%+v", s)
	}
}

// inkBegins returns what stands before a text in an ink.
func inkBegins(k draw.Ink) string {
	before, _, _ := strings.Cut(k.On("x"), "x")
	return before
}
