package httpd

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"winnow/core/inbox"
)

// upload is a file that came, and what was said about it.
type upload struct {
	parameters
	spool *inbox.Spool
	wire  int64 // bytes that came for it
}

// ingest is POST /ingest.
func (s *Server) ingest(w http.ResponseWriter, r *http.Request) {
	p, no := fromQuery(r.URL.RawQuery)
	kind, form, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	isForm := err == nil && kind == "multipart/form-data"
	if no == nil && p.agent == "" && !isForm {
		no = &noAgent
	}
	if no == nil {
		no = s.admit()
	}
	var all []kept
	came := inbox.Arrival{At: s.Now()}
	if no == nil {
		all, no = s.store(w, r, &p, isForm, form["boundary"], &came)
	}
	if no != nil {
		came.Agent, came.Session = p.agent, p.session
		s.noteRefused(r.Context(), came, no)
		s.turnAway(w, r, no)
		return
	}
	wait := p.wait
	if len(all) > 0 {
		wait = all[0].wait
	}
	s.settle(w, r, all, wait)
}

// admit counts one more body that is under way, unless there is too much to do.
func (s *Server) admit() *refusal {
	if s.loader.waiting() >= s.Limits.Queue {
		return &refusal{status: http.StatusServiceUnavailable, code: "busy", text: round(s.Limits.Queue) + " wait to be imported: try again later", retry: 5}
	}
	if no := s.room(0); no != nil {
		return no
	}
	select {
	case s.open <- struct{}{}:
		return nil
	default:
		return &refusal{status: http.StatusServiceUnavailable, code: "busy", text: "too many uploads at once: try again later", retry: 1}
	}
}

// room refuses so many bytes more if the disk has no place for them.
func (s *Server) room(more int64) *refusal {
	if free, err := s.Free(); err == nil && free < s.Limits.Disk+more {
		return noRoom()
	}
	return nil
}

func noRoom() *refusal {
	return &refusal{status: http.StatusInsufficientStorage, code: "disk", text: "no room: nothing was stored"}
}

// kept is an upload with what became of it.
type kept struct {
	receipt inbox.Receipt
	no      *refusal // why it was not stored
	ticket  *ticket  // of its import, nil if there is none
	wait    time.Duration
}

// store reads a body to its end, and then brings what was in it to its places. How much
// it was is in came.
func (s *Server) store(w http.ResponseWriter, r *http.Request, p *parameters, isForm bool, boundary string, came *inbox.Arrival) ([]kept, *refusal) {
	defer func() { <-s.open }()
	b, no := s.newBody(w, r)
	if no != nil {
		return nil, no
	}
	defer b.done()
	defer func() { came.Wire, came.Bytes = b.came, s.Limits.Body-b.left }()
	var ups []upload
	defer func() {
		for _, u := range ups {
			u.spool.Drop()
		}
	}()
	if isForm {
		no = s.form(b, boundary, p, &ups)
	} else {
		no = s.file(b, b, *p, &ups)
	}
	if no == nil {
		no = b.finish()
	}
	if no != nil {
		return nil, no
	}
	all := make([]kept, len(ups))
	for i := range ups {
		all[i] = s.put(r, &ups[i])
	}
	return all, nil
}

// roomEvery is how many bytes are written until the disk is looked at again.
const roomEvery = 64 << 20

// file spools one file, which r has, of a body.
func (s *Server) file(b *body, r io.Reader, p parameters, ups *[]upload) *refusal {
	spool, err := s.Box.Spool()
	if err != nil {
		return s.broken(err)
	}
	*ups = append(*ups, upload{parameters: p, spool: spool})
	from := b.came
	defer func() { (*ups)[len(*ups)-1].wire = b.came - from }()
	buf := make([]byte, 64<<10)
	looked := int64(0)
	for {
		n, err := r.Read(buf)
		if _, failed := spool.Write(buf[:n]); failed != nil {
			return s.broken(failed)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return b.refusal(err)
		}
		if spool.Size()-looked >= roomEvery {
			looked = spool.Size()
			if no := s.room(0); no != nil {
				return no
			}
		}
	}
}

