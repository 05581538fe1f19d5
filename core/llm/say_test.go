package llm

import (
	"context"
	"testing"

	"winnow/core/llm/llmtest"
)

// TestSay checks that an answer is text as it is, and that one that was cut off is
// known.
func TestSay(t *testing.T) {
	server := llmtest.Start(t, llmtest.Answer(" [1] is no JSON here\n"), llmtest.Finished("half", "length"), llmtest.Status(400, "no"))
	c, _ := client(t, server)
	if text, err := c.Say(context.Background(), question); text != "[1] is no JSON here" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := c.Say(context.Background(), question); text != "" || !CutOff(err) {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := c.Say(context.Background(), question); err == nil || CutOff(err) {
		t.Errorf("%v", err)
	}
}
