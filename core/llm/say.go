package llm

import (
	"context"
	"errors"
	"strings"
)

// Say sends r and returns what the model answers, as text, "" for nothing. An error
// is one of ctx, or an *Error.
func (c *Client) Say(ctx context.Context, r Request) (string, error) {
	a, err := c.send(ctx, conversation(r))
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(a.text), nil
}

// CutOff reports whether err says that an answer ended at the limit of its length.
func CutOff(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.cutOff
}
