package llm

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"winnow/core/llm/llmtest"
)

// TestErrors: each says what a person can do.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name        string
		reply       llmtest.Reply
		want        string
		unavailable bool
	}{
		{"model of OpenAI", llmtest.Coded(404, "The model `small` does not exist or you do not have access to it.", "model_not_found"),
			"model \"small\" is not there: check model, or load it on URL; it says: The model `small` does not exist or you do not have access to it.", true},
		{"model by its code", llmtest.Coded(400, "No endpoint.", "model_not_found"),
			"model \"small\" is not there: check model, or load it on URL; it says: No endpoint.", true},
		{"model of Ollama", llmtest.Status(404, `model "small" not found, try pulling it first`),
			`model "small" is not there: check model, or load it on URL; it says: model "small" not found, try pulling it first`, true},
		{"model of vLLM", llmtest.Body(404, "application/json", `{"object":"error","message":"The model does not exist.","type":"NotFoundError","code":404}`),
			`model "small" is not there: check model, or load it on URL; it says: The model does not exist.`, true},
		{"path of FastAPI", llmtest.Body(404, "application/json", `{"detail":"Not Found"}`), "404 from URL: check base_url; it says: Not Found", true},
		{"context of llama.cpp", llmtest.Body(400, "application/json", `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`),
			"400 from URL: the text is too long for the model: lower max_input_tokens (now 32768); it says: the request exceeds the available context size", false},
		{"context of OpenAI", llmtest.Coded(400, "Too long.", "context_length_exceeded"),
			"400 from URL: the text is too long for the model: lower max_input_tokens (now 32768); it says: Too long.", false},
		{"too large for the rate", llmtest.Coded(429, "Request too large for small on tokens per min", "rate_limit_exceeded"),
			"429 from URL: the text is too long for the model: lower max_input_tokens (now 32768); it says: Request too large for small on tokens per min", false},
		{"413", llmtest.Body(413, "text/html", "<html>nginx</html>"),
			"413 from URL: the text is too long for the model: lower max_input_tokens (now 32768)", false},
		{"402", llmtest.Status(402, "pay"),
			"402 from URL: its limit of use or credit is reached, which waiting does not change: check the account of OPENAI_API_KEY; it says: pay", true},
		{"plain text", llmtest.Body(400, "text/plain", "no\nthanks\n"), "400 from URL: it refuses the request; it says: no thanks", false},
		{"error as text", llmtest.Body(400, "application/json", `{"error":"no thanks"}`), "400 from URL: it refuses the request; it says: no thanks", false},
		{"error of validation", llmtest.Body(422, "application/json", `{"detail":[{"loc":["body"],"msg":"field required"}]}`), "422 from URL: it refuses the request; it says: field required", false},
		{"error with a good status", llmtest.Raw("application/json", `{"error":{"message":"Context size has been exceeded."}}`),
			"an error from URL: the text is too long for the model: lower max_input_tokens (now 32768); it says: Context size has been exceeded.", false},
		{"no choices", llmtest.Raw("application/json", `{"choices":[],"usage":{"prompt_tokens":3}}`),
			"an answer without choices from URL: is it an OpenAI-compatible server? Check base_url", false},
		{"a page", llmtest.Garbage(), "what URL answers is not in OpenAI's form (text/html): check base_url, most servers want it to end in /v1", true},
		{"nothing", llmtest.Raw("application/json", ""), "what URL answers is not in OpenAI's form (application/json): check base_url, most servers want it to end in /v1", true},
		{"cut off by the limit", llmtest.Finished(`[{"start":1`, "length"),
			`the answer of model "small" was cut off: raise the server's limit of new tokens or its context, or lower max_input_tokens (now 32768)`, false},
		{"cut off behind a draft", llmtest.Finished(`<think>[1]`, "length"),
			`the answer of model "small" was cut off: raise the server's limit of new tokens or its context, or lower max_input_tokens (now 32768)`, false},
		{"filtered", llmtest.Finished("", "content_filter"), "the content filter of URL withheld the answer: use another model for this text", false},
		{"refused", llmtest.Refused("I can't\x1b[2J help."), `model "small" refuses: I can't␛[2J help.`, false},
		{"elsewhere", llmtest.Status(308, "", "Location", "https://other.example/v1/chat/completions?token=x"),
			"308 from URL: it sends elsewhere, and nothing was sent there: if you trust it, set base_url to https://other.example/v1", true},
		{"elsewhere, nowhere", llmtest.Status(301, ""), "301 from URL: it sends elsewhere, and nothing was sent there", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := llmtest.Start(t, c.reply)
			cl, _ := client(t, server)
			err := cl.Ask(context.Background(), question, anything)
			mustSay(t, err, c.want, server.URL)
			if server.Count() != 1 {
				t.Errorf("%d requests", server.Count())
			}
			if Unavailable(err) != c.unavailable {
				t.Errorf("unavailable: %v", Unavailable(err))
			}
			var e *Error
			if !errors.As(err, &e) || e.Status == 0 {
				t.Errorf("%#v", err)
			}
		})
	}
}

