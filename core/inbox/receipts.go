package inbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"winnow/core/session"
)

// Receipt says what became of an upload, and is what its client gets as JSON.
type Receipt struct {
	Success  bool    `json:"success"`
	ID       string  `json:"id,omitempty"`
	Agent    string  `json:"agent_id,omitempty"`
	Session  string  `json:"session,omitempty"`
	Outcome  Outcome `json:"outcome,omitempty"` // Stored until it is imported
	Size     int64   `json:"size"`              // bytes of the session's file
	Sum      string  `json:"sha256,omitempty"`  // of what came
	*Figures         // nil until it is imported
	Code     string  `json:"code,omitempty"` // of what went wrong
	Error    string  `json:"error,omitempty"`
}

// Stored is the outcome of an upload that is not imported yet.
const Stored Outcome = "stored"

// Figures are what the import of a session's file came to.
type Figures struct {
	Lines    session.Counts  `json:"lines"` // of the file as it stands
	Sessions SessionFigures  `json:"sessions"`
	Messages MessageFigures  `json:"messages"`
	Problems []session.Issue `json:"problems"` // the first bad lines
	More     int             `json:"more_problems"`
}

// SessionFigures count the sessions of a file.
type SessionFigures struct {
	New     int `json:"new"`
	Updated int `json:"updated"`
	Copies  int `json:"copies"`
}

// MessageFigures count the messages of a file.
type MessageFigures struct {
	New   int `json:"new"`
	Total int `json:"total"`
}

// entry is a receipt as it is kept: with what the upload was, and where it lies.
type entry struct {
	Receipt
	Was  Outcome `json:"was,omitempty"`
	Path string  `json:"path,omitempty"`
}

// Receipts are those of the newest uploads. They are kept in a file, so that they can
// be asked for after a restart. They are no promise: that is what was uploaded itself.
type Receipts struct {
	mu    sync.Mutex // guards what follows
	path  string
	most  int
	f     *os.File
	lines int // in the file
	byID  map[string]*entry
	order []string
}

// mostReceipts are kept; a line of the file has about 400 bytes.
const mostReceipts = 10_000

// receiptsFile lies in the inbox.
const receiptsFile = ".receipts.jsonl"

// Receipts opens the receipts of an inbox.
func (b *Box) Receipts() (*Receipts, error) {
	r := &Receipts{path: filepath.Join(b.dir, receiptsFile), most: mostReceipts, byID: map[string]*entry{}}
	text, err := os.ReadFile(r.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e entry
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.ID != "" { // the last line may be cut off
			r.keep(e)
		}
	}
	return r, r.rewrite()
}

// Close ends the writing.
func (r *Receipts) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.f.Close()
}

// Add keeps the receipt of an upload that lies where p says.
func (r *Receipts) Add(c Receipt, p *Put) error { return r.put(entry{c, p.Outcome, p.Path}) }

// Done keeps what the import of an upload came to.
func (r *Receipts) Done(c Receipt) error { return r.put(entry{Receipt: c}) }

// Find returns a receipt by its id.
func (r *Receipts) Find(id string) (Receipt, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.byID[id]
	if !ok {
		return Receipt{}, false
	}
	return e.Receipt, true
}

// Open returns the receipts of uploads that are not imported yet, by the paths of their
// files, with what the uploads were.
func (r *Receipts) Open() map[string][]Pending {
	r.mu.Lock()
	defer r.mu.Unlock()
	open := map[string][]Pending{}
	for _, id := range r.order {
		if e := r.byID[id]; e.Outcome == Stored {
			open[e.Path] = append(open[e.Path], Pending{e.Receipt, e.Was})
		}
	}
	return open
}

// Pending is an upload that is not imported yet.
type Pending struct {
	Receipt
	Was Outcome // its outcome then
}

func (r *Receipts) put(e entry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keep(e)
	if r.lines > 3*r.most {
		return r.rewrite()
	}
	return r.write(r.f, &e)
}

func (r *Receipts) keep(e entry) {
	if was := r.byID[e.ID]; was == nil {
		r.order = append(r.order, e.ID)
	} else if e.Path == "" {
		e.Path, e.Was = was.Path, was.Was
	}
	r.byID[e.ID] = &e
	if n := len(r.order) - r.most; n > 0 {
		for _, id := range r.order[:n] {
			delete(r.byID, id)
		}
		r.order = r.order[n:]
	}
}

func (r *Receipts) write(f *os.File, e *entry) error {
	line, err := json.Marshal(e)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	r.lines++
	return err
}

// rewrite writes the file with nothing in it but what is kept.
func (r *Receipts) rewrite() error {
	f, err := os.OpenFile(r.path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	r.lines = 0
	w := bufio.NewWriter(f)
	for _, id := range r.order {
		line, err := json.Marshal(r.byID[id])
		if err != nil {
			f.Close()
			return err
		}
		w.Write(append(line, '\n'))
		r.lines++
	}
	if err = errors.Join(w.Flush(), os.Rename(r.path+".new", r.path)); err != nil {
		f.Close()
		return err
	}
	if r.f != nil {
		r.f.Close()
	}
	r.f = f
	return nil
}
