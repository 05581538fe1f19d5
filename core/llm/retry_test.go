package llm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"winnow/core/llm/llmtest"
)

// TestRetries: what may pass is asked again, what cannot is not.
func TestRetries(t *testing.T) {
	good := llmtest.Answer("[]")
	for _, c := range []struct {
		name     string
		script   []llmtest.Reply
		retries  int
		requests int
		waits    string // with no randomness: half of each step
		want     string // "": no error
	}{
		{"429, then success", []llmtest.Reply{llmtest.Status(429, "slow down", "Retry-After", "7"), good}, 0, 2, "[7s]", ""},
		{"429 until a time", []llmtest.Reply{llmtest.Status(429, "slow down", "Retry-After", "Sun, 03 May 2026 12:00:40 GMT"), good}, 0, 2, "[40s]", ""},
		{"429 until a time gone by", []llmtest.Reply{llmtest.Status(429, "slow down", "Retry-After", "Sun, 03 May 2026 11:00:40 GMT"), good}, 0, 2, "[250ms]", ""},
		{"429 with milliseconds", []llmtest.Reply{llmtest.Status(429, "slow down", "Retry-After-Ms", "1500", "Retry-After", "2"), good}, 0, 2, "[1.5s]", ""},
		{"429 with nonsense", []llmtest.Reply{llmtest.Status(429, "slow down", "Retry-After", "soon"), good}, 0, 2, "[250ms]", ""},
		{"429 that asks for two minutes", []llmtest.Reply{llmtest.Status(429, "slow down", "Retry-After", "120")}, 20, 6, "[2m0s 2m0s 2m0s 2m0s 2m0s]",
			"429 from URL: too many requests: lower concurrency, or try again later; it says: slow down (asked 6 times)"},
		{"429 that asks for five minutes", []llmtest.Reply{llmtest.Status(429, "slow down", "Retry-After", "299")}, 20, 1, "[]",
			"429 from URL: the server asks to wait 5 min: try later; it says: slow down"},
		{"503 without end", []llmtest.Reply{llmtest.Status(503, "slow down", "Retry-After", "1e300")}, 20, 1, "[]",
			"503 from URL: the server asks to wait 24 h: try later; it says: slow down"},
		{"500 twice", []llmtest.Reply{llmtest.Status(500, "oops"), llmtest.Status(503, "loading"), good}, 0, 3, "[250ms 500ms]", ""},
		{"503 that asks to wait", []llmtest.Reply{llmtest.Status(503, "loading", "Retry-After", "20"), good}, 0, 2, "[20s]", ""},
		{"500 forever", []llmtest.Reply{llmtest.Status(500, "oops")}, 0, 5, "[250ms 500ms 1s 2s]",
			"500 from URL: the server is busy or broken: look at its log, or try again later; it says: oops (asked 5 times)"},
		{"500 forever, patiently", []llmtest.Reply{llmtest.Status(500, "oops")}, 10, 11, "[250ms 500ms 1s 2s 4s 8s 15s 15s 15s 15s]",
			"500 from URL: the server is busy or broken: look at its log, or try again later; it says: oops (asked 11 times)"},
		{"500, no retries", []llmtest.Reply{llmtest.Status(500, "oops")}, -1, 1, "[]",
			"500 from URL: the server is busy or broken: look at its log, or try again later; it says: oops"},
		{"cut off in the answer", []llmtest.Reply{llmtest.Half("[]"), good}, 0, 2, "[250ms]", ""},
		{"cut off before the answer", []llmtest.Reply{llmtest.Cut(), good}, 0, 2, "[250ms]", ""},
		{"cut off forever", []llmtest.Reply{llmtest.Half("[]")}, 1, 2, "[250ms]",
			"the connection to URL broke off: unexpected EOF (asked 2 times)"},
		{"408", []llmtest.Reply{llmtest.Status(408, ""), good}, 0, 2, "[250ms]", ""},
		{"429 without credit", []llmtest.Reply{llmtest.Coded(429, "You exceeded your current quota.", "insufficient_quota", "Retry-After", "1")}, 0, 1, "[]",
			"429 from URL: its limit of use or credit is reached, which waiting does not change: check the account of OPENAI_API_KEY; it says: You exceeded your current quota."},
		{"400", []llmtest.Reply{llmtest.Status(400, "bad")}, 0, 1, "[]", "400 from URL: it refuses the request; it says: bad"},
		{"401", []llmtest.Reply{llmtest.Status(401, "")}, 0, 1, "[]", "401 from URL: check OPENAI_API_KEY"},
		{"403", []llmtest.Reply{llmtest.Status(403, "")}, 0, 1, "[]", `403 from URL: check that OPENAI_API_KEY may use model "small"`},
		{"404", []llmtest.Reply{llmtest.Status(404, "")}, 0, 1, "[]", "404 from URL: check base_url"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := llmtest.Start(t, c.script...)
			cl, k := client(t, server, func(config *Config) { config.Retries = c.retries })
			err := cl.Ask(context.Background(), question, anything)
			mustSay(t, err, c.want, server.URL)
			if server.Count() != c.requests {
				t.Errorf("%d requests, want %d", server.Count(), c.requests)
			}
			if got := fmt.Sprint(k.waits); got != c.waits {
				t.Errorf("waited %s, want %s", got, c.waits)
			}
			if u := cl.Usage(); u.Requests != c.requests || u.Retries != c.requests-1 {
				t.Errorf("%+v", u)
			}
		})
	}
}

