package reader

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
)

// wantNotice runs actions and compares what each says.
func (p *pane) wantNotice(action func() tea.Cmd, wants ...string) {
	p.Helper()
	for i, want := range wants {
		p.do(action())
		if got := p.Status().Notice; got != want {
			p.Fatalf("action %d says %q, want %q", i+1, got, want)
		}
	}
}

func TestJumpsWithoutAGoalSaySo(t *testing.T) {
	failure := result("Bash", "Error: x")
	p := open(t, storeOf(user("a"), failure, failure, user("b"), failure, assistant("c")), 60, 4)
	p.wantNotice(p.PrevPrompt, "first prompt")
	p.wantNotice(p.PrevMessage, "first message")
	p.wantNotice(p.NextFailure, "failure 1 of 3", "failure 2 of 3", "failure 3 of 3", "no further failure")
	p.wantNotice(p.NextPrompt, "no further prompt")
	p.wantNotice(p.PrevPrompt, "", "", "first prompt")
	p.do(p.Top())
	p.wantNotice(p.NextMessage, "", "", "", "", "", "last message", "last message")
	p.wantNotice(p.Top, "")
	p.wantNotice(p.ToggleThinking, "thinking shown", "thinking hidden", "thinking folded")
	p.wantNotice(p.ToggleDetail, "detail on", "detail off")
	p.wantNotice(p.PageDown, "")
	p = open(t, storeOf(user("a"), assistant("b")), 60, 4)
	p.wantNotice(p.NextFailure, "no failure in this segment")
}

func TestFailuresAreCountedWhenTheIndexIsThere(t *testing.T) {
	s := &fakeStore{count: 3 * headPage, make: func(n int) chat.Message {
		m := result("Bash", "fine")
		if n%headPage == 7 {
			m.Content = "Error: x"
		}
		m.N = n
		return m
	}}
	p := open(t, s, mapFrom-1, 10) // the map asks for all of the index
	p.wantNotice(p.NextFailure, "failure 1", "failure 2", "failure 3 of 3", "no further failure")
	p = open(t, s, 60, 10)
	p.do(p.Bottom())
	p.wantNotice(p.NextFailure, "no further failure")
}

func TestFindSaysThatItGoesRound(t *testing.T) {
	p := open(t, storeOf(user("one"), user("two"), user("one")), 60, 10)
	find := func(query string) func() tea.Cmd { return func() tea.Cmd { return p.Find(query) } }
	p.wantNotice(find("one"), "")
	p.wantNotice(p.NextHit, "", "from the top again", "")
	p.wantNotice(p.PrevHit, "", "from the end again", "")
	p.wantNotice(find("zzz"), `no "zzz" in this segment`)
	p.wantNotice(p.NextHit, `no "zzz" in this segment`)
	p.wantNotice(p.ClearFind, "")
	p.do(p.Bottom())
	p.wantNotice(find("two"), "from the top again")
	p.wantNotice(find("\x1b"+"0123456789012345678901234567890"), `no "␛0123456789012345678901…" in this segment`)
}

func TestTheCurrentHitStandsOut(t *testing.T) {
	p := open(t, storeOf(user("one one one")), 60, 10)
	if p.inks.current == p.inks.match || inkBegins(p.inks.current) == "" || inkBegins(p.inks.match) == "" {
		t.Fatalf("hits are drawn in %q, the current one in %q", inkBegins(p.inks.match), inkBegins(p.inks.current))
	}
	p.do(p.Find("one"))
	p.do(p.NextHit())
	want := p.inks.match.On("one") + " " + p.inks.current.On("one") + " " + p.inks.match.On("one")
	if got := p.View(60, 10); !strings.Contains(got, want) {
		t.Fatalf("want %q in %q", want, got)
	}
}
