package httpd

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"winnow/core/spell"
)

// Page is what GET of a path shows of the database to who may read.
type Page struct {
	Path  string   // "/segments", or for one of them "/segments/{id}"
	Kind  string   // the media type of its content
	Takes []string // the parameters of its query
	// Show writes it to a.Out. An error before the first byte is the answer: one made
	// by Missing or Wrong says why, any other that the database cannot be read.
	Show func(ctx context.Context, a *Asked) error
}

// The media types of pages: one JSON object, or one a line.
const (
	OneObject  = "application/json"
	ObjectLine = "application/x-ndjson"
)

// idPart ends the path of a page about one thing.
const idPart = "/{id}"

// Asked is a request for a page.
type Asked struct {
	ID    string            // of the path
	Query map[string]string // the parameters that were given
	Out   io.Writer
	page  *pageWriter
}

// Next says where the next page begins: the answer has its address. It is called before
// anything is written.
func (a *Asked) Next(after string) {
	u := url.URL{Path: a.page.r.URL.Path, RawQuery: nextQuery(a.Query, after)}
	a.page.w.Header().Set("Link", "<"+u.String()+`>; rel="next"`)
}

// nextQuery is a query for what comes after.
func nextQuery(asked map[string]string, after string) string {
	values := url.Values{"after": {after}}
	for name, value := range asked {
		if name != "after" {
			values.Set(name, value)
		}
	}
	return values.Encode()
}

// Lines says that it is one object a line, whatever the page is else. It is called before
// anything is written.
func (a *Asked) Lines() { a.page.kind = ObjectLine }

// Begun reports whether something was written.
func (a *Asked) Begun() bool { return a.page.begun }

// Aside runs f, which takes long and reads little, without keeping others from reading.
func (a *Asked) Aside(f func() error) error {
	<-a.page.s.reads
	defer func() { a.page.s.reads <- struct{}{} }()
	return f()
}

// Missing is the error of a page about something that is not there.
func Missing(text string) error {
	return &refusal{status: http.StatusNotFound, code: "id", text: text}
}

// Wrong is the error of a page that was asked for wrongly.
func Wrong(format string, args ...any) error { return wrongParameter(format, args...) }

// page returns the page of a path, and the id in it; nil if there is none.
func (s *Server) page(path string) (*Page, string) {
	for i := range s.Pages {
		p := &s.Pages[i]
		if p.Path == path {
			return p, ""
		}
		if of, one := strings.CutSuffix(p.Path, idPart); one {
			if id, ok := strings.CutPrefix(path, of+"/"); ok && id != "" && !strings.Contains(id, "/") {
				return p, id
			}
		}
	}
	return nil, ""
}

// pages names the paths of all pages, for who asks for another.
func (s *Server) pages() string {
	text := "/healthz, /metrics"
	for i := range s.Pages {
		text += ", " + s.Pages[i].Path
	}
	return text
}

// show answers with a page. So many are read at once that imports are not kept waiting.
func (s *Server) show(w http.ResponseWriter, r *http.Request, p *Page, id string) {
	query, no := single(r.URL.RawQuery)
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if no == nil && !slices.Contains(p.Takes, name) {
			no = noParameter(name, p.Takes)
		}
	}
	if no != nil {
		s.turnAway(w, r, no)
		return
	}
	out := &pageWriter{s: s, w: w, r: r, kind: p.Kind}
	err := out.fill(p, &Asked{ID: id, Query: query, Out: out, page: out})
	gone := r.Context().Err() != nil || out.left
	switch {
	case err == nil && !out.begun:
		out.begin() // there is nothing
	case err == nil, errors.Is(err, errHead):
	case out.begun:
		if !gone {
			s.Warn("GET %s: %v", p.Path, err)
		}
		panic(http.ErrAbortHandler) // so that nobody takes a part for all
	case gone:
	case errors.As(err, &no):
		w.Header().Del("Link")
		s.turnAway(w, r, no)
	default:
		s.Warn("GET %s: %v", p.Path, err)
		w.Header().Del("Link")
		s.turnAway(w, r, &refusal{status: http.StatusInternalServerError, code: "internal", text: "the database cannot be read: the server's log says why"})
	}
}

// noParameter refuses a parameter that a page does not take.
func noParameter(name string, takes []string) *refusal {
	if len(takes) == 0 {
		return wrongParameter("%q is no parameter: this page takes none", name)
	}
	return wrongParameter("%q is no parameter: %s", name, spell.Known(name, takes))
}

// errHead ends a page of which only the head was asked for.
var errHead = errors.New("only the head is wanted")

// pageWriter sends a page as it is written. Who waits for a client keeps nobody from
// reading.
type pageWriter struct {
	s     *Server
	w     http.ResponseWriter
	r     *http.Request
	kind  string
	begun bool
	left  bool // the client takes nothing any more
}

// fill has a page written when its turn comes.
func (p *pageWriter) fill(page *Page, a *Asked) error {
	select {
	case p.s.reads <- struct{}{}:
	case <-p.r.Context().Done():
		return p.r.Context().Err()
	}
	defer func() { <-p.s.reads }()
	return page.Show(p.r.Context(), a)
}

// soon says by when the client must have taken something, and sent a body if it has one.
func (p *pageWriter) soon() {
	ctl, end := http.NewResponseController(p.w), time.Now().Add(p.s.Limits.Answer)
	_ = ctl.SetWriteDeadline(end) // tests without connections have none
	if p.r.ContentLength != 0 {
		_ = ctl.SetReadDeadline(end)
	}
}

func (p *pageWriter) begin() {
	p.begun = true
	p.soon()
	p.s.head(p.w, http.StatusOK, p.kind)
}

// Write implements io.Writer.
func (p *pageWriter) Write(b []byte) (n int, err error) {
	if !p.begun {
		p.begin()
	}
	if p.r.Method == http.MethodHead {
		return 0, errHead
	}
	<-p.s.reads
	defer func() { p.s.reads <- struct{}{} }()
	p.soon()
	if n, err = p.w.Write(b); err != nil {
		p.left = true
	}
	return n, err
}

// single reads a query in which no parameter is given twice.
func single(raw string) (map[string]string, *refusal) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, wrongParameter("the query cannot be read: %v", err)
	}
	one := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if len(values[name]) > 1 {
			return nil, wrongParameter("%s is given twice", name)
		}
		one[name] = values[name][0]
	}
	return one, nil
}
