package llm

import (
	"sync"

	"github.com/sashabaranov/go-openai"

	"winnow/core/token"
)

// Usage is what a client has used so far.
type Usage struct {
	Requests int `json:"requests"` // sent, whatever became of them
	Retries  int `json:"retries"`  // of them because an earlier one failed
	Repairs  int `json:"repairs"`  // of them to show the model its mistake
	In       int `json:"tokens_in"`
	Out      int `json:"tokens_out"`
	// Estimated is how many answers came without a count of tokens: In and Out
	// hold an estimate for them.
	Estimated int     `json:"estimated"`
	Cost      float64 `json:"cost"` // by the configured prices, 0 unknown
}

// mostTokens is more than any request can hold; a larger count is a mistake
// and would spoil the sum.
const mostTokens = 1 << 30

// meter adds up what is used.
type meter struct {
	mu  sync.Mutex
	sum Usage
}

func (m *meter) add(u Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sum.Requests += u.Requests
	m.sum.Retries += u.Retries
	m.sum.Repairs += u.Repairs
	m.sum.In += u.In
	m.sum.Out += u.Out
	m.sum.Estimated += u.Estimated
}

// Usage returns what was used so far, failed requests included where the
// server told what they took.
func (c *Client) Usage() Usage {
	c.usage.mu.Lock()
	defer c.usage.mu.Unlock()
	u := c.usage.sum
	u.Cost = (float64(u.In)*c.config.PriceIn + float64(u.Out)*c.config.PriceOut) / 1e6
	return u
}

// told returns the tokens that a server counted, and whether it did.
func told(in, out int) (Usage, bool) {
	ok := in >= 0 && out >= 0 && in+out > 0 && in < mostTokens && out < mostTokens
	if !ok {
		return Usage{}, false
	}
	return Usage{In: in, Out: out}, true
}

// estimated returns the tokens of an answer that nobody counted.
func estimated(messages []openai.ChatCompletionMessage, a *answer) Usage {
	u := Usage{Estimated: 1, Out: token.Estimate(a.text) + token.Estimate(a.reasoning)}
	for _, m := range messages {
		u.In += token.Estimate(m.Content)
	}
	return u
}