// broken is a failure of the inbox itself.
func (s *Server) broken(err error) *refusal {
	if inbox.Full(err) {
		return noRoom()
	}
	s.Warn("inbox: %v", err)
	return &refusal{status: http.StatusInternalServerError, code: "internal", text: "the inbox cannot be written: the server's log says why; nothing was stored"}
}

// mostField is how many bytes the value of a form's field may have.
const mostField = 4 << 10

// form spools the files of a form, which is read as it comes.
func (s *Server) form(b *body, boundary string, p *parameters, ups *[]upload) *refusal {
	if boundary == "" {
		return wrongParameter("Content-Type multipart/form-data has no boundary")
	}
	parts := multipart.NewReader(&endless{r: b, tail: "\r\n"}, boundary)
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return b.refusal(err)
		}
		if no := s.part(b, part, p, ups); no != nil {
			return no
		}
	}
	if len(*ups) == 0 {
		return wrongParameter("no file in the form: send it as the field \"file\"")
	}
	return nil
}

// endless is a form that must end by its last boundary, not by its last byte, which the
// library takes for the end even within the head of a part.
type endless struct {
	r     io.Reader
	ended bool
	tail  string // what the last boundary may lack at its end
}

func (e *endless) Read(p []byte) (int, error) {
	if e.ended {
		if e.tail == "" {
			return 0, io.ErrUnexpectedEOF
		}
		n := copy(p, e.tail)
		e.tail = e.tail[n:]
		return n, nil
	}
	n, err := e.r.Read(p)
	if err == io.EOF {
		e.ended, err = true, nil
	}
	return n, err
}

// part takes a field of a form, or a file.
func (s *Server) part(b *body, part *multipart.Part, p *parameters, ups *[]upload) *refusal {
	name := part.FormName()
	switch {
	case name != "file":
		text, err := io.ReadAll(io.LimitReader(part, mostField+1))
		if err != nil {
			return b.refusal(err)
		}
		if len(text) > mostField {
			return wrongParameter("form field %q: longer than %s; files go into the field \"file\"", name, round(mostField))
		}
		return p.set(name, string(text))
	case p.agent == "":
		return &noAgent
	case len(*ups) == s.Limits.Files:
		return wrongParameter("more than %d files in one form: send the others in another one", s.Limits.Files)
	}
	if no := s.file(b, part, *p, ups); no != nil {
		return no
	}
	p.session, p.offset = "", inbox.Whole // of the next file nothing is said yet
	return nil
}

// put brings a file to its place and has it imported.
func (s *Server) put(r *http.Request, u *upload) kept {
	sum, bytes := u.spool.Sum(), u.spool.Size()
	up := inbox.Upload{Agent: u.agent, Session: u.session, Offset: u.offset, Replace: u.replace, Hints: u.Hints}
	up.Check = func(text io.Reader, h inbox.Hints) error {
		return s.check(context.WithoutCancel(r.Context()), text, h, u)
	}
	at, err := s.Box.Put(up, u.spool)
	k := kept{wait: u.wait, receipt: inbox.Receipt{Agent: u.agent, Session: u.session, Sum: sum}}
	came := inbox.Arrival{Inbox: s.Box.Dir(), At: s.Now(), Wire: u.wire, Bytes: bytes}
	if err != nil {
		k.no = s.placeless(err)
		k.receipt.Code, k.receipt.Error = k.no.code, k.no.text
		if k.no.size != nil {
			k.receipt.Size = *k.no.size
		}
		came.Receipt = k.receipt
		s.noteRefused(r.Context(), came, k.no)
		return k
	}
	s.counts.upload(at.Outcome, bytes)
	k.receipt = inbox.Receipt{Success: true, ID: s.newID(r.Context()), Agent: u.agent, Session: at.Session, Outcome: inbox.Stored, Size: at.Size, Sum: sum}
	came.Receipt, came.Status, came.Was = k.receipt, http.StatusAccepted, at.Outcome
	s.receipts.put(came)
	k.ticket = s.loader.add(at, came)
	return k
}

