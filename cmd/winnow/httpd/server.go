// Package httpd takes sessions over HTTP: it checks who asks and how much comes, puts
// what is uploaded into the inbox, has the importer read it, and says what came of it.
// It opens no path and follows no address that a client names, and takes no verdicts.
//
// It knows inbox, importer and HTTP; listeners, tokens' files and flags are the
// command's.
package httpd

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"winnow/core/cycle"
	"winnow/core/hub"
	"winnow/core/inbox"
	"winnow/core/ledger"
	"winnow/core/memory"
	"winnow/core/review"
)

// Store is what the server needs of the database besides imports.
type Store interface {
	hub.ImportStore
	LedgerIssues(ctx context.Context, q ledger.IssueQuery) (ledger.IssuePage, error)
	Totals(ctx context.Context) (review.Totals, error)
	PutIngests(ctx context.Context, list []*inbox.Arrival) error
	Ingest(ctx context.Context, id string) (inbox.Arrival, bool, error)
	OpenIngests(ctx context.Context) ([]inbox.Arrival, error)
	// What /metrics tells.
	UncutSessions(ctx context.Context) (int, error)
	StepDone(ctx context.Context, step string) (time.Time, error)
	StepTokens(ctx context.Context, since time.Time) (map[string]cycle.Usage, error)
	MemoryCounts(ctx context.Context) ([]memory.Count, error)
}

// Limits bound what clients may ask of the server. The zero value of each is replaced
// by that of standard.
type Limits struct {
	Body    int64         // bytes of a body after decompression
	Uploads int           // bodies that are worked on at once
	Waiting int           // bodies more that may be under way
	Queue   int64         // bytes that wait to be imported
	Disk    int64         // bytes of the disk that are left alone
	Idle    time.Duration // without a byte ends a body
	Files   int           // of one form
	Reads   int           // pages that are read at once
	Header  time.Duration // for the header of a request
	Answer  time.Duration // for taking an answer
}

// standard are the limits without configuration.
var standard = Limits{
	Body: 1 << 30, Uploads: 4, Waiting: 16, Queue: 2 << 30, Disk: 1 << 30, Idle: time.Minute, Files: 1000, Reads: 2,
	Header: 10 * time.Second, Answer: 30 * time.Second,
}

// Options say how a server is made.
type Options struct {
	Box   *inbox.Box
	Store Store
	// Importer returns what imports the sessions of an agent.
	Importer func(agent string, h inbox.Hints) *hub.Importer
	Pages    []Page // what may be read
	Tokens   Tokens
	Hosts    []string // names that the server answers to besides those of this machine
	Limits   Limits
	Version  string
	Warn     func(format string, args ...any)
	Told     func(inbox.Receipt) // called with each upload that was imported; may be nil
	Free     func() (int64, error)
	Now      func() time.Time // nil: time.Now
}

// Server is a server. Resume is called before it is listened for, and Run meanwhile.
type Server struct {
	Options
	guard    guard
	open     chan struct{} // bodies that are under way
	slots    chan struct{} // bodies that are worked on
	reads    chan struct{} // pages that are read
	loader   *loader
	receipts *receipts
	refusals refusals
	logged   refusals
	counts   counts
	ending   chan struct{} // closed when nobody is to be waited for any more
}

