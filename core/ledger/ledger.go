// Package ledger is what is known of imported files as people look it up:
// what became of their lines, and why.
//
// Sources and issues may be many, so both come in pages that are found by key:
// a page names the row it follows or precedes, never a number of rows.
package ledger

import "winnow/core/session"

// Source is a file that was imported.
type Source struct {
	ID       int64
	AgentID  string
	Path     string // absolute
	Format   string // registry name, "" if nothing was recognized
	Size     int64  // bytes on disk at the last import
	Lines    session.Counts
	Sessions int
	Copies   int    // sessions in it that others hold all of
	Joined   int    // sessions in it that are parts of others, which do not hold all of them
	Reason   string // why it gave no session, "" if it gave some
}

// Trouble reports whether a curator should look at a source: it gave no
// session, no copy and no part of one, or some of its lines are bad.
func (s *Source) Trouble() bool { return s.Sessions+s.Copies+s.Joined == 0 || s.Lines.Bad > 0 }

// Key is a place in the list of sources, which is sorted by path and then by
// id. The zero Key is either end.
type Key struct {
	Path string
	ID   int64
}

// Key returns the source's place in the list.
func (s *Source) Key() Key { return Key{s.Path, s.ID} }

// SourceQuery asks for one page of sources.
type SourceQuery struct {
	After Key  // the page starts after it; the zero Key begins at the end it starts from
	Back  bool // the page ends before After instead, or at the end of the list
	Limit int  // rows, at least 1
	// Trouble leaves out sources that nobody needs to look at.
	Trouble bool
}

// Totals counts all sources.
type Totals struct {
	Sources int
	Trouble int // of them, see Source.Trouble
}

// SourcePage is a page of the list of sources, in the order of the list
// whatever way it was read.
type SourcePage struct {
	Sources []Source
	More    bool // rows follow in the direction of reading
}

// Issue is an entry of the ledger: a line that was not simply read.
type Issue struct {
	ID int64 // ascends in the order in which the entries were made
	session.Issue
}

// IssueQuery asks for one page of a source's issues in the order in which they
// were made, which is that of their lines.
type IssueQuery struct {
	Source int64
	After  int64 // id the page starts behind, 0 for the end it starts from
	Back   bool  // the page ends before After instead
	Limit  int   // rows, at least 1
	// Only leaves out the lines of other reasons, nil: none.
	Only *Reason
	// Bad leaves out all but bad lines.
	Bad bool
}

// IssuePage is a page of a source's issues, in their order whatever way it was
// read.
type IssuePage struct {
	Issues []Issue
	More   bool // rows follow in the direction of reading
}

// Reason is why lines of a source were not simply read.
type Reason struct {
	Severity session.Severity
	Text     string
}

// ReasonCount is how many lines of a source share a reason.
type ReasonCount struct {
	Reason
	Lines int
}

// Standing says how a file relates to what was imported of it.
type Standing int

// The standings of a file.
const (
	// Same: the file begins with what was imported.
	Same Standing = iota
	// Touched: the place that is asked for lies after what was read, and
	// the file was written to since.
	Touched
	// Rewritten: the file holds something else now.
	Rewritten
	// Gone: there is no such file.
	Gone
)

// Excerpt is what a file holds at the place of an issue. The bytes are as
// recorded: they must be cleaned before they are shown.
type Excerpt struct {
	Standing Standing
	// Before is what stands in front of the line, and Cut says that more
	// stands in front of that.
	Before []byte
	Cut    bool
	// Head is the beginning of the line, without its end. If Missing is not
	// 0, that many bytes follow which are left out, and then Tail.
	Head, Tail []byte
	Missing    int64
	// After begins with the end of the line; More says that more follows.
	After []byte
	More  bool
}

// Message names a stored message.
type Message struct {
	Session string // its id
	Body    int64
	N       int // number in the session, from 1
}

// Recorded is what is recorded of a message.
type Recorded struct {
	// Text is JSON, or what stands in its place in the source.
	Text []byte
	// Place is where it stands: a path and a line; Part is which part of that
	// is shown, as in "messages[3]", "" for all.
	Place, Part string
	// Stored says why Text is the message as it is stored, "" if it is what
	// the source holds.
	Stored string
}
