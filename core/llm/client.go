// Package llm asks a language model for JSON, over the protocol that OpenAI
// made and most servers speak: hosted ones, llama.cpp, vLLM, Ollama.
//
// A Client asks, waits, asks again where that helps, takes the JSON out of
// whatever the model wrote around it, and shows the model its mistake once.
// What a server says is untrusted text: its size is bounded, and before a
// person sees it, it is shortened, cleaned, and rid of the key that it may
// echo. A request holds the model's name and the messages and nothing else: no
// temperature, which some models refuse, and no format, which some servers do.
//
// It also has models tuned: it uploads files, makes jobs and tells what became of them.
// What costs money is asked for once; whoever asks again looks first whether it is
// there already.
package llm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"winnow/core/clean"
)

// Values of a Config that are 0.
const (
	DefaultBaseURL        = "https://api.openai.com/v1"
	DefaultMaxInputTokens = 32_768 // what servers on one's own machine commonly hold
	DefaultReserve        = 4_096  // an instruction takes about 1,000, an answer about 30 for each task
	DefaultTimeout        = 2 * time.Minute
	DefaultRetries        = 4
	DefaultConcurrency    = 4
)

// Config says which server to ask for which model, and within which limits.
type Config struct {
	// BaseURL is what stands before /chat/completions, "" DefaultBaseURL. A
	// query in it, as some proxies want, is sent with every request.
	BaseURL string
	Model   string
	Key     string `json:"-"` // the secret, "" none
	KeyEnv  string // the name of the variable that holds the key, for messages
	Table   string // of the configuration that says all this, for messages; "" llm
	// MaxInputTokens is what one request may hold: instruction, text and
	// answer. Reserve of them are kept free for instruction and answer. 0 is
	// the default; a small MaxInputTokens halves the default of Reserve.
	MaxInputTokens, Reserve int
	Timeout                 time.Duration // of one request, 0 DefaultTimeout
	Retries                 int           // further attempts when the server is busy or broken; 0 DefaultRetries, below 0 none
	Concurrency             int           // requests at once, 0 DefaultConcurrency
	PriceIn, PriceOut       float64       // of a million tokens, 0 unknown
}

// String tells the server and the model, never the key.
func (c Config) String() string {
	u, _ := parseBase(c.complete().BaseURL)
	return fmt.Sprintf("model %q at %s", c.Model, shown(u))
}

// GoString is String: a key is not to be printed for debugging either.
func (c Config) GoString() string { return c.String() }

// Budget returns how many tokens of the user's text one request may hold.
func (c Config) Budget() int {
	c = c.complete()
	return max(c.MaxInputTokens-c.Reserve, 0)
}

// complete sets what is 0 to its default.
func (c Config) complete() Config {
	c.Key, c.Model = strings.TrimSpace(c.Key), strings.TrimSpace(c.Model)
	setDefault(&c.BaseURL, DefaultBaseURL)
	setDefault(&c.Table, "llm")
	setDefault(&c.MaxInputTokens, DefaultMaxInputTokens)
	setDefault(&c.Reserve, min(DefaultReserve, c.MaxInputTokens/2))
	setDefault(&c.Timeout, DefaultTimeout)
	setDefault(&c.Retries, DefaultRetries)
	setDefault(&c.Concurrency, DefaultConcurrency)
	c.Retries = max(c.Retries, 0)
	return c
}

func setDefault[T comparable](v *T, standard T) {
	var zero T
	if *v == zero {
		*v = standard
	}
}

// check reports what of a complete configuration makes no sense.
func (c Config) check() error {
	price := func(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
	switch {
	case c.Model == "":
		return errors.New("no model is configured: set model in [llm]")
	case strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r >= 0x7F }):
		return fmt.Errorf("%s holds a space, a line break or another character that no key has", c.keyName())
	case c.MaxInputTokens < 0 || c.Reserve < 0 || c.Budget() == 0:
		return fmt.Errorf("max_input_tokens = %d and reserve = %d leave no room for text", c.MaxInputTokens, c.Reserve)
	case c.Timeout < 0:
		return fmt.Errorf("timeout = %s: must be more than nothing", c.Timeout)
	case c.Concurrency < 0:
		return fmt.Errorf("concurrency = %d: must be at least 1", c.Concurrency)
	case !price(c.PriceIn) || !price(c.PriceOut):
		return errors.New("price_in and price_out must be numbers from 0")
	}
	return nil
}

func (c Config) keyName() string {
	if c.KeyEnv == "" {
		return "the key"
	}
	return c.KeyEnv
}

// Deps are what a Client has of the world outside. What is nil is the real one.
type Deps struct {
	HTTP  *http.Client // its redirects are not followed: they would carry text and key elsewhere
	Rand  func() float64
	After func(time.Duration) <-chan time.Time // both waits and timeouts
	Now   func() time.Time
	// Notice is told of waits of more than a few seconds, as a line for
	// people; from any goroutine. nil: nobody is.
	Notice func(string)
}

func (d Deps) complete(connections int) Deps {
	if d.HTTP == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = connections
		d.HTTP = &http.Client{Transport: transport}
	}
	own := *d.HTTP
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	d.HTTP = &own
	if d.Rand == nil {
		d.Rand = rand.Float64
	}
	if d.After == nil {
		d.After = time.After
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Notice == nil {
		d.Notice = func(string) {}
	}
	return d
}

// Client asks one model on one server. It may be used by many goroutines.
type Client struct {
	config Config
	deps   Deps
	base   *url.URL // without query
	query  string   // sent with every request
	where  string   // the base URL for people, without secrets
	secret secrets
	slots  chan struct{} // holds one for each request under way
	usage  meter
}

// New returns a client. The error says which part of the configuration makes
// no sense; whether the server is there shows only when it is asked.
func New(config Config, deps Deps) (*Client, error) {
	config = config.complete()
	u, err := parseBase(config.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := config.check(); err != nil {
		return nil, err
	}
	c := &Client{
		config: config,
		deps:   deps.complete(config.Concurrency),
		query:  u.RawQuery,
		where:  shown(u),
		secret: secretsOf(config.Key, u),
		slots:  make(chan struct{}, config.Concurrency),
	}
	u.RawQuery = ""
	c.base = u
	return c, nil
}

// parseBase understands a base URL. What people copy from a manual may end in
// the path of the endpoint: that is cut off.
func parseBase(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		// The text is not repeated: what cannot be taken apart cannot be rid
		// of a key.
		return nil, errors.New("base_url is no address of a server: it must look like http://localhost:8080/v1")
	}
	u.Fragment, u.RawFragment, u.RawPath = "", "", ""
	u.Path = strings.TrimRight(u.Path, "/")
	u.Path = strings.TrimRight(strings.TrimSuffix(u.Path, "/chat/completions"), "/")
	return u, nil
}

// Host returns the server's name and port for people: "localhost:8080".
func (c *Client) Host() string { return clean.Line(c.base.Host) }

// String tells the server and the model, never the key.
func (c *Client) String() string { return c.config.String() }

// GoString is String: a key is not to be printed for debugging either.
func (c *Client) GoString() string { return c.String() }

// acquire waits for the right to send a request.
func (c *Client) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case c.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Client) release() { <-c.slots }
