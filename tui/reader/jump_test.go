package reader

import (
	"strings"
	"testing"

	"winnow/core/chat"
)

// failing is a conversation whose seventh message is the failed result of the second
// of three calls in the third, between long texts.
func failing() *fakeStore {
	bad := result("Read", "boom")
	bad.ToolCallID, bad.IsError = "b", true
	of := func(id string) chat.Message {
		m := result("Bash", "fine "+id+"\n"+numbered(200))
		m.ToolCallID = id
		return m
	}
	return storeOf(user("please"), assistant(numbered(90)),
		assistant(numbered(60), call("a", "Bash", `{"command":"make"}`), call("b", "Read", `{"path":"wanted.go"}`), call("c", "Bash", `{"command":"ls"}`)),
		of("a"), of("c"), user("and?"), bad, assistant(numbered(90)))
}

// TestAFailureIsShownWithItsCall: however many rows are between, as long as that is
// less than the screen.
func TestAFailureIsShownWithItsCall(t *testing.T) {
	p := open(t, failing(), 80, 24)
	p.do(p.NextFailure())
	p.want("Read  wanted.go", "Bash #1", "✗ marked as error")
	if p.cursor != 7 {
		t.Errorf("message %d", p.cursor)
	}
	p.do(p.ToggleAllFolds()) // the call is far now
	p.want("✗ marked as error")
	p.do(p.Top())
	p.do(p.NextFailure())
	if rows := strings.Split(p.screen(), "\n"); !strings.Contains(rows[8], "✗ marked as error") {
		t.Errorf("the result is not at a third of the screen:\n%s", p.screen())
	}
}

// TestAFailureOpensItsStep: a digest tells of many failures in one row.
func TestAFailureOpensItsStep(t *testing.T) {
	p := digested(t, work(12), 80, 24)
	p.do(p.NextFailure())
	if p.told(p.cursor) {
		t.Fatal("its step is closed")
	}
	first := p.cursor
	p.want("go test")
	p.do(p.NextFailure())
	if p.cursor <= first || p.told(p.cursor) {
		t.Errorf("from %d to %d", first, p.cursor)
	}
}
