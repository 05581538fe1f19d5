package llmtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
)

// The routes of fine-tuning, as Tuning calls them.
const (
	ListFiles = "GET /files"
	Upload    = "POST /files"
	GetFile   = "GET /files/{id}"
	ListJobs  = "GET /fine_tuning/jobs"
	CreateJob = "POST /fine_tuning/jobs"
	GetJob    = "GET /fine_tuning/jobs/{id}"
	Events    = "GET /fine_tuning/jobs/{id}/events"
	CancelJob = "POST /fine_tuning/jobs/{id}/cancel"
)

// Stage is how far a job is. Each time that it is asked for, it goes on by one.
type Stage struct {
	Status string
	Events []Event // that came with it
	Model  string  // of it, when it succeeded
	Tokens int
	Error  map[string]any // "code", "message", "param"
}

// Event is what a server says about a job. ID is given by the server if it is "".
type Event struct {
	ID, Level, Message string
	Data               map[string]any // with it, it is of type "metrics"
}

// Tuned is a job that a client made.
type Tuned struct {
	ID      string
	Request map[string]any
	Stage   int // in the script
	Status  string
	created int64
	events  []map[string]any // the oldest first
}

// Stored is a file that a client sent. Rows are its lines.
type Stored struct {
	ID, Name, Purpose, SHA256 string
	Size                      int64
	Rows                      int
}

// Call is a request and its route.
type Call struct {
	Route string
	Request
}

// Tuning is the part of a server that tunes models: files, jobs and their events. It
// may be used by many goroutines.
type Tuning struct {
	done <-chan struct{}

	mu     sync.Mutex
	script []Stage
	page   int
	rising bool
	ids    func(kind string, n int) string
	faults map[string][]Reply
	lost   map[string]int
	files  []Stored
	jobs   []*Tuned
	calls  []Call
	clock  int64
}

func newTuning(done <-chan struct{}) *Tuning {
	return &Tuning{done: done, faults: map[string][]Reply{}, lost: map[string]int{}, page: 100, clock: 1_780_000_000,
		ids: func(kind string, n int) string { return fmt.Sprintf("%s-%d", kind, n) }}
}

// Job sets what becomes of jobs that are made, and of those that are there.
func (t *Tuning) Job(script ...Stage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.script = slices.Clone(script)
}

// Pages sets how many things a page of a list holds at most.
func (t *Tuning) Pages(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.page = n
}

// Rising has the server tell the oldest events first, as some do.
func (t *Tuning) Rising(yes bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rising = yes
}

// IDs sets how things are called: the n-th "file", "ftjob" or "ftevent".
func (t *Tuning) IDs(f func(kind string, n int) string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ids = f
}

// At sets the time of the server, in seconds since 1970. It stands still.
func (t *Tuning) At(seconds int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clock = seconds
}

// Fail has the next requests of a route answered by these, and nothing done.
func (t *Tuning) Fail(route string, replies ...Reply) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults[route] = append(t.faults[route], replies...)
}

// Lose has the next request of a route done, and its answer lost.
func (t *Tuning) Lose(route string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lost[route]++
}

// Files returns the files that are there.
func (t *Tuning) Files() []Stored {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.files)
}

// Jobs returns the jobs that are there, the oldest first.
func (t *Tuning) Jobs() []Tuned {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []Tuned
	for _, j := range t.jobs {
		list = append(list, *j)
	}
	return list
}

// Calls returns the requests so far. Those of uploads have no body.
func (t *Tuning) Calls() []Call {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.calls)
}

// Count returns how many requests of a route came so far.
func (t *Tuning) Count(route string) int {
	n := 0
	for _, c := range t.Calls() {
		if c.Route == route {
			n++
		}
	}
	return n
}

// Closed is the answer of a server that tunes no more for who asks.
func Closed() Reply {
	return Coded(http.StatusForbidden, "Fine-tuning is no longer available to your organization.", "permission_denied")
}

// tunes takes a path apart into its route and the ID in it. It reports false for paths
// that are not of fine-tuning.
func tunes(r *http.Request) (route, id string, ok bool) {
	for _, folder := range []string{"/files", "/fine_tuning/jobs"} {
		_, rest, found := strings.Cut(r.URL.Path, folder)
		if !found {
			continue
		}
		id, end, more := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
		route = r.Method + " " + folder
		if id != "" {
			route += "/{id}"
		}
		if more {
			route += "/" + end
		}
		return route, id, true
	}
	return "", "", false
}

// serve answers a request of a route.
func (t *Tuning) serve(w http.ResponseWriter, r *http.Request, route, id string) {
	call := Call{Route: route, Request: Request{Path: r.URL.RequestURI(), Header: r.Header.Clone()}}
	fault := t.fault(route)
	if route != Upload {
		call.Body, _ = io.ReadAll(r.Body)
	} else if fault != nil && r.Header.Get("Expect") == "" { // else it is not sent
		_, _ = io.Copy(io.Discard, r.Body)
	}
	t.note(call)
	if fault != nil {
		fault(Exchange{Request: call.Request, w: w, r: r, done: t.done})
		return
	}
	var sent *Stored
	if route == Upload {
		if sent = receive(r); sent == nil {
			writeFailure(w, http.StatusBadRequest, "no file of purpose fine-tune", "invalid_request_error")
			return
		}
	}
	status, answer := t.act(route, id, r, call.Body, sent)
	if t.loses(route) {
		panic(http.ErrAbortHandler) // how a handler cuts the connection
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(encode(answer))
}

func (t *Tuning) note(c Call) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = append(t.calls, c)
}

func (t *Tuning) fault(route string) (r Reply) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if list := t.faults[route]; len(list) > 0 {
		r, t.faults[route] = list[0], list[1:]
	}
	return r
}

func (t *Tuning) loses(route string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lost[route] == 0 {
		return false
	}
	t.lost[route]--
	return true
}

// receive reads a file without keeping it, nil if the form holds none.
func receive(r *http.Request) *Stored {
	form, err := r.MultipartReader()
	if err != nil {
		return nil
	}
	var s Stored
	for {
		part, err := form.NextPart()
		if err != nil {
			if err == io.EOF && s.Name != "" && s.Purpose == "fine-tune" {
				return &s
			}
			return nil
		}
		switch part.FormName() {
		case "purpose":
			text, _ := io.ReadAll(io.LimitReader(part, 100))
			s.Purpose = string(text)
		case "file":
			s.Name = part.FileName()
			hash, rows := sha256.New(), &lines{}
			if s.Size, err = io.Copy(io.MultiWriter(hash, rows), part); err != nil {
				return nil
			}
			s.SHA256, s.Rows = hex.EncodeToString(hash.Sum(nil)), rows.n
		}
	}
}

// lines counts them.
type lines struct{ n int }

func (l *lines) Write(p []byte) (int, error) {
	l.n += bytes.Count(p, []byte("\n"))
	return len(p), nil
}

// paged returns the part of a list, the newest first, that a query asks for.
func (t *Tuning) paged(r *http.Request, list []map[string]any) map[string]any {
	limit := t.page
	if n, err := strconv.Atoi(r.URL.Query().Get("limit")); err == nil && n > 0 {
		limit = min(n, limit)
	}
	if after := r.URL.Query().Get("after"); after != "" {
		at := slices.IndexFunc(list, func(m map[string]any) bool { return m["id"] == after })
		list = list[at+1:]
	}
	more := len(list) > limit
	return map[string]any{"object": "list", "data": list[:min(limit, len(list))], "has_more": more}
}

func decodeJob(body []byte) (request map[string]any) {
	if json.Unmarshal(body, &request) != nil {
		return nil
	}
	return request
}
