package reader

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
)

// mixed is a long session in which every message looks different.
func mixed(count int) *fakeStore {
	kinds := []func(n int) chat.Message{
		func(n int) chat.Message { return user(fmt.Sprintf("prompt %d\n%s", n, numbered(n%30))) },
		func(n int) chat.Message {
			m := assistant(fmt.Sprintf("# Answer %d\n\n**bold** %s", n, strings.Repeat("some words ", n%200)),
				chat.ToolCall{Name: "terminal", Arguments: fmt.Sprintf(`{"command":"run %d"}`, n)})
			m.Reasoning = numbered(n % 50)
			return m
		},
		func(n int) chat.Message { return result("terminal", fmt.Sprintf("Error: %d\n%s", n, numbered(n%40))) },
		func(n int) chat.Message {
			return result("read", fmt.Sprintf(`{"n":%d,"text":%q}`, n, strings.Repeat("字", n%500)))
		},
	}
	return &fakeStore{count: count, make: func(n int) chat.Message {
		m := kinds[n%len(kinds)](n)
		m.N = n
		return m
	}}
}

// TestAnswersInAnyOrder presses keys while answers are late and overtake each
// other; at rest the screen is the one a reader shows that waited.
func TestAnswersInAnyOrder(t *testing.T) {
	const rounds = 12 / slower
	for seed := range uint64(rounds) {
		random := rand.New(rand.NewPCG(seed, 1))
		s := mixed(2500)
		p := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles()}), store: s, w: 30 + random.IntN(100), h: 5 + random.IntN(50)}
		var late []tea.Cmd
		run := func(cmd tea.Cmd) {
			if cmd == nil {
				return
			}
			switch msg := cmd().(type) {
			case tea.BatchMsg:
				late = append(late, msg...)
			default:
				late = append(late, p.Update(msg))
			}
		}
		late = append(late, p.Open(s.segment()))
		actions := []func() tea.Cmd{
			func() tea.Cmd { return p.Scroll(random.IntN(9) - 4) }, p.PageDown, p.PageUp, p.HalfDown, p.HalfUp,
			p.Top, p.Bottom, p.NextMessage, p.PrevMessage, p.NextPrompt, p.PrevPrompt, p.NextFailure,
			p.ToggleFold, p.ToggleAllFolds, p.ToggleThinking, p.ToggleDetail,
			func() tea.Cmd { return p.Find([]string{"words", "error: 13", "字字", "run 7", ""}[random.IntN(5)]) },
			p.NextHit, p.PrevHit, p.ClearFind,
			func() tea.Cmd { p.w, p.h = 20+random.IntN(120), 2+random.IntN(60); return nil },
			func() tea.Cmd { p.SetStyles(plainStyles()); return nil },
			func() tea.Cmd { return p.Open(s.segment()) },
		}
		for range 150 {
			late = append(late, actions[random.IntN(len(actions))]())
			p.lines()
			for range random.IntN(4) {
				if len(late) > 0 {
					i := random.IntN(len(late))
					cmd := late[i]
					late = append(late[:i], late[i+1:]...)
					run(cmd)
					p.lines()
				}
			}
		}
		for len(late) > 0 {
			i := random.IntN(len(late))
			cmd := late[i]
			late = append(late[:i], late[i+1:]...)
			run(cmd)
		}
		p.do(p.Update(nil))
		if s := p.Status(); s.Loading || s.Searching || s.Message < 1 || s.Message > s.Of {
			t.Fatalf("seed %d: at rest, but %+v", seed, s)
		}
		p.wantNot("loading")
		if len(p.rendering) > 0 || p.underWay != 0 {
			t.Fatalf("seed %d: %d renderings and %d bytes under way at rest", seed, len(p.rendering), p.underWay)
		}
		fresh := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles()}), store: s, w: p.w, h: p.h}
		fresh.do(fresh.Resize(p.w, p.h))
		fresh.do(fresh.Open(s.segment()))
		fresh.anchor, fresh.cursor, fresh.folds, fresh.all = p.anchor, p.cursor, p.folds, p.all
		fresh.anchor.place = p.plainly(p.anchor.place)
		fresh.thinking, fresh.detail, fresh.find = p.thinking, p.detail, p.find
		fresh.theme = p.theme
		fresh.do(fresh.Update(nil))
		if p.anchor.place.form == nil && fresh.screen() != p.screen() {
			t.Fatalf("seed %d: late answers gave\n%s\nwaiting gives\n%s", seed, p.screen(), fresh.screen())
		}
	}
}

func TestAnswersForAnotherSegmentAreDropped(t *testing.T) {
	s := mixed(100)
	p := &pane{TB: t, Reader: New(Options{Fetch: s, Styles: plainStyles()}), store: s, w: 60, h: 20}
	first := p.Open(s.segment())
	other := s.segment()
	other.ID, other.Body, other.Start, other.End = "other", 2, 50, 60
	second := p.Open(other)
	p.do(first)
	if s := p.Status(); !s.Loading || s.Message != 1 || s.Of != 11 || s.Number != 50 {
		t.Fatalf("%+v", s)
	}
	p.do(second)
	if p.Status().Loading || len(p.shelf.books) > 11 {
		t.Fatalf("%+v, %d messages", p.Status(), len(p.shelf.books))
	}
}

func TestJumpsReachWhatIsNotIndexedYet(t *testing.T) {
	s := &fakeStore{count: 5000, make: func(n int) chat.Message {
		m := assistant(fmt.Sprintf("step %d", n))
		switch n {
		case 1, 3500:
			m = user("prompt")
		case 4900:
			m = result("terminal", "Error: it broke")
		}
		m.N = n
		return m
	}}
	p := open(t, s, 60, 20)
	for _, c := range []struct {
		jump func() tea.Cmd
		to   int
	}{{p.NextPrompt, 3500}, {p.NextFailure, 4900}, {p.NextFailure, 4900}, {p.NextPrompt, 4900}, {p.PrevPrompt, 3500}, {p.PrevPrompt, 1}, {p.PrevPrompt, 1}} {
		p.do(c.jump())
		if got := p.Status().Message; got != c.to {
			t.Fatalf("went to %d, want %d", got, c.to)
		}
	}
	// A jump that waits ends with the next move.
	p.Open(s.segment())
	p.do(p.Top())
	cmd := p.NextPrompt()
	if p.jump == nil {
		t.Fatal("the jump does not wait")
	}
	p.do(p.NextMessage())
	p.do(cmd)
	if got := p.Status().Message; got != 2 {
		t.Fatalf("an abandoned jump went to %d", got)
	}
}

func TestPrefetchedSegmentShowsAtOnce(t *testing.T) {
	s := mixed(100)
	p := open(t, s, 60, 20)
	next := s.segment()
	next.ID, next.Start, next.End = "next", 60, 90
	p.do(p.Prefetch(next))
	p.Open(next)
	p.want("prompt 60")
}

func TestPrefetchOfNothingIsNothing(t *testing.T) {
	s := mixed(10)
	p := open(t, s, 60, 20)
	if p.Prefetch(s.segment()) != nil {
		t.Fatal("asks for what is here")
	}
}
