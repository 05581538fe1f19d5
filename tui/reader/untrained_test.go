package reader

import (
	"strings"
	"testing"
)

// TestUntrainedMessagesAreMarked: at the rule of who speaks, at any width, and
// gone as soon as they are trained again.
func TestUntrainedMessagesAreMarked(t *testing.T) {
	s := storeOf(user("ask"), assistant("answer"), user("more"), assistant("last"))
	for _, c := range []struct {
		w    int
		mark string
	}{{120, untrainedMark}, {40, untrainedMark}, {20, untrainedMarkShort}, {5, ""}} {
		p := open(t, s, c.w, 20)
		p.SetMasked([]int{2})
		marked := 0
		for _, l := range p.lines() {
			if strings.HasSuffix(l, " "+c.mark) && strings.Contains(l, "─") && c.mark != "" {
				marked++
			}
		}
		if c.mark != "" && marked != 1 {
			t.Errorf("%d cells: %d rules are marked:\n%s", c.w, marked, p.screen())
		}
		p.SetMasked(nil)
		p.wantNot(untrainedMark)
	}
	p := open(t, s, 80, 20)
	p.do(p.NextMessage())
	if got := p.Status().Role; got != "assistant" {
		t.Errorf("the message is the %s's", got)
	}
}
