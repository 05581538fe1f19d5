package screen

import (
	"context"
	"errors"
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/draw"
	"winnow/tui/keys"
)

// layer is a layer that does nothing, told apart by its pointer.
type layer struct{ name string }

func (*layer) Update(tea.Msg) tea.Cmd   { return nil }
func (*layer) Follow(Frame) tea.Cmd     { return nil }
func (*layer) Move(keys.Motion) tea.Cmd { return nil }
func (*layer) Back() tea.Cmd            { return nil }

// answers runs a command and all it stands for, and tells what came for whom.
func answers(cmd tea.Cmd) (all []string) {
	if cmd == nil {
		return nil
	}
	switch m := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range m {
			all = append(all, answers(c)...)
		}
	case Answer:
		all = append(all, fmt.Sprint(m.To.(*layer).name, " ", m.Msg))
	default:
		all = append(all, fmt.Sprint("nobody ", m))
	}
	return all
}

// TestAddress: what a command brings is for its layer, also from within batches;
// what is addressed already stays so, and nothing is no answer.
func TestAddress(t *testing.T) {
	a, b := &layer{"a"}, &layer{"b"}
	says := func(text string) tea.Cmd { return func() tea.Msg { return text } }
	for _, c := range []struct {
		name string
		cmd  tea.Cmd
		want []string
	}{
		{"no command", nil, nil},
		{"no message", says(""), []string{"a "}},
		{"nothing", func() tea.Msg { return nil }, nil},
		{"one", says("1"), []string{"a 1"}},
		{"a batch", tea.Batch(says("1"), says("2")), []string{"a 1", "a 2"}},
		{"with nothing in it", func() tea.Msg { return tea.BatchMsg{nil, says("1")} }, []string{"a 1"}},
		{"a batch in a batch", tea.Batch(says("1"), tea.Batch(says("2"), says("3"))), []string{"a 1", "a 2", "a 3"}},
		{"of another", Address(b, says("1")), []string{"b 1"}},
		{"of another, in a batch", tea.Batch(Address(b, tea.Batch(says("1"), says("2"))), says("3")), []string{"b 1", "b 2", "a 3"}},
	} {
		got := answers(Address(a, c.cmd))
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if Address(a, nil) != nil {
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