// New makes a server.
func New(o Options) *Server {
	o.Limits.fill()
	if o.Free == nil {
		o.Free = o.Box.Free
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Server{
		Options: o, guard: newGuard(o.Hosts, o.Tokens),
		open: make(chan struct{}, o.Limits.Uploads+o.Limits.Waiting), slots: make(chan struct{}, o.Limits.Uploads),
		reads:  make(chan struct{}, o.Limits.Reads),
		ending: make(chan struct{}),
		logged: refusals{every: time.Hour},
	}
	s.loader, s.receipts = newLoader(s), newReceipts(s)
	return s
}

func (l *Limits) fill() {
	set := func(n *int64, standard int64) {
		if *n == 0 {
			*n = standard
		}
	}
	set(&l.Body, standard.Body)
	set(&l.Queue, standard.Queue)
	set(&l.Disk, standard.Disk)
	for n, is := range map[*int]int{&l.Uploads: standard.Uploads, &l.Waiting: standard.Waiting, &l.Files: standard.Files, &l.Reads: standard.Reads} {
		if *n == 0 {
			*n = is
		}
	}
	for d, is := range map[*time.Duration]time.Duration{&l.Idle: standard.Idle, &l.Header: standard.Header, &l.Answer: standard.Answer} {
		if *d == 0 {
			*d = is
		}
	}
}

// Resume queues what an earlier server took and did not import.
func (s *Server) Resume(ctx context.Context) error { return s.loader.left(ctx) }

// Run imports what is queued and what comes, until ctx ends: the import under
// way then ends between two transactions, and what became of uploads is written.
func (s *Server) Run(ctx context.Context) {
	var notes sync.WaitGroup
	written, end := context.WithCancel(context.WithoutCancel(ctx))
	notes.Go(func() { s.receipts.run(written) })
	s.loader.run(ctx)
	end()
	notes.Wait()
}

// End has requests that wait for an import answered at once.
func (s *Server) End() { close(s.ending) }

// HTTP returns the server of one listener.
func (s *Server) HTTP() *http.Server {
	return &http.Server{
		Handler: s, ReadHeaderTimeout: s.Limits.Header, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 60 << 10, // the library adds 4 KiB
		ErrorLog:       quiet,
	}
}

// route is what a path of the server is for.
type route struct {
	method string
	scope  scope
	serve  func(s *Server, w http.ResponseWriter, r *http.Request)
}

// routeOf returns the route of a path, nil if there is none.
func (s *Server) routeOf(path string) *route {
	switch path {
	case "/ingest":
		return &route{http.MethodPost, mayIngest, (*Server).ingest}
	case "/healthz":
		return &route{http.MethodGet, mayAll, (*Server).health}
	case "/metrics":
		return &route{http.MethodGet, mayRead, (*Server).metrics}
	}
	if id, ok := receiptID(path); ok {
		return &route{http.MethodGet, mayIngest, func(s *Server, w http.ResponseWriter, r *http.Request) { s.receipt(w, r, id) }}
	}
	if p, id := s.page(path); p != nil {
		return &route{http.MethodGet, mayRead, func(s *Server, w http.ResponseWriter, r *http.Request) { s.show(w, r, p, id) }}
	}
	return nil
}

// ServeHTTP looks at a request before a byte of its body is read.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	to := s.routeOf(r.URL.Path)
	local := fromSocket(r)
	no := s.guard.place(r, local)
	if no == nil && to == nil {
		no = &refusal{status: http.StatusNotFound, code: "route", text: "no such page: POST /ingest takes sessions, GET /ingest/ID tells what became of one; GET also " + s.pages()}
	}
	if no == nil {
		no = s.guard.token(r, to.scope, local)
	}
	if no == nil && r.Method != to.method && !(r.Method == http.MethodHead && to.method == http.MethodGet) {
		allowed := to.method
		if allowed == http.MethodGet {
			allowed += ", " + http.MethodHead
		}
		w.Header().Set("Allow", allowed)
		no = &refusal{status: http.StatusMethodNotAllowed, code: "method", text: "this page takes " + to.method + " only"}
	}
	if no != nil {
		s.logBarred(r, no)
		s.turnAway(w, r, no)
		return
	}
	to.serve(s, w, r)
}

// fromSocket reports whether a request came over a socket of this machine, whose mode
// says who may send: pages in a browser cannot.
func fromSocket(r *http.Request) bool {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && at.Network() == "unix"
}

// answer writes a response of JSON.
func (s *Server) answer(w http.ResponseWriter, status int, v any) {
	var text bytes.Buffer
	to := json.NewEncoder(&text)
	to.SetEscapeHTML(false) // commands print it so, too
	if to.Encode(v) != nil {
		status = http.StatusInternalServerError
		text.Reset()
		text.WriteString(`{"success":false,"code":"internal"}` + "\n")
	}
	s.write(w, status, "application/json", text.Bytes())
}

func (s *Server) write(w http.ResponseWriter, status int, kind string, text []byte) {
	// Else clients stay that read nothing, or send nothing of a body that is refused.
	ctl, end := http.NewResponseController(w), time.Now().Add(s.Limits.Answer)
	_, _ = ctl.SetWriteDeadline(end), ctl.SetReadDeadline(end)
	w.Header().Set("Content-Length", strconv.Itoa(len(text))) // also where only the head is asked for
	s.head(w, status, kind)
	_, _ = w.Write(text) // nobody is there to be told
}

// head writes the head of a response.
func (s *Server) head(w http.ResponseWriter, status int, kind string) {
	s.counts.request(status)
	w.Header().Set("Content-Type", kind)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
}
