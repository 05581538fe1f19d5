// Package llmtest is an OpenAI-compatible server for tests: it answers
// according to a script, misbehaves as servers do, and remembers what it was
// asked. It listens on the loopback interface only and never sleeps: what is
// to come late waits for a channel.
package llmtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
)

// Message is one message of a request.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Request is what a client asked.
type Request struct {
	Path   string // with its query
	Header http.Header
	Body   []byte // as sent

	Model    string
	Messages []Message
}

// System returns the instruction, "" if there is none.
func (q Request) System() string { return q.first("system") }

// User returns the first message of the user: the text that is asked about.
func (q Request) User() string { return q.first("user") }

func (q Request) first(role string) string {
	for _, m := range q.Messages {
		if m.Role == role {
			return m.Content
		}
	}
	return ""
}

// Last returns the last message's content: in a repair, what was wrong.
func (q Request) Last() string {
	if len(q.Messages) == 0 {
		return ""
	}
	return q.Messages[len(q.Messages)-1].Content
}

// Key returns the bearer token that was sent, "" without one.
func (q Request) Key() string {
	key, _ := strings.CutPrefix(q.Header.Get("Authorization"), "Bearer ")
	return key
}

// Handler answers requests for chat completions, the n-th with the n-th reply
// of its script, those after its end with the last one again; and requests of
// fine-tuning as its Tuning says. It may be used by many goroutines.
type Handler struct {
	done   chan struct{} // closed by Close
	tuning *Tuning

	mu       sync.Mutex
	script   []Reply
	requests []Request
	closed   bool
}

// NewHandler returns a handler with a script. Without one it answers with
// Segmented.
func NewHandler(script ...Reply) *Handler {
	if len(script) == 0 {
		script = []Reply{Segmented()}
	}
	done := make(chan struct{})
	return &Handler{done: done, tuning: newTuning(done), script: slices.Clone(script)}
}

// Tuning returns what the server does about files and fine-tuning.
func (h *Handler) Tuning() *Tuning { return h.tuning }

// Then puts further replies after the script.
func (h *Handler) Then(script ...Reply) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.script = append(h.script, script...)
}

// Script replaces what is left of the script: the next request gets the first
// of these replies.
func (h *Handler) Script(script ...Reply) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.script = append(make([]Reply, len(h.requests)), script...)
}

// Requests returns what was asked so far, in order of arrival.
func (h *Handler) Requests() []Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.requests)
}

// Count returns how many requests came so far.
func (h *Handler) Count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.requests)
}

// Close ends the replies that hang.
func (h *Handler) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.closed = true
		close(h.done)
	}
}

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if route, id, ok := tunes(r); ok {
		h.tuning.serve(w, r, route, id)
		return
	}
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		writeFailure(w, http.StatusNotFound, "there is only POST …/chat/completions", "not_found")
		return
	}
	// The body is read to its end: only then is it seen that a client left.
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	q := Request{Path: r.URL.RequestURI(), Header: r.Header.Clone(), Body: body}
	var decoded struct {
		Model    string    `json:"model"`
		Messages []Message `json:"messages"`
	}
	if err := json.Unmarshal(body, &decoded); err != nil {
		writeFailure(w, http.StatusBadRequest, err.Error(), "invalid_request_error")
		return
	}
	q.Model, q.Messages = decoded.Model, decoded.Messages
	h.next(q)(Exchange{Request: q, w: w, r: r, done: h.done})
}

func (h *Handler) next(q Request) Reply {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests = append(h.requests, q)
	return h.script[min(len(h.requests), len(h.script))-1]
}

// Server is a Handler that listens on a port of the loopback interface.
type Server struct {
	*Handler
	URL  string // the base URL: "http://127.0.0.1:40000/v1"
	http *httptest.Server
}

// New starts a server with a script; see NewHandler. It must be closed.
func New(script ...Reply) *Server {
	h := NewHandler(script...)
	s := httptest.NewServer(h)
	return &Server{Handler: h, URL: s.URL + "/v1", http: s}
}

// Start is New for a test, which closes the server when it ends.
func Start(t interface{ Cleanup(func()) }, script ...Reply) *Server {
	s := New(script...)
	t.Cleanup(s.Close)
	return s
}

// Close stops the server and ends the replies that hang.
func (s *Server) Close() {
	s.Handler.Close()
	s.http.CloseClientConnections()
	s.http.Close()
}
