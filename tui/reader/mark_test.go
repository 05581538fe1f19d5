package reader

import (
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/filter"
)

// marking is a session in which texts of a filter stand in several places.
func marking() *fakeStore {
	return storeOf(
		user("Why is the Connection\nrefused?"),
		chat.Message{Role: chat.Assistant, Content: "Let me see.", ToolCalls: []chat.ToolCall{{ID: "1", Name: "terminal", Arguments: `{"command":"curl foo_bar"}`}}},
		chat.Message{Role: chat.Tool, Name: "terminal", ToolCallID: "1", Content: strings.Repeat("fine\n", 60) + "connection refused\n" + strings.Repeat("fine\n", 60)},
		chat.Message{Role: chat.Assistant, Content: "The connections were refused. 订单服务 is down; foo_bar too."},
	)
}

// TestMarks: what a filter searched for is marked as it was found, moves
// nothing, and is stepped through.
func TestMarks(t *testing.T) {
	p := open(t, marking(), 80, 12)
	before := p.screen()
	p.do(p.Mark([]filter.Text{{Value: "connection refused", Phrase: true}, {Value: "服务"}}))
	if s := p.Status(); s.Hits != 3 || s.Hit != 0 || !s.Marked || s.FindQuery != "" || s.Notice != "" || s.Searching {
		t.Fatalf("%+v", s)
	}
	if p.screen() != before {
		t.Errorf("the view has moved:\n%s\n%s", before, p.screen())
	}
	if !strings.Contains(p.View(80, 12), inkBegins(p.inks.match)) {
		t.Error("nothing is marked")
	}
	for i, want := range []string{"the Connection", "connection refused", "订单服务 is down", "the Connection"} {
		p.do(p.NextHit())
		if s := p.Status(); s.Hit != i%3+1 {
			t.Errorf("step %d is at hit %d", i, s.Hit)
		}
		p.want(want)
	}
	p.do(p.PrevHit())
	p.want("订单服务 is down")
}

// TestMarksGiveWayToAFind: and come back when it ends; another segment has its
// own, and no texts are none.
func TestMarksGiveWayToAFind(t *testing.T) {
	p := open(t, marking(), 80, 12)
	p.do(p.Mark([]filter.Text{{Value: "foo_bar"}}))
	p.do(p.Find("fine"))
	if s := p.Status(); s.Marked || s.FindQuery != "fine" || s.Hits != 120 {
		t.Fatalf("%+v", s)
	}
	p.do(p.ClearFind())
	if s := p.Status(); !s.Marked || s.Hits != 2 {
		t.Fatalf("%+v", s)
	}
	other := p.store.segment()
	other.ID, other.Start = "another", 3
	p.do(p.Open(other))
	if s := p.Status(); !s.Marked || s.Hits != 1 {
		t.Errorf("%+v", s)
	}
	p.do(p.NextHit())
	p.want("foo_bar too")
	p.do(p.Mark(nil))
	if s := p.Status(); s.Marked || s.Hits != 0 {
		t.Errorf("%+v", s)
	}
	p.do(p.Mark([]filter.Text{{Value: "nowhere"}}))
	p.do(p.NextHit())
	if s := p.Status(); s.Notice == "" {
		t.Error("a step to nowhere says nothing")
	}
}

// TestMarksBeginBesideTheCurrentMessage: the first step goes to the nearest hit.
func TestMarksBeginBesideTheCurrentMessage(t *testing.T) {
	p := open(t, marking(), 80, 12)
	p.do(p.Mark([]filter.Text{{Value: "refused"}}))
	p.do(p.Show(4))
	p.do(p.NextHit())
	if s := p.Status(); s.Hit != 3 || s.Number != 4 {
		t.Errorf("%+v", s)
	}
	p = open(t, marking(), 80, 12)
	p.do(p.Mark([]filter.Text{{Value: "refused"}}))
	p.do(p.Show(3))
	p.do(p.PrevHit())
	if s := p.Status(); s.Hit != 2 || s.Number != 3 {
		t.Errorf("%+v", s)
	}
}
