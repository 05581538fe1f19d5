package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/llm/llmtest"
)

const timeout = 90 * time.Second // no wait is as long

// clock is a time that passes only while a client waits. Timeouts never come,
// unless hurry says so.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	waits []time.Duration // between attempts
	hurry bool            // requests time out at once
	stuck chan struct{}   // if not nil, waits do not end; it gets a value for each
}

func newClock() *clock { return &clock{now: time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)} }

func (c *clock) after(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan time.Time, 1)
	if d == timeout {
		if c.hurry {
			c.now = c.now.Add(d)
			ch <- c.now
		}
		return ch
	}
	c.waits = append(c.waits, d)
	if c.stuck != nil {
		c.stuck <- struct{}{}
		return ch
	}
	c.now = c.now.Add(d)
	ch <- c.now
	return ch
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) deps() Deps {
	return Deps{After: c.after, Now: c.time, Rand: func() float64 { return 0 }}
}

// client returns a client of server whose clock waits for nobody.
func client(t *testing.T, server *llmtest.Server, change ...func(*Config)) (*Client, *clock) {
	t.Helper()
	config := Config{BaseURL: server.URL, Model: "small", Key: "sk-very-secret", KeyEnv: "OPENAI_API_KEY", Timeout: timeout}
	for _, f := range change {
		f(&config)
	}
	k := newClock()
	c, err := New(config, k.deps())
	if err != nil {
		t.Fatal(err)
	}
	return c, k
}

var question = Request{System: "Cut.", User: "[1] user: hello"}

// pass takes any value; got keeps it.
func pass(got *string) func([]byte) error {
	return func(v []byte) error {
		*got = string(v)
		return nil
	}
}

func anything([]byte) error { return nil }

