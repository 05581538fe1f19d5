package llm

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Error says in one line why there is no usable answer and what a person can
// do about it. It holds no secrets, and of what the server said only a short,
// safe line.
type Error struct {
	Status int // of HTTP, 0 if the server did not answer
	text   string
	cause  error
	// again: the same request may succeed later, after what the server asks
	// to wait, 0 if it asks for nothing.
	again bool
	wait  time.Duration
	// unavailable: no other request can succeed either.
	unavailable bool
	// useless: the answer is understood, and cannot be used.
	useless bool
	// cutOff: the answer ended at the limit of its length.
	cutOff bool
}

func (e *Error) Error() string { return e.text }

// Unwrap returns the error of the network, nil if the server answered.
func (e *Error) Unwrap() error { return e.cause }

// Unavailable reports whether err says that the server or the model cannot be
// used at all as configured: asking for something else fails alike.
func Unavailable(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.unavailable
}

var (
	errTimeout  = errors.New("no answer in time")
	errTooLarge = errors.New("the answer is too large")
)

// tried makes an error tell how often was asked before giving up.
func (e *Error) tried(times int) *Error {
	if times < 2 {
		return e
	}
	f := *e
	f.text = fmt.Sprintf("%s (asked %d times)", e.text, times)
	return &f
}

// networkError explains an error of sending a request or reading its answer.
func (c *Client) networkError(err error) *Error {
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err // failed.Error() holds the URL with its query
	}
	e := &Error{cause: err}
	var dns *net.DNSError
	var op *net.OpError
	var record tls.RecordHeaderError
	var cert *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var network net.Error
	switch {
	case errors.Is(err, errTooLarge):
		e.text = fmt.Sprintf("the answer of %s is larger than %d MiB: is it an OpenAI-compatible server? Check base_url", c.where, maxBody>>20)
	case errors.As(err, &dns):
		e.again, e.unavailable = dns.IsTemporary || dns.IsTimeout, true
		e.text = fmt.Sprintf("there is no host %q: check base_url", c.base.Hostname())
	case errors.As(err, &op) && op.Op == "proxyconnect":
		e.again, e.unavailable = op.Timeout(), true
		e.text = fmt.Sprintf("the proxy before %s cannot be reached: check HTTP_PROXY, HTTPS_PROXY and NO_PROXY", c.where)
	case errors.As(err, &op) && op.Op == "dial":
		e.again, e.unavailable = op.Timeout(), true
		e.text = fmt.Sprintf("%s at %s: is the server running? Check base_url", dialFailure(op), c.where)
	case errors.As(err, &record), strings.Contains(err.Error(), "HTTP response to HTTPS client"): // net/http drops the type
		e.unavailable = true
		e.text = fmt.Sprintf("%s does not speak TLS: use http:// in base_url", c.where)
	case errors.As(err, &cert), errors.As(err, &authority):
		e.unavailable = true
		e.text = fmt.Sprintf("the certificate of %s is not trusted: %s", c.where, c.secret.show(err.Error()))
	case errors.Is(err, errTimeout), errors.As(err, &network) && network.Timeout(), errors.Is(err, context.DeadlineExceeded):
		e.again, e.cause = true, errTimeout
		e.text = fmt.Sprintf("no answer from %s within %s: is the server running? If the model is slow, raise timeout in [%s]", c.where, c.config.Timeout, c.config.Table)
	default:
		// Cut off, reset, end of file: where servers restart or give up under load.
		e.again = true
		e.text = fmt.Sprintf("the connection to %s broke off: %s", c.where, c.secret.show(err.Error()))
	}
	return e
}

// dialFailure is the end of what the system says: "connection refused".
func dialFailure(op *net.OpError) string {
	if op.Timeout() {
		return "no connection"
	}
	text := op.Err.Error()
	if i := strings.LastIndex(text, ": "); i >= 0 {
		text = text[i+2:]
	}
	if strings.Contains(text, "refused") { // Windows makes a sentence of it
		return "connection refused"
	}
	return text
}

// statusError explains an answer that is none, by its status and by what the
// server says.
func (c *Client) statusError(x *exchange) *Error {
	says := readSays(x.body, x.header.Get("Content-Type"))
	e := &Error{Status: x.status}
	for _, rule := range slices.Concat(x.rules, statusRules[:]) {
		if !rule.holds(x.status, says) {
			continue
		}
		e.again, e.unavailable = rule.again, rule.unavailable
		e.text = rule.text(c, x, says)
		break
	}
	if e.again {
		e.wait = retryAfter(x.header, c.deps.Now())
	}
	if e.wait > maxAsked {
		e.again, e.unavailable = false, true
		e.text = fmt.Sprintf("%d from %s: the server asks to wait %s: try later", x.status, c.where, waitText(e.wait))
	}
	if words := c.secret.show(says.text); words != "" {
		e.text += "; it says: " + words
	}
	return e
}

