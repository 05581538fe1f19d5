package httpd

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"

	"winnow/core/inbox"
	"winnow/core/session"
)

// counts are what the server counts since it began.
type counts struct {
	mu       sync.Mutex // guards what follows
	requests map[int]int64
	uploads  map[inbox.Outcome]int64
	bytes    int64
	lines    session.Counts // that are new
	messages int64
	sessions int64
}

func (c *counts) request(status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.requests == nil {
		c.requests = map[int]int64{}
	}
	c.requests[status]++
}

func (c *counts) upload(o inbox.Outcome, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.uploads == nil {
		c.uploads = map[inbox.Outcome]int64{}
	}
	c.uploads[o]++
	c.bytes += bytes
}

// imported counts what an import brought.
func (c *counts) imported(f *inbox.Figures, lines session.Counts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.messages += int64(f.Messages.New)
	c.sessions += int64(f.Sessions.New)
	c.lines = c.lines.Plus(lines)
}

// health is GET /healthz. It tells nothing that is in the database.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	s.loader.mu.Lock()
	failed, queued := len(s.loader.failed) > 0, s.loader.bytes
	s.loader.mu.Unlock()
	status, word := http.StatusOK, "ok"
	switch {
	case failed:
		status, word = http.StatusServiceUnavailable, "imports fail"
	case s.room(0) != nil:
		status, word = http.StatusServiceUnavailable, "disk full"
	}
	s.answer(w, status, struct {
		Status  string `json:"status"`
		Version string `json:"version"`
		Queue   int64  `json:"queue_bytes"`
	}{word, s.Version, queued})
}

// metrics is GET /metrics, in the text format of Prometheus.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	var b bytes.Buffer
	s.loader.mu.Lock()
	queued, files := s.loader.bytes, len(s.loader.queue)
	s.loader.mu.Unlock()
	c := &s.counts
	c.mu.Lock()
	family(&b, "winnow_requests_total", "counter", "Requests that were answered, by status.")
	for _, code := range slices.Sorted(maps.Keys(c.requests)) {
		fmt.Fprintf(&b, "winnow_requests_total{code=\"%d\"} %d\n", code, c.requests[code])
	}
	family(&b, "winnow_uploads_total", "counter", "Files that were stored, by outcome.")
	for _, o := range []inbox.Outcome{inbox.New, inbox.Grown, inbox.Rewritten, inbox.Unchanged} {
		fmt.Fprintf(&b, "winnow_uploads_total{outcome=%q} %d\n", o, c.uploads[o])
	}
	one(&b, "winnow_upload_bytes_total", "counter", "Bytes of files that were stored, after decompression.", c.bytes)
	family(&b, "winnow_lines_total", "counter", "Lines that were imported, by what became of them.")
	for _, n := range []struct {
		kind  string
		lines int64
	}{{"read", c.lines.Read}, {"skipped", c.lines.Skipped}, {"bad", c.lines.Bad}} {
		fmt.Fprintf(&b, "winnow_lines_total{kind=%q} %d\n", n.kind, n.lines)
	}
	one(&b, "winnow_imported_sessions_total", "counter", "Sessions that are new by uploads.", c.sessions)
	one(&b, "winnow_imported_messages_total", "counter", "Messages that are new by uploads.", c.messages)
	c.mu.Unlock()
	one(&b, "winnow_queue_bytes", "gauge", "Bytes that wait to be imported.", queued)
	one(&b, "winnow_queue_files", "gauge", "Files that wait to be imported.", int64(files))
	s.gauges(r.Context(), &b)
	s.write(w, http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", b.Bytes())
}
