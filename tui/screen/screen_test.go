package screen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/draw"
	"winnow/tui/work"
)

// host runs commands when the test wants it.
type host struct {
	Host
	cmds []tea.Cmd
}

func (h *host) Run(cmd tea.Cmd) { h.cmds = append(h.cmds, cmd) }

// answer runs a command and shows what it brought.
func (h *host) answer(i int) { h.cmds[i]().(work.Then)() }

// TestQuestion: what was read goes into it, unless it was asked anew or given up, or
// the layer was closed; what was read before stays when it fails.
func TestQuestion(t *testing.T) {
	broken := errors.New("no such file")
	ctx, leave := context.WithCancel(t.Context())
	h := &host{}
	s := &Seat{Ctx: ctx, Host: h}
	var q Question[int]
	var took []string
	ask := func(n int, err error) {
		q.Ask(s, func(ctx context.Context) (int, error) { return n, cmp.Or(ctx.Err(), err) }, func(n int, err error) {
			took = append(took, fmt.Sprint(n, err, q.Open))
		})
	}
	is := func(what string, want Question[int], asked, awaited bool) {
		t.Helper()
		got := Question[int]{Got: q.Got, Came: q.Came, Err: q.Err, Open: q.Open}
		if fmt.Sprint(got) != fmt.Sprint(want) || q.Asked() != asked || q.Awaited() != awaited {
			t.Errorf("%s: %+v, asked %v, awaited %v", what, got, q.Asked(), q.Awaited())
		}
	}
	is("at first", Question[int]{}, false, false)
	q.GiveUp()
	ask(1, nil)
	is("asked", Question[int]{Open: true}, true, true)
	ask(2, nil)
	h.answer(0)
	is("of the one before", Question[int]{Open: true}, true, true)
	h.answer(1)
	is("answered", Question[int]{Got: 2, Came: true}, true, false)
	h.answer(1)
	ask(3, broken)
	is("asked anew", Question[int]{Got: 2, Came: true, Open: true}, true, false)
	h.answer(2)
	is("failed", Question[int]{Got: 2, Came: true, Err: broken}, true, false)
	ask(4, nil)
	q.GiveUp()
	h.answer(3)
	is("given up", Question[int]{Got: 2, Came: true}, true, false)
	ask(5, nil)
	leave()
	h.answer(4)
	if want := []string{"2 <nil> false", "3 no such file false"}; !slices.Equal(took, want) {
		t.Errorf("took %q, want %q", took, want)
	}
	q = Question[int]{}
	s.Ctx = t.Context()
	q.Ask(s, func(context.Context) (int, error) { return 6, nil }, nil)
	h.answer(5)
	is("with nobody to take it", Question[int]{Got: 6, Came: true}, true, false)
}

// TestFor: what a command brings is for who takes it, also from within batches and
// what that asks for; until nobody does any more.
func TestFor(t *testing.T) {
	says := func(text string) tea.Cmd { return func() tea.Msg { return text } }
	for _, c := range []struct {
		name string
		cmd  tea.Cmd
		want string
	}{
		{"no command", nil, ""},
		{"nothing", func() tea.Msg { return nil }, ""},
		{"one", says("1"), "1"},
		{"a batch", tea.Batch(says("1"), says("2")), "1 2"},
		{"with nothing in it", func() tea.Msg { return tea.BatchMsg{nil, says("1")} }, "1"},
		{"a batch in a batch", tea.Batch(says("1"), tea.Batch(says("2"), says("3"))), "1 2 3"},
		{"that leads to another", says("+"), "+ 1"},
		{"the last one", tea.Batch(says("1"), says("end"), says("2")), "1 end"},
	} {
		ctx, end := context.WithCancel(t.Context())
		var took []string
		take := func(msg tea.Msg) tea.Cmd {
			took = append(took, msg.(string))
			switch msg {
			case "+":
				return says("1")
			case "end":
				end()
			}
			return nil
		}
		var run func(tea.Cmd)
		run = func(cmd tea.Cmd) {
			if cmd == nil {
				return
			}
			switch m := cmd().(type) {
			case tea.BatchMsg:
				for _, c := range m {
					run(c)
				}
			case work.Then:
				run(m())
			}
		}
		if run(For(ctx, take, c.cmd)); strings.Join(took, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, took, c.want)
		}
		end()
	}
	if For(t.Context(), nil, nil) != nil {
		t.Error("no command became one")
	}
}

// TestNotice: the last thing said stands there, with what was added to it.
func TestNotice(t *testing.T) {
	broken := errors.New("no such file")
	for _, c := range []struct {
		name string
		do   func(*Notice)
		want Message
	}{
		{"nothing", func(*Notice) {}, Message{}},
		{"said", func(n *Notice) { n.SayUndo("old", "u"); n.Say("new") }, Message{Text: "new"}},
		{"with the key that takes it back", func(n *Notice) { n.SayUndo("approved", "u") }, Message{Text: "approved", Undo: "u"}},
		{"unsaid", func(n *Notice) { n.SayUndo("approved", "u"); n.Unsay() }, Message{}},
		{"added", func(n *Notice) { n.SayUndo("approved", "u"); n.Add("the last one") }, Message{Text: "approved - the last one", Undo: "u"}},
		{"added to nothing", func(n *Notice) { n.Add("the last one") }, Message{Text: "the last one"}},
		{"failed", func(n *Notice) { n.SayUndo("approved", "u"); n.Fail("not read", broken) }, Message{Text: "not read: no such file", Failed: true}},
		{"the error says it", func(n *Notice) { n.Fail("", broken) }, Message{Text: "no such file", Failed: true}},
		{"no failure", func(n *Notice) { n.Say("before"); n.Fail("not read", nil) }, Message{Text: "before"}},
		{"given up", func(n *Notice) { n.Say("before"); n.Fail("not read", fmt.Errorf("asked: %w", context.Canceled)) }, Message{Text: "before"}},
		{"said after a failure", func(n *Notice) { n.Fail("", broken); n.Say("read") }, Message{Text: "read"}},
	} {
		n := NewNotice(draw.NewPen(true))
		c.do(n)
		if n.Message != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, n.Message, c.want)
		}
	}
}
