package httpd

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"time"

	"winnow/core/inbox"
	"winnow/tui/draw"
)

// refusal is why a request, or a file of one, is not taken.
type refusal struct {
	status int
	code   string
	text   string
	size   *int64 // bytes of the session that are stored, where that says how to go on
	retry  int    // seconds until it makes sense to try again, 0 for never
}

// answered is a response as a whole.
type answered struct {
	Success    bool            `json:"success"`
	Code       string          `json:"code,omitempty"`
	Error      string          `json:"error,omitempty"`
	Size       *int64          `json:"size,omitempty"`
	Files      int             `json:"total_files"`
	Successful int             `json:"successful"`
	Results    []inbox.Receipt `json:"results"`
}

// refuse answers with a refusal.
func (s *Server) refuse(w http.ResponseWriter, no *refusal, results ...inbox.Receipt) {
	h := w.Header()
	switch no.status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", `Bearer realm="winnow"`)
	case http.StatusUnsupportedMediaType:
		h.Set("Accept-Encoding", "gzip, zstd")
	}
	if no.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(no.retry))
	}
	if results == nil {
		results = []inbox.Receipt{}
	}
	s.answer(w, no.status, answered{Code: no.code, Error: no.text, Size: no.size, Files: len(results), Results: results})
}

// The time and the bytes for which the rest of a body that was refused is read: a client
// that is still writing when the connection ends does not see the answer.
const (
	restTime  = 2 * time.Second
	restBytes = 64 << 20
)

// turnAway refuses a request whose body was not read to its end. The answer does not
// wait for the rest, and the connection ends.
func (s *Server) turnAway(w http.ResponseWriter, r *http.Request, no *refusal) {
	if r.ContentLength == 0 {
		s.refuse(w, no)
		return
	}
	ctl := http.NewResponseController(w)
	w.Header().Set("Connection", "close")
	_ = ctl.EnableFullDuplex() // HTTP/2 is always so
	s.refuse(w, no)
	if ctl.Flush() == nil && ctl.SetReadDeadline(time.Now().Add(restTime)) == nil {
		_, _ = io.CopyN(io.Discard, r.Body, restBytes) // nobody wants it
	}
}

// quiet is the log of what the library has to say of broken connections: nothing that
// somebody could do something about.
var quiet = log.New(io.Discard, "", 0)

func wrongParameter(format string, args ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, code: "parameter", text: fmt.Sprintf(format, args...)}
}

var noAgent = refusal{status: http.StatusBadRequest, code: "agent_required", text: "agent_id is missing: add ?agent_id=NAME, or a form field in front of the file"}

// grouped is a number of bytes as people read it.
func grouped(n int64) string { return draw.Grouped(int(n)) + " bytes" }

// round is a limit of bytes as it was given: 1 GiB, 64 KiB.
func round(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size && n%u.size == 0 {
			return fmt.Sprintf("%s %s", draw.Grouped(int(n/u.size)), u.name)
		}
	}
	return grouped(n)
}