// placeless says why a file could not be brought to its place.
func (s *Server) placeless(err error) *refusal {
	var offset *inbox.OffsetError
	var shorter *inbox.ShorterError
	var no *refusal
	switch {
	case errors.As(err, &no):
		return no
	case errors.As(err, &offset) && offset.Differs:
		return &refusal{status: http.StatusConflict, code: "differs", text: "this session holds " + grouped(offset.Size) + ", and others than these here: send all of it, without offset", size: &offset.Size}
	case errors.As(err, &offset):
		return &refusal{status: http.StatusConflict, code: "offset", text: "this session holds " + grouped(offset.Size) + ": go on from there", size: &offset.Size}
	case errors.As(err, &shorter):
		return &refusal{status: http.StatusConflict, code: "shorter", text: "the stored session goes on after this (" + grouped(shorter.Size) + "): ?replace=1 replaces it", size: &shorter.Size}
	}
	return s.broken(err)
}

// settle waits for the imports and answers.
func (s *Server) settle(w http.ResponseWriter, r *http.Request, all []kept, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	a := answered{Files: len(all), Results: []inbox.Receipt{}}
	status, open := http.StatusOK, false
	for i := range all {
		k := &all[i]
		if k.ticket != nil {
			select {
			case <-k.ticket.done:
			case <-timer.C:
				timer.Reset(0)
			case <-s.ending:
			case <-r.Context().Done():
			}
			select {
			case <-k.ticket.done:
				k.receipt = k.ticket.Receipt
			default:
			}
			open = open || k.receipt.Outcome == inbox.Stored
		}
		if k.receipt.Success {
			a.Successful++
		}
		a.Results = append(a.Results, k.receipt)
	}
	a.Success = a.Successful > 0
	switch {
	case len(all) == 1 && all[0].no != nil:
		s.refuse(w, all[0].no, a.Results...)
		return
	case a.Successful == 0:
		status, a.Code, a.Error = http.StatusUnprocessableEntity, "none", "none of the files was taken: each result says why"
		if len(all) == 1 { // it was stored, and is gone
			status, a.Code, a.Error = http.StatusInternalServerError, all[0].receipt.Code, all[0].receipt.Error
		}
	case open:
		status = http.StatusAccepted
	}
	s.answer(w, status, a)
}

// newID is the id of an upload: 8 hexadecimal digits that no other receipt has.
func (s *Server) newID(ctx context.Context) string {
	var b [4]byte
	for {
		_, _ = rand.Read(b[:]) // never fails
		id := hex.EncodeToString(b[:])
		if _, taken, _ := s.receipts.find(ctx, id); !taken {
			return id
		}
	}
}

// receiptID is the id in the path of a receipt.
func receiptID(path string) (string, bool) {
	id, ok := strings.CutPrefix(path, "/ingest/")
	return id, ok && id != "" && !strings.Contains(id, "/")
}

// receipt is GET /ingest/{id}.
func (s *Server) receipt(w http.ResponseWriter, r *http.Request, id string) {
	c, there, err := s.receipts.find(r.Context(), id)
	if err != nil {
		s.Warn("%v", err)
		s.refuse(w, &refusal{status: http.StatusServiceUnavailable, code: "busy", text: "the database does not answer: try again later", retry: 5})
		return
	}
	if !there {
		s.refuse(w, &refusal{status: http.StatusNotFound, code: "upload", text: "no upload has this id: those of the newest 10,000 are kept"})
		return
	}
	a := answered{Success: c.Success, Code: c.Code, Error: c.Error, Files: 1, Results: []inbox.Receipt{c.Receipt}}
	status := http.StatusOK
	if c.Success {
		a.Successful = 1
	}
	if c.Outcome == inbox.Stored {
		status = http.StatusAccepted
	}
	s.answer(w, status, a)
}
