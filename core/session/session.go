// Package session reads recorded agent sessions.
//
// A source is read as bytes, line by line, whatever is in it: every line ends
// up read, skipped for a named reason, bad, or pending, and the counts add up.
// What the lines mean is up to a format; formats are rows of one registry and
// are recognized from content, line by line, so that a file may change its
// format on the way. Recognition never looks ahead: reading a file in pieces
// as it grows gives what reading it at once gives.
package session

import (
	"fmt"

	"winnow/core/chat"
)

// Severity says what became of a line.
type Severity string

// The severities. A line that was read has no issue, or one with Note.
const (
	Bad     Severity = "bad"     // could not be read
	Skipped Severity = "skipped" // carries nothing to keep, or is blank
	Pending Severity = "pending" // the unfinished last line of a file that may still grow
	Note    Severity = "note"    // read with a repair
)

// Issue is one entry of the import ledger.
type Issue struct {
	Line     int64    `json:"line"`   // from 1; 0 for the source as a whole
	Offset   int64    `json:"offset"` // of the line's first byte in the (decompressed) source
	Length   int64    `json:"length"` // bytes of the line without its end
	Severity Severity `json:"severity"`
	// Reason is a short phrase, the same for all lines of its kind; what
	// differs from line to line (a column) comes after ": ".
	Reason string `json:"reason"`
}