func TestMissingKey(t *testing.T) {
	server := llmtest.Start(t, llmtest.Status(401, ""))
	c, _ := client(t, server, func(c *Config) { c.Key = "" })
	mustSay(t, c.Ask(context.Background(), question, anything), "401 from URL: set OPENAI_API_KEY", server.URL)
	c, _ = client(t, server, func(c *Config) { c.KeyEnv = "" })
	mustSay(t, c.Ask(context.Background(), question, anything), "401 from URL: check the key", server.URL)
}

// TestNoServer: nobody listens; asking again would not change it.
func TestNoServer(t *testing.T) {
	server := llmtest.New()
	server.Close()
	c, k := client(t, server)
	err := c.Ask(context.Background(), question, anything)
	mustSay(t, err, "connection refused at URL: is the server running? Check base_url", server.URL)
	if len(k.waits) != 0 || !Unavailable(err) {
		t.Errorf("waited %v; unavailable: %v", k.waits, Unavailable(err))
	}
}

// TestNetworkErrors that loopback cannot make.
func TestNetworkErrors(t *testing.T) {
	c, err := New(Config{Model: "small", BaseURL: "https://ann:hunter22@far.example/v1?key=abcdef"}, Deps{})
	if err != nil {
		t.Fatal(err)
	}
	const where = "https://***@far.example/v1?key=***"
	for _, x := range []struct {
		err         error
		want        string
		again, gone bool
	}{
		{&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "far.example", IsNotFound: true}}, `there is no host "far.example": check base_url`, false, true},
		{&net.OpError{Op: "dial", Err: &net.DNSError{Err: "server misbehaving", IsTemporary: true}}, `there is no host "far.example": check base_url`, true, true},
		{&net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connectex: No connection could be made because the target machine actively refused it.")}, "connection refused at " + where + ": is the server running? Check base_url", false, true},
		{&net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connect: network is unreachable")}, "network is unreachable at " + where + ": is the server running? Check base_url", false, true},
		{&net.OpError{Op: "proxyconnect", Net: "tcp", Err: errors.New("x")}, "the proxy before " + where + " cannot be reached: check HTTP_PROXY, HTTPS_PROXY and NO_PROXY", false, true},
		{errors.New("strange: key=abcdef"), "the connection to " + where + " broke off: strange: key=***", true, false},
	} {
		e := c.networkError(x.err)
		if e.Error() != x.want || e.again != x.again || e.unavailable != x.gone {
			t.Errorf("%v: %q again %v unavailable %v", x.err, e, e.again, e.unavailable)
		}
		mustHoldNoSecret(t, e.Error())
	}
}