func TestAsk(t *testing.T) {
	const value = `[{"start":1,"end":1,"topic":"hello"}]`
	for name, reply := range map[string]llmtest.Reply{
		"plain": llmtest.Answer(value), "prose": llmtest.Prose(value), "fenced": llmtest.Fenced(value),
		"thought": llmtest.Thought("[0]", value), "taken for reasoning": llmtest.Reasoned("[0] or " + value),
		"parts": llmtest.Raw("application/json", `{"choices":[{"message":{"role":"assistant","content":[{"type":"text","text":"[{\"start\":1,\"end\":1,"},{"type":"text","text":"\"topic\":\"hello\"}]"}]}}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			server := llmtest.Start(t, reply)
			c, k := client(t, server)
			var got string
			if err := c.Ask(context.Background(), question, pass(&got)); err != nil {
				t.Fatal(err)
			}
			if got != value {
				t.Errorf("got %s", got)
			}
			if server.Count() != 1 || len(k.waits) != 0 {
				t.Errorf("%d requests, waited %v", server.Count(), k.waits)
			}
		})
	}
}

// TestRequest: model and messages and nothing that a model or a server may
// refuse.
func TestRequest(t *testing.T) {
	server := llmtest.Start(t, llmtest.Answer("[]"))
	c, _ := client(t, server)
	if err := c.Ask(context.Background(), question, anything); err != nil {
		t.Fatal(err)
	}
	q := server.Requests()[0]
	const want = `{"model":"small","messages":[{"role":"system","content":"Cut."},{"role":"user","content":"[1] user: hello"}],"stream":false}`
	if string(q.Body) != want {
		t.Errorf("sent %s", q.Body)
	}
	if q.Path != "/v1/chat/completions" || q.Key() != "sk-very-secret" {
		t.Errorf("to %s with key %s", q.Path, q.Key())
	}
}

func TestBaseURL(t *testing.T) {
	server := llmtest.Start(t, llmtest.Answer("[]"))
	for base, path := range map[string]string{
		server.URL + "/":                           "/v1/chat/completions",
		" " + server.URL + "/chat/completions/ ":   "/v1/chat/completions",
		server.URL + "?key=abcdef&api-version=2":   "/v1/chat/completions?key=abcdef&api-version=2",
		strings.TrimSuffix(server.URL, "/v1"):      "/chat/completions",
		strings.Replace(server.URL, "/v1", "/", 1): "/chat/completions",
	} {
		before := server.Count()
		c, _ := client(t, server, func(c *Config) { c.BaseURL = base })
		if err := c.Ask(context.Background(), question, anything); err != nil {
			t.Fatal(err)
		}
		if got := server.Requests()[before].Path; got != path {
			t.Errorf("%s: asked %s, want %s", base, got, path)
		}
	}
}

func TestNoKeyNoHeader(t *testing.T) {
	server := llmtest.Start(t, llmtest.Answer("[]"))
	c, _ := client(t, server, func(c *Config) { c.Key = "" })
	if err := c.Ask(context.Background(), question, anything); err != nil {
		t.Fatal(err)
	}
	if got := server.Requests()[0].Header.Values("Authorization"); got != nil {
		t.Errorf("sent %q", got)
	}
}

func TestNewRefuses(t *testing.T) {
	for want, config := range map[string]Config{
		"base_url is no address of a server: it must look like http://localhost:8080/v1": {Model: "m", BaseURL: "localhost:8080/v1?key=secret"},
		"no model is configured: set model in [llm]":                                     {Model: " "},
		"K holds a space, a line break or another character that no key has":             {Model: "m", Key: "a\nb", KeyEnv: "K"},
		"max_input_tokens = 100 and reserve = 100 leave no room for text":                {Model: "m", MaxInputTokens: 100, Reserve: 100},
		"timeout = -1s: must be more than nothing":                                       {Model: "m", Timeout: -time.Second},
		"concurrency = -1: must be at least 1":                                           {Model: "m", Concurrency: -1},
		"price_in and price_out must be numbers from 0":                                  {Model: "m", PriceIn: -1},
	} {
		if _, err := New(config, Deps{}); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", config, err, want)
		}
	}
	c, err := New(Config{Model: "m", Key: " sk-1234\n", BaseURL: "http://localhost:8080/v1"}, Deps{})
	if err != nil || c.Host() != "localhost:8080" {
		t.Errorf("%v, %v", c, err)
	}
}

func TestBudget(t *testing.T) {
	for want, c := range map[int]Config{
		32_768 - 4_096: {},
		90:             {MaxInputTokens: 100, Reserve: 10},
		500:            {MaxInputTokens: 1000},
		0:              {MaxInputTokens: 10, Reserve: 20},
	} {
		if got := c.Budget(); got != want {
			t.Errorf("%+v: %d, want %d", c, got, want)
		}
	}
}

// TestKeyIsNeverPrinted: by no verb, not even for debugging.
func TestKeyIsNeverPrinted(t *testing.T) {
	config := Config{Model: "small", Key: "sk-very-secret", BaseURL: "http://ann:hunter22@localhost:1/v1?key=abcdef"}
	c, err := New(config, Deps{})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%v %+v %#v %s %v %+v %#v %s", config, config, config, config, c, c, c, c)
	mustHoldNoSecret(t, text)
	if !strings.Contains(text, `model "small" at http://***@localhost:1/v1?key=***`) {
		t.Error(text)
	}
}

func mustHoldNoSecret(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{"secret", "sk-v", "hunter22", "abcdef", "YW5uOmh1bnRlcjIy"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q holds %q", text, secret)
		}
	}
}

