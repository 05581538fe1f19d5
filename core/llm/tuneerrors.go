package llm

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Refused reports whether err says that the server understood a request and does not
// want it, or answers what cannot be used: the same request leads to the same again.
func Refused(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.useless || e.Status >= 400 && e.Status < 500 && !e.again && !e.unavailable)
}

// Gone reports whether err says that the server knows no such thing.
func Gone(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed || e.Status == http.StatusNotImplemented)
}

// openAI is the host that ends fine-tuning for one group of organizations after the
// other.
const openAI = "api.openai.com"

// closedRule recognizes a server that begins no jobs any more. What OpenAI says to it is
// not known word by word: of what it says to those who want a job, other refusals are.
func (c *Client) closedRule(job bool) statusRule {
	ours := c.base.Hostname() == openAI
	return statusRule{
		holds: func(status int, s says) bool {
			text := strings.ToLower(s.text)
			other := has(text, "scope", "region", "access to model") || s.noModel()
			return status == http.StatusForbidden && (job && ours && !other || endsTuning(text))
		},
		text: func(*Client, *exchange, says) string {
			if !ours {
				return fmt.Sprintf(`403 from %s: it takes no new fine-tuning jobs: another base_url, or backend = "command"`, c.where)
			}
			return `OpenAI takes no new fine-tuning jobs from this organization (ends for all on 2027-01-06): another base_url, or backend = "command"`
		},
	}
}

// endsTuning reports whether a text, in lower case, says that fine-tuning has ended.
func endsTuning(text string) bool {
	return has(text, "fine-tun", "fine tun", "finetun") &&
		has(text, "no longer", "not available", "unavailable", "not accessible", "deprecat", "winding down", "wound down", "shut down", "sunset")
}

func has(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// tooLargeRule explains what a server says to a file that it does not take.
var tooLargeRule = statusRule{
	holds: only(http.StatusRequestEntityTooLarge),
	text: func(c *Client, _ *exchange, _ says) string {
		return fmt.Sprintf("413 from %s: the file is larger than it takes: train on fewer or shorter samples", c.where)
	},
}

// noBaseRule explains what a server says to a base model that it cannot tune.
var noBaseRule = statusRule{
	holds: func(status int, s says) bool {
		return status < 500 && status != http.StatusTooManyRequests && status != http.StatusUnauthorized && s.noModel()
	},
	text: func(c *Client, x *exchange, _ says) string {
		return fmt.Sprintf("%d from %s: it has no model %s to tune: check base in [%s]", x.status, c.where, c.model(), c.config.Table)
	},
}

// goneRule explains a path that is not there.
var goneRule = statusRule{
	holds: only(http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented),
	text: func(c *Client, x *exchange, _ says) string {
		return fmt.Sprintf("%d from %s: it does not know this job, or speaks no fine-tuning protocol: check base_url", x.status, c.where)
	},
}
