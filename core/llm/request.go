package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/sashabaranov/go-openai"
)

const (
	// maxBody bounds an answer: 128,000 tokens of reasoning are 600 KB.
	maxBody = 8 << 20
	// maxFailureBody bounds what a server says in place of an answer.
	maxFailureBody = 64 << 10
)

// exchange is one request and its answer. It stands between go-openai, which
// writes the request and reads the answer, and the network, and keeps what
// go-openai drops: the status, the header and the body.
type exchange struct {
	client *http.Client
	query  string       // of the base URL
	rules  []statusRule // what to make of some answers, before statusRules
	status int          // 0: none came
	header http.Header
	body   []byte // nil if it was not read to its end
}

// Do sends r and reads its answer, a bounded part of it.
func (x *exchange) Do(r *http.Request) (*http.Response, error) {
	if own := r.URL.RawQuery; x.query == "" || own == "" {
		r.URL.RawQuery = x.query + own
	} else {
		r.URL.RawQuery = x.query + "&" + own
	}
	resp, err := x.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	x.status, x.header = resp.StatusCode, resp.Header
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		// What can be read of it is enough: the status says the rest.
		x.body, _ = io.ReadAll(io.LimitReader(resp.Body, maxFailureBody))
		return nil, errNoAnswer
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxBody {
		return nil, errTooLarge
	}
	x.body = body
	resp.Body = io.NopCloser(bytes.NewReader(x.body))
	return resp, nil
}

// errNoAnswer says that the status of the exchange is the reason.
var errNoAnswer = errors.New("no answer")

// answer is what a model said.
type answer struct {
	text      string
	reasoning string // what the server kept apart
}

// exchange returns one that has not been yet, and go-openai's client of it.
func (c *Client) exchange(rules ...statusRule) (*exchange, *openai.Client) {
	x := &exchange{client: c.deps.HTTP, query: c.query, rules: rules}
	config := openai.DefaultConfig(c.config.Key)
	config.BaseURL, config.HTTPClient = c.base.String(), x
	return x, openai.NewClientWithConfig(config)
}

// limited returns a context that ends when nothing moved for the configured time.
// moved, if it is not nil, grows while something does.
func (c *Client) limited(ctx context.Context, moved func() int64) (context.Context, context.CancelFunc) {
	limited, cancel := context.WithCancelCause(ctx)
	timeout := c.deps.After(c.config.Timeout)
	go func() {
		for last := int64(0); ; {
			select {
			case <-timeout:
			case <-limited.Done():
				return
			}
			if moved == nil || moved() == last {
				cancel(errTimeout)
				return
			}
			last, timeout = moved(), c.deps.After(c.config.Timeout)
		}
	}()
	return limited, func() { cancel(nil) }
}

// failure explains err, with which an exchange ended whose context was limited. Where
// ctx has ended, it is the error of that.
func (c *Client) failure(ctx, limited context.Context, x *exchange, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errNoAnswer):
		return c.statusError(x)
	case x.body != nil:
		return c.notJSON(x)
	case errors.Is(context.Cause(limited), errTimeout):
		return c.networkError(errTimeout)
	}
	return c.networkError(err)
}

// attempt sends one request and waits for its answer, at most for the
// configured time.
func (c *Client) attempt(ctx context.Context, messages []openai.ChatCompletionMessage) (*answer, error) {
	x, api := c.exchange()
	used := Usage{Requests: 1}
	defer func() { c.usage.add(used) }()
	limited, cancel := c.limited(ctx, nil)
	defer cancel()
	resp, err := api.CreateChatCompletion(limited, openai.ChatCompletionRequest{
		Model:    c.config.Model,
		Messages: messages,
	})
	switch {
	case err != nil && isRefusedHere(err):
		return nil, &Error{text: fmt.Sprintf("model %s cannot be asked this way: %s", c.model(), c.secret.show(err.Error())), cause: err, unavailable: true}
	case err != nil:
		if s := readSays(x.body, ""); errors.Is(err, errNoAnswer) && s.told {
			used.In, used.Out = s.usage.In, s.usage.Out
		}
		return nil, c.failure(ctx, limited, x, err)
	}
	a, err := c.read(&resp, x)
	if u, ok := told(resp.Usage.PromptTokens, resp.Usage.CompletionTokens); ok {
		used.In, used.Out = u.In, u.Out
	} else if a != nil {
		u := estimated(messages, a)
		used.In, used.Out, used.Estimated = u.In, u.Out, u.Estimated
	}
	return a, err
}

// isRefusedHere reports whether go-openai refused to send a request.
func isRefusedHere(err error) bool {
	return errors.Is(err, openai.ErrChatCompletionInvalidModel)
}

// notJSON explains an answer with a good status that go-openai cannot read.
func (c *Client) notJSON(x *exchange) *Error {
	kind, _, _ := strings.Cut(x.header.Get("Content-Type"), ";")
	if kind = c.secret.show(kind); kind != "" {
		kind = " (" + kind + ")"
	}
	return &Error{Status: x.status, unavailable: true,
		text: fmt.Sprintf("what %s answers is not in OpenAI's form%s: check base_url, most servers want it to end in /v1", c.where, kind)}
}

// read takes the text out of a response. Some servers report an error with a
// good status; an answer that is incomplete or withheld is an error too.
func (c *Client) read(resp *openai.ChatCompletionResponse, x *exchange) (*answer, error) {
	if len(resp.Choices) == 0 {
		if s := readSays(x.body, ""); s.failed() {
			e := c.statusError(x)
			e.text = strings.Replace(e.text, fmt.Sprintf("%d from", x.status), "an error from", 1)
			return nil, e
		}
		return nil, &Error{Status: x.status, text: fmt.Sprintf("an answer without choices from %s: is it an OpenAI-compatible server? Check base_url", c.where)}
	}
	choice := &resp.Choices[0]
	a := &answer{text: choice.Message.Content, reasoning: choice.Message.ReasoningContent}
	for _, part := range choice.Message.MultiContent {
		a.text += part.Text
	}
	// What is made of an answer is stored and shown.
	a.text, a.reasoning = c.secret.mask(a.text), c.secret.mask(a.reasoning)
	failed := func(format string, args ...any) (*answer, error) {
		return a, &Error{Status: x.status, text: fmt.Sprintf(format, args...)}
	}
	switch {
	case choice.FinishReason == openai.FinishReasonLength:
		return a, &Error{Status: x.status, cutOff: true,
			text: fmt.Sprintf("the answer of model %s was cut off: raise the server's limit of new tokens or its context, or lower max_input_tokens (now %d)", c.model(), c.config.MaxInputTokens)}
	case choice.FinishReason == openai.FinishReasonContentFilter:
		return failed("the content filter of %s withheld the answer: use another model for this text", c.where)
	case choice.Message.Refusal != "":
		return failed("model %s refuses: %s", c.model(), c.secret.show(choice.Message.Refusal))
	}
	return a, nil
}