// waitText writes how long to wait, rounded up.
func waitText(d time.Duration) string {
	up := func(unit time.Duration) int64 { return int64((d + unit - 1) / unit) }
	switch {
	case d > 2*time.Hour:
		return fmt.Sprintf("%d h", up(time.Hour))
	case d > 2*time.Minute:
		return fmt.Sprintf("%d min", up(time.Minute))
	}
	return fmt.Sprintf("%d s", up(time.Second))
}

// statusRule is what to make of some answers that are none.
type statusRule struct {
	holds              func(status int, s says) bool
	again, unavailable bool
	text               func(c *Client, x *exchange, s says) string
}

func only(statuses ...int) func(int, says) bool {
	return func(status int, _ says) bool {
		for _, s := range statuses {
			if s == status {
				return true
			}
		}
		return false
	}
}

// statusRules are looked at in order; the last one holds always.
var statusRules = [...]statusRule{
	{func(status int, _ says) bool { return status >= 300 && status < 400 }, false, true, movedText},
	{only(http.StatusUnauthorized), false, true, keyText},
	{func(status int, s says) bool {
		return status == http.StatusPaymentRequired || status == http.StatusTooManyRequests && s.outOfCredit()
	}, false, true, func(c *Client, x *exchange, _ says) string {
		return fmt.Sprintf("%d from %s: its limit of use or credit is reached, which waiting does not change: check the account of %s", x.status, c.where, c.config.keyName())
	}},
	{only(http.StatusForbidden), false, true, func(c *Client, x *exchange, _ says) string {
		return fmt.Sprintf("403 from %s: check that %s may use model %s", c.where, c.config.keyName(), c.model())
	}},
	{func(status int, s says) bool {
		return status < 500 && status != http.StatusTooManyRequests && s.noModel()
	}, false, true, func(c *Client, _ *exchange, _ says) string {
		return fmt.Sprintf("model %s is not there: check model, or load it on %s", c.model(), c.where)
	}},
	{only(http.StatusNotFound, http.StatusMethodNotAllowed), false, true, func(c *Client, x *exchange, _ says) string {
		hint := ""
		if !strings.HasSuffix(c.base.Path, "/v1") {
			hint = ", most servers want it to end in /v1"
		}
		return fmt.Sprintf("%d from %s: check base_url%s", x.status, c.where, hint)
	}},
	{func(status int, s says) bool {
		return status == http.StatusRequestEntityTooLarge || s.tooLong()
	}, false, false, func(c *Client, x *exchange, _ says) string {
		return fmt.Sprintf("%d from %s: the text is too long for the model: lower max_input_tokens (now %d)", x.status, c.where, c.config.MaxInputTokens)
	}},
	{only(http.StatusTooManyRequests), true, false, func(c *Client, x *exchange, _ says) string {
		return fmt.Sprintf("429 from %s: too many requests: lower concurrency, or try again later", c.where)
	}},
	{func(status int, _ says) bool {
		return status >= 500 || status == http.StatusRequestTimeout || status == http.StatusTooEarly
	}, true, false, func(c *Client, x *exchange, _ says) string {
		return fmt.Sprintf("%d from %s: the server is busy or broken: look at its log, or try again later", x.status, c.where)
	}},
	{func(int, says) bool { return true }, false, false, func(c *Client, x *exchange, _ says) string {
		return fmt.Sprintf("%d from %s: it refuses the request", x.status, c.where)
	}},
}

func movedText(c *Client, x *exchange, _ says) string {
	text := fmt.Sprintf("%d from %s: it sends elsewhere, and nothing was sent there", x.status, c.where)
	location := x.header.Get("Location")
	u, err := c.base.Parse(location)
	if err != nil || location == "" {
		return text
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	u.Path = strings.TrimSuffix(u.Path, "/chat/completions")
	return fmt.Sprintf("%s: if you trust it, set base_url to %s", text, c.secret.show(u.String()))
}

func keyText(c *Client, _ *exchange, _ says) string {
	verb := "check"
	if c.config.Key == "" {
		verb = "set"
	}
	return fmt.Sprintf("401 from %s: %s %s", c.where, verb, c.config.keyName())
}

// model returns the model's name for messages: it comes from a configuration,
// which may be anything.
func (c *Client) model() string { return fmt.Sprintf("%q", shorten(c.config.Model, maxShown)) }
