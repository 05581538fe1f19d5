package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"
)

const (
	// firstWait is before the second attempt, doubled before each further one.
	firstWait = 500 * time.Millisecond
	maxWait   = 30 * time.Second
	// maxAsked is how long a server may ask to wait: rates are counted by the
	// minute. If it asks for more, nothing more is tried.
	maxAsked = 2 * time.Minute
	// longWait is told to people: without a word it looks like a program that
	// hangs.
	longWait = 3 * time.Second
	// patience is the time after which no further attempt begins, or that of
	// three requests if they may take longer.
	patience = 10 * time.Minute
)

// send asks until there is an answer or asking makes no sense any more.
func (c *Client) send(ctx context.Context, messages []openai.ChatCompletionMessage) (a *answer, err error) {
	err = c.patiently(ctx, func(e *Error) bool { return e.again }, func() error {
		a, err = c.attempt(ctx, messages)
		return err
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// patiently attempts until it works or again says that another attempt makes no sense.
// It keeps its place among the requests under way while it waits: a server that is busy
// is not asked by others instead.
func (c *Client) patiently(ctx context.Context, again func(*Error) bool, attempt func() error) error {
	if err := c.acquire(ctx); err != nil {
		return err
	}
	defer c.release()
	begun := c.deps.Now()
	for n := 0; ; n++ {
		err := attempt()
		var e *Error
		if err == nil || !errors.As(err, &e) || !again(e) {
			return err
		}
		wait := c.wait(n, e.wait)
		if n == c.config.Retries || c.deps.Now().Sub(begun)+wait > max(patience, 3*c.config.Timeout) {
			return e.tried(n + 1)
		}
		if wait > longWait {
			c.deps.Notice(fmt.Sprintf("waiting %s for %s", waitText(wait), c.Host()))
		}
		select {
		case <-c.deps.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
		c.usage.add(Usage{Retries: 1})
	}
}

// wait returns how long to wait before another attempt after n failed ones
// besides the first: what the server asks for, else longer each time; with a
// random part, so that clients that failed together do not come back together.
func (c *Client) wait(n int, asked time.Duration) time.Duration {
	random := c.deps.Rand()
	if asked > 0 {
		return asked + time.Duration(random*float64(firstWait))
	}
	d := maxWait
	if n < 16 {
		d = min(firstWait<<n, maxWait)
	}
	return d/2 + time.Duration(random*float64(d/2))
}

// retryAfter returns how long a server asks to wait, 0 or less if it does not: in
// seconds or until a time (RFC 9110, section 10.2.3), or in milliseconds, as
// OpenAI and Azure do besides.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if d, ok := number(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	text := h.Get("Retry-After")
	if d, ok := number(text, time.Second); ok {
		return d
	}
	if at, err := http.ParseTime(text); err == nil {
		return at.Sub(now)
	}
	return 0
}

// number reads a number of units from 0 to what a Duration holds.
func number(text string, unit time.Duration) (time.Duration, bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(x >= 0) {
		return 0, false
	}
	return time.Duration(min(x, float64(24*time.Hour/unit)) * float64(unit)), true
}