// TestWrongScheme: TLS where there is none, and a certificate of nobody.
func TestWrongScheme(t *testing.T) {
	server := llmtest.Start(t)
	c, _ := client(t, server, func(c *Config) { c.BaseURL = strings.Replace(server.URL, "http:", "https:", 1); c.Retries = -1 })
	err := c.Ask(context.Background(), question, anything)
	mustSay(t, err, "URL does not speak TLS: use http:// in base_url", strings.Replace(server.URL, "http:", "https:", 1))

	safe := httptest.NewUnstartedServer(llmtest.NewHandler())
	safe.Config.ErrorLog = log.New(io.Discard, "", 0)
	safe.StartTLS()
	defer safe.Close()
	c, _ = client(t, server, func(c *Config) { c.BaseURL = safe.URL; c.Retries = -1 })
	err = c.Ask(context.Background(), question, anything)
	if err == nil || !strings.HasPrefix(err.Error(), "the certificate of "+safe.URL+" is not trusted: ") || !Unavailable(err) {
		t.Error(err)
	}
}

// TestSecretsAreMasked: a server that echoes the key, whole, in part or after
// a long text, does not make it visible.
func TestSecretsAreMasked(t *testing.T) {
	for name, reply := range map[string]llmtest.Reply{
		"echo of a 401":   llmtest.EchoKey(401),
		"echo of a 400":   llmtest.EchoKey(400),
		"in part":         llmtest.Status(401, "Incorrect API key provided: sk-v******cret."),
		"cut through":     llmtest.Status(400, strings.Repeat("x", maxShown-8)+"sk-very-secret"),
		"in the query":    llmtest.Status(400, "you sent /v1/chat/completions?key=abcdef"),
		"as basic":        llmtest.Status(400, "you sent Basic YW5uOmh1bnRlcjIy"),
		"in a type":       llmtest.Raw("text/sk-very-secret", "<html>"),
		"in a place":      llmtest.Status(302, "", "Location", "http://x.example/sk-very-secret/"),
		"in a refusal":    llmtest.Refused("I saw sk-very-secret."),
		"as a broken one": llmtest.Answer(`[{"sk-very-secret":1},]`),
	} {
		server := llmtest.Start(t, reply)
		c, _ := client(t, server, func(c *Config) {
			c.BaseURL = strings.Replace(server.URL, "://", "://ann:hunter22@", 1) + "?key=abcdef"
		})
		err := c.Ask(context.Background(), question, anything)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		mustHoldNoSecret(t, err.Error())
		for inner := err; inner != nil; inner = errors.Unwrap(inner) {
			if name != "as a broken one" { // what a model wrote is check's to tell
				mustHoldNoSecret(t, inner.Error())
			}
		}
	}
}

// TestWhatServersSayIsShort and one line without control characters.
func TestWhatServersSayIsShort(t *testing.T) {
	said := "\x1b]0;title\x07\n\u202e" + strings.Repeat("長い", 50_000)
	for _, reply := range []llmtest.Reply{
		llmtest.Status(400, said[:5_000]), llmtest.Status(400, said), llmtest.Body(400, "text/plain", said),
	} {
		server := llmtest.Start(t, reply)
		c, _ := client(t, server)
		text := c.Ask(context.Background(), question, anything).Error()
		if _, says, _ := strings.Cut(text, "it says: "); len(says) == 0 || len(says) > maxShown {
			t.Errorf("%d bytes: %q", len(says), text)
		}
		if strings.ContainsAny(text, "\x1b\x07\n\u202e") || !strings.HasSuffix(text, "…") || strings.ContainsRune(text, '\uFFFD') {
			t.Errorf("%q", text)
		}
	}
}

// TestRedirectCarriesNothing: neither key nor text reach another server, not
// even on the same machine or one below the same name.
func TestRedirectCarriesNothing(t *testing.T) {
	other := llmtest.Start(t)
	for _, status := range []int{301, 302, 303, 307, 308} {
		server := llmtest.Start(t, llmtest.Status(status, "", "Location", other.URL+"/chat/completions"))
		k := newClock()
		deps := k.deps()
		deps.HTTP = &http.Client{} // would follow
		c, err := New(Config{BaseURL: server.URL, Model: "small", Key: "sk-very-secret", Timeout: timeout}, deps)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Ask(context.Background(), question, anything); err == nil || !strings.Contains(err.Error(), "set base_url to "+other.URL) {
			t.Errorf("%d: %v", status, err)
		}
	}
	if other.Count() != 0 {
		t.Errorf("%d requests went elsewhere", other.Count())
	}
}