// TestConcurrency: never more requests at once than configured, and as many.
func TestConcurrency(t *testing.T) {
	const at, all = 3, 12
	arrived, release := make(chan struct{}, all), make(chan struct{})
	var mu sync.Mutex
	now, most := 0, 0
	server := llmtest.Start(t, llmtest.Func(func(llmtest.Request) llmtest.Reply {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		arrived <- struct{}{}
		return llmtest.Late(release, func(x llmtest.Exchange) {
			mu.Lock()
			now--
			mu.Unlock()
			llmtest.Answer("[]")(x)
		})
	}))
	c, _ := client(t, server, func(c *Config) { c.Concurrency = at })
	errs := make(chan error, all)
	for range all {
		go func() { errs <- c.Ask(context.Background(), question, anything) }()
	}
	for range at {
		<-arrived
	}
	close(release)
	for range all {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if most != at {
		t.Errorf("%d at once, want %d", most, at)
	}
}

// TestCancel: whatever a client is at, it stops when it is told to.
func TestCancel(t *testing.T) {
	t.Run("before", func(t *testing.T) {
		server := llmtest.Start(t)
		c, _ := client(t, server)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		for range 20 { // a free place must not be taken by chance
			if err := c.Ask(ctx, question, anything); !errors.Is(err, context.Canceled) || c.Usage().Requests != 0 {
				t.Fatalf("%v, %d requests", err, c.Usage().Requests)
			}
		}
	})
	t.Run("in a request", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		server := llmtest.Start(t, llmtest.Func(func(llmtest.Request) llmtest.Reply {
			cancel()
			return llmtest.Hang()
		}))
		c, k := client(t, server)
		if err := c.Ask(ctx, question, anything); !errors.Is(err, context.Canceled) || len(k.waits) != 0 || server.Count() != 1 {
			t.Errorf("%v, waited %v, %d requests", err, k.waits, server.Count())
		}
	})
	t.Run("between attempts", func(t *testing.T) {
		server := llmtest.Start(t, llmtest.Status(500, "broken"))
		c, k := client(t, server)
		k.stuck = make(chan struct{}, 1)
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-k.stuck
			cancel()
		}()
		if err := c.Ask(ctx, question, anything); !errors.Is(err, context.Canceled) || server.Count() != 1 {
			t.Errorf("%v, %d requests", err, server.Count())
		}
	})
	t.Run("waiting for others", func(t *testing.T) {
		arrived := make(chan struct{})
		server := llmtest.Start(t, llmtest.Func(func(llmtest.Request) llmtest.Reply {
			close(arrived)
			return llmtest.Hang()
		}))
		c, _ := client(t, server, func(c *Config) { c.Concurrency = 1; c.Retries = -1 })
		first := make(chan error)
		go func() { first <- c.Ask(context.Background(), question, anything) }()
		<-arrived
		ctx, cancel := context.WithCancel(context.Background())
		waits, second := make(chan struct{}, 1), make(chan error)
		go func() { second <- c.Ask(watched{ctx, waits}, question, anything) }()
		<-waits
		cancel()
		if err := <-second; !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		server.Close()
		if err := <-first; err == nil {
			t.Error("no error from a server that went away")
		}
	})
	t.Run("deadline of the caller", func(t *testing.T) {
		server := llmtest.Start(t, llmtest.Hang())
		c, k := client(t, server)
		ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(10*time.Millisecond))
		defer cancel()
		if err := c.Ask(ctx, question, anything); !errors.Is(err, context.DeadlineExceeded) || len(k.waits) != 0 {
			t.Errorf("%v, waited %v", err, k.waits)
		}
	})
}

// watched is a context that tells when somebody begins to wait for its end.
type watched struct {
	context.Context
	waits chan<- struct{}
}

func (w watched) Done() <-chan struct{} {
	select {
	case w.waits <- struct{}{}:
	default:
	}
	return w.Context.Done()
}

// TestBoundedMemory: a server that never stops sending is left, whether it
// sends an answer or an error.
func TestBoundedMemory(t *testing.T) {
	for _, status := range []int{200, 400} {
		server := llmtest.Start(t, llmtest.Flood(status))
		counted := &countingTransport{}
		k := newClock()
		deps := k.deps()
		deps.HTTP = &http.Client{Transport: counted}
		c, err := New(Config{BaseURL: server.URL, Model: "small", Timeout: timeout}, deps)
		if err != nil {
			t.Fatal(err)
		}
		err = c.Ask(context.Background(), question, anything)
		if err == nil || server.Count() != 1 {
			t.Fatalf("%v, %d requests", err, server.Count())
		}
		if status == 200 && !strings.Contains(err.Error(), "is larger than 8 MiB") {
			t.Error(err)
		}
		if counted.read > maxBody+1 || status != 200 && counted.read > maxFailureBody {
			t.Errorf("%d bytes of an answer with status %d were read", counted.read, status)
		}
	}
}

// countingTransport counts what is read of bodies.
type countingTransport struct{ read int64 }

func (c *countingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		resp.Body = &countingBody{resp.Body, &c.read}
	}
	return resp, err
}

type countingBody struct {
	io.ReadCloser
	n *int64
}

func (b *countingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	*b.n += int64(n)
	return n, err
}