// mustSay compares an error's text, in which URL stands for url.
func mustSay(t *testing.T, err error, want, url string) {
	t.Helper()
	got := ""
	if err != nil {
		got = strings.ReplaceAll(err.Error(), url, "URL")
	}
	if got != want {
		t.Errorf("error %q\nwant  %q", got, want)
	}
	mustHoldNoSecret(t, got)
}

// TestHang: a server that does not answer is asked again, but not for ever.
func TestHang(t *testing.T) {
	server := llmtest.Start(t, llmtest.Hang())
	c, k := client(t, server, func(c *Config) { c.Retries = 20 })
	k.hurry = true
	err := c.Ask(context.Background(), question, anything)
	mustSay(t, err, "no answer from URL within 1m30s: is the server running? If the model is slow, raise timeout in [llm] (asked 7 times)", server.URL)
	if spent := k.now.Sub(newClock().now); spent > patience+timeout {
		t.Errorf("waited %s", spent)
	}
	if Unavailable(err) {
		t.Error("a slow answer says nothing about others")
	}
	c, k = client(t, server, func(c *Config) { c.Retries, c.Table = -1, "judge" })
	k.hurry = true
	err = c.Ask(context.Background(), question, anything)
	mustSay(t, err, "no answer from URL within 1m30s: is the server running? If the model is slow, raise timeout in [judge]", server.URL)
}

// TestLateAnswer: an answer that comes in time is taken.
func TestLateAnswer(t *testing.T) {
	release := make(chan struct{})
	server := llmtest.Start(t, llmtest.Func(func(llmtest.Request) llmtest.Reply {
		close(release)
		return llmtest.Late(release, llmtest.Answer("[]"))
	}))
	c, _ := client(t, server)
	if err := c.Ask(context.Background(), question, anything); err != nil {
		t.Error(err)
	}
}

// TestReset: a connection that is reset is as one that breaks off.
func TestReset(t *testing.T) {
	k := newClock()
	deps, calls := k.deps(), 0
	deps.HTTP = &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		calls++
		return nil, &net.OpError{Op: "read", Net: "tcp", Err: errors.New("connection reset by peer")}
	})}
	c, err := New(Config{Model: "small", BaseURL: "http://far.example/v1", Retries: 1, Timeout: timeout}, deps)
	if err != nil {
		t.Fatal(err)
	}
	err = c.Ask(context.Background(), question, anything)
	mustSay(t, err, "the connection to URL broke off: read tcp: connection reset by peer (asked 2 times)", "http://far.example/v1")
	if calls != 2 {
		t.Errorf("%d calls", calls)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestJitter: waits are spread between half of a step and all of it, and never
// shorter than what a server asks for.
func TestJitter(t *testing.T) {
	c := &Client{}
	c.deps.Rand = func() float64 { return math.Nextafter(1, 0) }
	for n, want := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second} {
		if got := c.wait(n, 0); got < want-time.Microsecond || got > want {
			t.Errorf("wait %d: %s, want almost %s", n, got, want)
		}
	}
	if got := c.wait(math.MaxInt, 0); got > maxWait || got < maxWait-time.Microsecond {
		t.Errorf("late wait: %s", got)
	}
	if got := c.wait(0, time.Minute); got < time.Minute || got > time.Minute+firstWait {
		t.Errorf("asked to wait a minute: %s", got)
	}
}

// A wait that somebody would wonder about is told; what asks for more than is
// waited counts as a server that cannot be used.
func TestLongWaitsAreTold(t *testing.T) {
	server := llmtest.Start(t, llmtest.Status(429, "", "Retry-After", "20"), llmtest.Status(500, ""),
		llmtest.Status(429, "", "Retry-After", "86400"))
	cl, _ := client(t, server)
	var told []string
	cl.deps.Notice = func(text string) { told = append(told, text) }
	err := cl.Ask(t.Context(), question, anything)
	if !Unavailable(err) || len(told) != 1 || told[0] != "waiting 20 s for "+cl.Host() {
		t.Errorf("%v, unavailable %v; told %q", err, Unavailable(err), told)
	}
}

// A server that puts the key into its answer does not get it stored.
func TestKeyInAnAnswer(t *testing.T) {
	const key = "sk-very-secret"
	server := llmtest.Start(t, llmtest.Answer(`[{"topic": "all about `+key+`, **really**"}]`))
	cl, _ := client(t, server, func(config *Config) { config.Key = key })
	var got string
	err := cl.Ask(t.Context(), question, func(answer []byte) error { got = string(answer); return nil })
	if err != nil || got != `[{"topic": "all about ***, **really**"}]` {
		t.Errorf("%s, %v", got, err)
	}
}