// LineError is a failure at a place of a source.
type LineError struct {
	Path   string
	Line   int64 // from 1
	Offset int64 // of the line's first byte
	Err    error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// Counts says what became of the lines of a source. Each line counts once.
type Counts struct {
	Read    int64 `json:"read"`
	Skipped int64 `json:"skipped"`
	Bad     int64 `json:"bad"`
	Pending int64 `json:"pending"`
}

// Lines is the number of lines counted.
func (c Counts) Lines() int64 { return c.Read + c.Skipped + c.Bad + c.Pending }

// Plus returns the sum of both.
func (c Counts) Plus(o Counts) Counts {
	return Counts{c.Read + o.Read, c.Skipped + o.Skipped, c.Bad + o.Bad, c.Pending + o.Pending}
}

// Meta is what a source tells about a session besides its messages. Empty
// fields are unknown.
type Meta struct {
	Format    string // registry name
	NativeID  string // the recorder's own session id
	Title     string
	Model     string
	Completed *bool
	Started   string // as recorded; chat.ParseTime reads it
	Ended     string
	Dir       string // working folder
	Tools     string // JSON list of the tools offered, as recorded
	Extra     string // JSON object of the remaining metadata, as recorded
	Origin    Origin // where it comes from, if from another session
	// Usage is what the model used since the last time it was told.
	Usage Usage
	// Whole says that all of the session is in the value that is being read:
	// with the next LineDone it is complete. It comes before its messages.
	Whole bool
}

// Kind says how a session belongs to another.
type Kind string

// The kinds. The zero Kind is a session that stands for itself.
const (
	Branch       Kind = "branch"       // a path of its parent that was given up
	Subagent     Kind = "subagent"     // a call of its parent started it
	Continuation Kind = "continuation" // goes on where its parent ended
)

// Origin names the session that another one comes from.
type Origin struct {
	Kind Kind
	// Key is the parent's in the same source, NativeID the recorder's id of
	// a parent that is elsewhere: then Key is "".
	Key      string
	NativeID string
	// At is the number of the parent's message after which the session
	// belongs; 0 unknown.
	At int
	// Call is the id of the tool call that started it, "" unknown.
	Call string
}

// Usage counts tokens as the recorder did.
type Usage struct {
	Input  int64 `json:"input,omitzero"` // all that the model read, cached or not
	Output int64 `json:"output,omitzero"`
	Cached int64 `json:"cached,omitzero"` // of Input, read from a cache
}

// Plus returns the sum of both.
func (u Usage) Plus(o Usage) Usage {
	return Usage{u.Input + o.Input, u.Output + o.Output, u.Cached + o.Cached}
}

// Minus returns the difference of both.
func (u Usage) Minus(o Usage) Usage {
	return Usage{u.Input - o.Input, u.Output - o.Output, u.Cached - o.Cached}
}

// Sink takes what a source holds. An error from it stops the reading.
//
// A session is named by its key: "" for the first top-level session of a
// source, else the part after '#' of its session_file (DESIGN: "L42" a line,
// "[42]" an array element, "s=…" a native id, "b=…" a branch).
type Sink interface {
	// Meta adds to what is known of a session; non-empty fields win over
	// earlier ones.
	Meta(key string, m Meta) error
	// Message appends a message to a session. The sink numbers it (N); it
	// may keep the strings but not the pointer.
	Message(key string, m *chat.Message) error
	// Amend replaces the message of a session that stands so many places
	// before its last one (mostly 0): later lines belonged to it. It comes
	// once for a run of such lines, before the next message, a state or the
	// end of the source. What stands after it are tool messages.
	Amend(key string, back int, m *chat.Message) error
	// Move takes the messages after number after out of a session and
	// appends them, in their order, to another, which may be new: an entry
	// followed an earlier one, so that what stood after that became a
	// branch. A session that is left without a message is gone.
	Move(from string, after int, to string) error
	// Issue adds to the ledger. What was told of the text from State.Offset on,
	// of a line that was not finished or blank so far, holds until reading goes
	// on from there: then it is told anew.
	Issue(Issue) error
	// LineDone is called after each line (or run of lines that form one
	// value) with the state from which reading could go on. It is the
	// moment at which everything so far may be committed. The state is
	// valid during the call; State.Keep returns one that can be kept. While
	// lines add to one message it comes less
	// often: after 64 KiB, or after as much as the message holds if that is
	// more (4 MiB at most).
	LineDone(*State) error
}

// State is a place in a source from which reading can go on, and all that a
// reader must remember to do so. The zero State is the beginning. It is kept
// as JSON.
type State struct {
	Offset int64  `json:"offset"` // bytes of the (decompressed) source that are done
	Lines  int64  `json:"lines"`  // lines begun before Offset
	Counts Counts `json:"counts"` // of those lines; never pending ones
	// OpenLine says that the last line was complete, or blank, without a line
	// end: a line end that follows belongs to it and is no line of its own.
	OpenLine bool `json:"open_line,omitzero"`
	// Format is the registry name last in force, "" before the first
	// recognized line.
	Format string `json:"format,omitzero"`
	// InArray counts the elements already read of the top-level JSON array
	// that Offset is inside of, plus one; 0 outside of an array.
	InArray int64 `json:"in_array,omitzero"`
	// Messages counts the messages that came out of the source so far.
	Messages int64 `json:"messages,omitzero"`
	// Line is the line that Offset is inside of; zero between lines. With
	// OpenLine it is already part of Counts.
	Line LineState `json:"line,omitzero"`
	// Arrays counts the top-level arrays that were begun.
	Arrays int64 `json:"arrays,omitzero"`
	// MaxValue is the smallest limit for which a value was left out, 0 if none
	// was: with a higher one the source has more to give.
	MaxValue int64 `json:"max_value,omitzero"`
	// Decoder is what the formats remember, packed by this package. A state
	// that is given to a sink has it only once it is kept.
	Decoder []byte `json:"decoder,omitzero"`

	from *reader // that gave it to a sink
}

// OpenBlank reports whether nothing but blanks stands on the last line, which
// has no line end. They are counted as a line, and read again.
func (s *State) OpenBlank() bool { return s.OpenLine && s.Line.Start == s.Offset }

// Keep returns the state as it can be stored. It costs a copy of all that the
// formats remember.
func (s *State) Keep() State {
	kept := *s
	kept.from = nil
	if s.from != nil {
		kept.Decoder = s.from.mem.pack()
		s.from.kept = kept
	}
	return kept
}

// Entries are those that are remembered of a source: the newest of long ones.
type Entries struct{ tree tree }

// Entries returns those that a state holds.
func (s *State) Entries() *Entries {
	mem := unpack(s.Decoder)
	return &Entries{mem.tree}
}

// Find tells in which session an entry stands, and after which number of
// messages, of which it is the last unless it gave none. What came before all
// messages may follow an entry that is not in the source.
func (e *Entries) Find(id string) (key string, n int, follows string, ok bool) {
	at := e.tree.find(id)
	if at == nil {
		return "", 0, "", false
	}
	if at.last == 0 && at.id != id {
		follows = at.id
	}
	return at.key, at.last, follows, true
}

// LineState is what is known of a line that was read in part: one whose end
// has not arrived, or one that holds several elements of an array.
type LineState struct {
	Start  int64    `json:"start"`           // offset of its first byte
	As     Severity `json:"as,omitzero"`     // what it counts as so far: "read", Skipped, Bad, or "" for nothing yet
	Values int64    `json:"values,omitzero"` // values on it outside of an array
	Last   string   `json:"last,omitzero"`   // the last reason sent for it
	Frame  bool     `json:"frame,omitzero"`  // it holds brackets of an array
	Begun  bool     `json:"begun,omitzero"`  // always true for a line that was read in part
}
