package llm

import (
	"context"
	"fmt"
	"testing"

	"winnow/core/llm/llmtest"
	"winnow/core/token"
)

func counted(in, out any) string {
	return fmt.Sprintf(`{"choices":[{"message":{"role":"assistant","content":"[]"},"finish_reason":"stop"}],"usage":{"prompt_tokens":%v,"completion_tokens":%v}}`, in, out)
}

func TestUsage(t *testing.T) {
	guess := Usage{Requests: 1, Estimated: 1, In: token.Estimate(question.System) + token.Estimate(question.User), Out: 1}
	for _, c := range []struct {
		name   string
		script []llmtest.Reply
		want   Usage
	}{
		{"told", []llmtest.Reply{llmtest.Raw("application/json", counted(100, 20))}, Usage{Requests: 1, In: 100, Out: 20}},
		{"not told", []llmtest.Reply{llmtest.Uncounted("[]")}, guess},
		{"told as nothing", []llmtest.Reply{llmtest.Raw("application/json", counted(0, 0))}, guess},
		{"below nothing", []llmtest.Reply{llmtest.Raw("application/json", counted(-5, 20))}, guess},
		{"absurd", []llmtest.Reply{llmtest.Raw("application/json", counted(int64(9e18), 1))}, guess},
		{"with a failed one that was told", []llmtest.Reply{
			llmtest.Body(500, "application/json", `{"error":{"message":"died"},"usage":{"prompt_tokens":7,"completion_tokens":3}}`),
			llmtest.Raw("application/json", counted(100, 20)),
		}, Usage{Requests: 2, Retries: 1, In: 107, Out: 23}},
		{"with a failed one that was not", []llmtest.Reply{
			llmtest.Status(429, ""), llmtest.Raw("application/json", counted(100, 20)),
		}, Usage{Requests: 2, Retries: 1, In: 100, Out: 20}},
		{"with one that was cut off", []llmtest.Reply{
			llmtest.Half("[]"), llmtest.Raw("application/json", counted(100, 20)),
		}, Usage{Requests: 2, Retries: 1, In: 100, Out: 20}},
		{"of a repair", []llmtest.Reply{
			llmtest.Raw("application/json", `{"choices":[{"message":{"content":"no"}}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`),
			llmtest.Raw("application/json", counted(100, 20)),
		}, Usage{Requests: 2, Repairs: 1, In: 107, Out: 23}},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := llmtest.Start(t, c.script...)
			cl, _ := client(t, server)
			if err := cl.Ask(context.Background(), question, anything); err != nil {
				t.Fatal(err)
			}
			if got := cl.Usage(); got != c.want {
				t.Errorf("used %+v, want %+v", got, c.want)
			}
		})
	}
}

// TestUsageOfUselessAnswers: an answer that was cut off is paid for too.
func TestUsageOfUselessAnswers(t *testing.T) {
	for _, reply := range []llmtest.Reply{llmtest.Finished("[1", "length"), llmtest.Finished("", "content_filter"), llmtest.Refused("no")} {
		server := llmtest.Start(t, reply)
		c, _ := client(t, server)
		if err := c.Ask(context.Background(), question, anything); err == nil {
			t.Fatal("no error")
		}
		if u := c.Usage(); u.Requests != 1 || u.In == 0 || u.Estimated != 0 {
			t.Errorf("used %+v", u)
		}
	}
}

func TestCost(t *testing.T) {
	server := llmtest.Start(t, llmtest.Raw("application/json", counted(2_000_000, 500_000)))
	c, _ := client(t, server, func(c *Config) { c.PriceIn, c.PriceOut = 0.25, 2 })
	if err := c.Ask(context.Background(), question, anything); err != nil {
		t.Fatal(err)
	}
	if got := c.Usage().Cost; got != 1.5 {
		t.Errorf("cost %v", got)
	}
}
