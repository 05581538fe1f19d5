package inbox

import (
	"fmt"
	"time"

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

// The outcomes of an upload besides those of Put.
const (
	Stored  Outcome = "stored"  // it is not imported yet
	Refused Outcome = "refused" // it was not stored
)

// Figures are what the import of a session's file came to.
type Figures struct {
	Lines    session.Counts  `json:"lines"` // of the file as it stands
	Sessions SessionFigures  `json:"sessions"`
	Messages MessageFigures  `json:"messages"`
	Problems []session.Issue `json:"problems"` // the first bad lines; all that are not read while there is no session
	More     int             `json:"more_problems"`
	Note     string          `json:"note,omitempty"` // that it brought less than one may think
}

// Sum says what follows from the rest: More and Note.
func (f *Figures) Sum() {
	problems := f.Lines.Bad
	if f.Messages.Total == 0 {
		problems += f.Lines.Skipped + f.Lines.Pending
	}
	f.More = max(0, int(problems)-len(f.Problems))
	switch {
	case f.Messages.Total == 0:
		f.Note = "no session in it yet"
		if len(f.Problems) > 0 {
			p := &f.Problems[0]
			what := string(p.Severity)
			if p.Severity == session.Pending {
				what = "unfinished"
			}
			f.Note += fmt.Sprintf(": line %d is %s: %s", p.Line, what, p.Reason)
		}
	case f.Sessions.Copies == 1:
		f.Note = "copy of another session"
	case f.Sessions.Copies > 1:
		f.Note = fmt.Sprintf("copies of %d other sessions", f.Sessions.Copies)
	}
}

// Said is what people should know of an upload besides its figures, "" for nothing.
func (r *Receipt) Said() string {
	if r.Error == "" && r.Figures != nil {
		return r.Note
	}
	return r.Error
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

// Arrival is an upload as it is kept: what its client was told, and what came. It is no
// promise: that is what was uploaded itself.
type Arrival struct {
	Receipt
	N      int64 // ascends in the order in which uploads came; 0 for one that is not kept yet
	Seq    int64 // ascends with each change of any of them
	At     time.Time
	Wire   int64   // bytes that were sent
	Bytes  int64   // and what they were after decompression
	Was    Outcome // what it was to what was stored, "" if it was refused
	Status int     // of the answer
	Source int64   // that holds it, 0 until it is imported
	Inbox  string  // the folder that it went to
	Took   time.Duration
}

// Agent is what an agent sent, of the uploads that are kept.
type Agent struct {
	Name             string
	Uploads, Refused int
	Bytes            int64
	Messages         int // that were new
	Last             time.Time
}

// News is what uploads of an agent brought.
type News struct {
	Agent    string
	Messages int
}
