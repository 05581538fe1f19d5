package reader

import (
	"strings"
	"testing"
)

// rowOf returns the row of the view that holds a text.
func (p *pane) rowWith(text string) int {
	for i, l := range p.lines() {
		if strings.Contains(l, text) {
			return i
		}
	}
	return -1
}

// TestPressOnAHeadlineFolds: a click opens what is folded, a second one folds
// it, and the view stays where it is.
func TestPressOnAHeadlineFolds(t *testing.T) {
	p := open(t, storeOf(user("go"), result("bash", strings.Repeat("line\n", 9)), assistant("Done.")), 80, 20)
	row := p.rowWith("bash")
	press := func(row int) {
		t.Helper()
		_, link, cmd := p.Press(row)
		if p.do(cmd); link {
			t.Error("there is no link")
		}
	}
	before := p.screen()
	press(row)
	if strings.Count(p.screen(), "line") < 9 || p.rowWith("bash") != row || p.Status().Message != 2 {
		t.Errorf("row %d, message %d:\n%s", p.rowWith("bash"), p.Status().Message, p.screen())
	}
	press(row)
	if p.rowWith("bash") != row || strings.Count(p.screen(), "line") != strings.Count(before, "line") {
		t.Errorf("it does not fold again:\n%s", p.screen())
	}
	press(p.rowWith("Done."))
	if p.Status().Message != 3 {
		t.Errorf("message %d", p.Status().Message)
	}
	press(19)
	press(-1)
	press(1000)
}

func TestPressOnALinkLeadsThere(t *testing.T) {
	p := openBranches(t, 3, 30)
	l, link, _ := p.Press(p.rowWith("Branch 1"))
	if !link || l.Session != "b1" {
		t.Errorf("%+v, %v", l, link)
	}
	if l, _ := p.FollowLink(); l.Session != "b2" {
		t.Errorf("the next one is %+v", l)
	}
}
