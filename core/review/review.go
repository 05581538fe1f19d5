// Package review holds what a curator works with: sessions, their segments,
// the verdicts on them and the journal of everything that was decided. The
// store keeps these, the screens show them, commands print them.
package review

import (
	"errors"
	"fmt"
	"time"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/core/outcome"
	"winnow/core/session"
	"winnow/core/token"
)

// Verdict is a curator's decision on a segment.
type Verdict string

// The verdicts. Unsure wants a second look.
const (
	Pending  Verdict = "pending"
	Approved Verdict = "approved"
	Rejected Verdict = "rejected"
	Unsure   Verdict = "unsure"
)

// Verdicts lists all verdicts in the order they are shown.
var Verdicts = [...]Verdict{Approved, Rejected, Unsure, Pending}

// Judged reports whether a curator decided anything.
func (v Verdict) Judged() bool { return v == Approved || v == Rejected || v == Unsure }

// CutBy says who made a segment's boundaries.
type CutBy string

// The makers of cuts.
const (
	CutModel       CutBy = "llm"
	CutOffline     CutBy = "offline"
	CutCurator     CutBy = "curator"
	CutSingle      CutBy = "single"      // a session too short to be cut
	CutProvisional CutBy = "provisional" // stands for messages nobody has cut yet
)

// Sentinel errors of everything that keeps sessions and segments.
var (
	ErrNotFound  = errors.New("not found")
	ErrAmbiguous = errors.New("several begin with this id")
	// ErrNothing says that there is nothing to undo or redo.
	ErrNothing = errors.New("nothing to do")
	// ErrConflict says that what was to be judged, undone or redone has
	// changed since it was looked at.
	ErrConflict = errors.New("changed since")
	// ErrGone says that the database was deleted, moved or replaced while it was
	// open: what would be written is lost, so nothing is.
	ErrGone = errors.New("the database file is gone")
	// ErrDamaged says that the database is inconsistent.
	ErrDamaged = errors.New("database is damaged")
)

// Vanished says of something that the database itself named just now, and does not
// find, what that means and what to do. It returns other errors as they are.
func Vanished(err error) error {
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	return fmt.Errorf("%w; if nothing else writes to the database, it is damaged: winnow doctor --repair", err)
}

// Tally counts what a run of messages holds.
type Tally struct {
	Messages   int `json:"messages,omitzero"`
	Turns      int `json:"turns"` // user messages that are no summaries
	ToolCalls  int `json:"tool_calls"`
	ToolFails  int `json:"tool_fails"` // failed tool results
	Tokens     int `json:"tokens"`     // estimated
	Reasonings int `json:"reasonings"` // messages with reasoning
	Media      int `json:"media"`      // messages with an image, audio or file
}

// Add counts one message.
func (t *Tally) Add(m *chat.Message) { *t = t.Plus(TallyOf(m)) }

// TallyOf counts one message.
func TallyOf(m *chat.Message) Tally {
	_, t := Measure(m)
	return t
}

// Measure returns the index entry of a message and what it counts, reading its
// text once.
func Measure(m *chat.Message) (Head, Tally) {
	h := Head{
		N: m.N, Role: m.Role, Marks: m.Marks, Failed: m.Failed(), ContentLen: len(m.Content),
		ReasoningLen: len(m.Reasoning), Calls: len(m.ToolCalls),
		Tool: m.Name, Timestamp: m.Timestamp, SourceLine: m.SourceLine, SourceOffset: m.SourceOffset,
	}
	summary := m.Summary()
	if summary { // as the text may be all that tells
		h.Marks |= chat.MarkCompaction
	}
	if h.Calls > 0 {
		h.Tool = m.ToolCalls[0].Name
	}
	h.Tokens = token.Estimate(m.Content) + token.Estimate(m.Reasoning)
	for i := range m.ToolCalls {
		h.Tokens += token.Estimate(m.ToolCalls[i].Name) + token.Estimate(m.ToolCalls[i].Arguments)
	}
	t := Tally{Messages: 1, ToolCalls: h.Calls, Tokens: h.Tokens}
	if m.Role == chat.User && !summary {
		t.Turns = 1
	}
	if h.Failed {
		t.ToolFails = 1
	}
	if m.Reasoning != "" {
		t.Reasonings = 1
	}
	if m.Marks&(chat.MarkImage|chat.MarkAudio|chat.MarkFile) != 0 {
		t.Media = 1
	}
	return h, t
}

// Plus returns the sum of both.
func (t Tally) Plus(o Tally) Tally {
	return Tally{
		t.Messages + o.Messages, t.Turns + o.Turns, t.ToolCalls + o.ToolCalls, t.ToolFails + o.ToolFails,
		t.Tokens + o.Tokens, t.Reasonings + o.Reasonings, t.Media + o.Media,
	}
}

// Minus returns the difference of both.
func (t Tally) Minus(o Tally) Tally {
	return Tally{
		t.Messages - o.Messages, t.Turns - o.Turns, t.ToolCalls - o.ToolCalls, t.ToolFails - o.ToolFails,
		t.Tokens - o.Tokens, t.Reasonings - o.Reasonings, t.Media - o.Media,
	}
}

// Session is one recorded conversation.
type Session struct {
	ID       string // UUIDv4
	AgentID  string
	File     string // session_file: absolute path, with '#' and a key after it for the others of a file
	Place    string // in natural order (PlaceOf), once it is stored
	SourceID int64
	// Body names the stored messages. A session that was rewritten gets a
	// new body; Body numbers are never used again.
	Body      int64
	Format    string
	NativeID  string
	Title     string
	Model     string
	Completed *bool  // nil: unknown
	Started   string // RFC 3339 UTC, "" unknown
	Ended     string
	Dir       string         // working folder
	Tools     string         // JSON list, "" unknown
	Metadata  string         // JSON object, "" none
	Parent    string         // session id, "" without one that is stored
	Origin    session.Origin // how it belongs to its parent; its Key is not kept
	Usage     session.Usage  // as the recorder counted
	Failed    bool           // not completed, or its last answer is an error
	Begins    int64          // Opening of its Trail, 0 if it is not known
	Segmented bool           // false: to be segmented
	CreatedAt time.Time
	Tally
}

// Segment is a contiguous run of messages of one session.
type Segment struct {
	ID          string // UUIDv4; its first 8 digits are unique too
	SessionID   string
	AgentID     string
	SessionFile string
	Place       string // of the session in natural order (PlaceOf)
	Body        int64  // the stored messages it lies in
	Index       int    // order in the session, from 0
	Start, End  int    // message numbers, from 1, inclusive
	chat.Digest
	// Nth is n for the n-th segment of equal role and content sequence in
	// its session (from 1), which is part of the fingerprint from 2 on.
	Nth     int
	Topic   string
	Named   bool // the topic is a curator's: no machine changes it
	CutBy   CutBy
	Labeled bool
	// Compression is what became of what was proposed in the place of its messages.
	Compression Compression
	Score       *float64 // 0 to 1; nil: not scored
	// TaskType is "" until scored.
	TaskType string
	Analysis string // the whole analysis JSON, "" until scored
	// Likely is how likely a curator would approve it, as was learned from
	// verdicts: 0.01 to 0.99; nil: nothing is known.
	Likely *float64
	// Seen is how many of its messages the curator whom the store answers for has
	// seen on the screen.
	Seen int
	// Recorded is when its first message that has a time was written, zero if
	// none has one or until it is scored.
	Recorded time.Time

	// Errors and Exits count its tool results by their outcome. Until it is
	// scored all that the recorder says failed are errors.
	Errors, Exits int

	Verdict Verdict
	Stale   bool    // its content changed after it was judged
	Was     Verdict // the verdict before it became stale, "" if it is not
	WasBy   string  // who gave it
	WasAt   time.Time
	// WasBody, WasStart and WasEnd are where the messages lie that the old
	// verdict was given on: kept as long as anything refers to them. 0 is
	// unknown.
	WasBody          int64
	WasStart, WasEnd int
	Note             string
	Tags             []string
	// Cluster is the number of the segments that are nearly the same as it is,
	// 0 if that is not known yet or it has no words. It may change at any time.
	Cluster int64
	// Masked lists the assistant messages that are not to be trained, by their
	// place in the segment from 1, ascending.
	Masked     []int
	Reviewer   string
	ReviewedAt time.Time // zero: never
	CreatedAt  time.Time
	UpdatedAt  time.Time
	// Model is the one that its session was recorded with, "" unknown.
	Model string
	Tally
}

// Short returns the first 8 digits of the id, by which people name it.
func (s *Segment) Short() string { return Short(s.ID) }

// Short returns the part of an id that people type: its first 8 digits.
func Short(id string) string { return id[:min(8, len(id))] }

// Head is the index entry of one message: enough for lists, folds and jumps
// without its text.
type Head struct {
	N            int
	Part         int // 0, or that of a message a curator put after message N: see chat.Message
	Role         chat.Role
	Marks        chat.Marks
	Failed       bool            // a failed tool result, as counted in Tally
	Judged       bool            // Found is known; a scoring looks at a tool message of which it is not
	Found        outcome.Finding // what became of the call that a tool message answers
	ContentLen   int             // bytes
	ReasoningLen int             // bytes
	Calls        int             // tool calls
	Tokens       int             // estimated
	Tool         string          // of a tool message its name, of an assistant its first call's
	Timestamp    string
	SourceLine   int64
	SourceOffset int64
}

// Outcome is what became of the call that a tool message answers: Found, or until
// that is known what the recorder says.
func (h *Head) Outcome() outcome.Finding {
	if !h.Judged && h.Failed {
		return outcome.Finding{Outcome: outcome.Error, Evidence: "failed"}
	}
	return h.Found
}

// Judge notes what became of the call that a tool message answers.
func (h *Head) Judge(f outcome.Finding, known bool) {
	if h.Judged = known && h.Role == chat.Tool; h.Judged {
		h.Found = f
	}
}

// HeadOf returns the index entry of a message.
func HeadOf(m *chat.Message) Head {
	h, _ := Measure(m)
	return h
}

// Query asks for a page of segments.
type Query struct {
	// Filter lets segments through, nil: all.
	Filter filter.Node
	Order  Order  // "" is Natural
	Seed   uint64 // of Random
	// Hasty asks for rows that pass a filter with text as they are found,
	// instead of the first ones in Order, for which all of them must be.
	Hasty bool
	After Cursor // the page after this row; zero: the first page
	Back  bool   // the page before After instead, in the same order
	Limit int    // rows wanted, at least 1
	// Threshold is what Uncertain measures from.
	Threshold float64
	// Quotas are those of Balance.
	Quotas Quotas
	// Collapse shows of the segments of a cluster that pass the filter only the
	// first in Order, unless the cluster is Opened: then the others follow it.
	// With AllOpened all are open but those in Opened.
	Collapse  bool
	Opened    []int64
	AllOpened bool
}

// HasVerdict lets segments with any of these verdicts through; without one, all.
func HasVerdict(any ...Verdict) filter.Node {
	words := make([]string, len(any))
	for i, v := range any {
		words[i] = string(v)
	}
	return filter.ByStatus(words...)
}

// Has lets segments through that have:what.
func Has(what string) filter.Node {
	return filter.Term{Field: filter.Has, Op: filter.Is, Value: what}
}

// Page is a run of segments in the order asked for.
type Page struct {
	Segments    []Segment
	First, Last Cursor // of the run; zero if it is empty
	More        bool   // rows follow in the direction asked for
	// Before are the rows of the whole list that precede the run, of Of in all: 0 in
	// all if that is not known.
	Before, Of int
	// Alike are the clusters of Segments of which several pass the filter, by
	// number.
	Alike map[int64]Alike
	// Loose says that clusters were to be collapsed and are not yet: they can
	// be when the store has read what it takes.
	Loose bool
}

// Alike is what passes a filter of one cluster.
type Alike struct {
	Front   string // id of the first in the order
	Size    int    // at least 2
	Pending int    // of them
}

// Best returns the index of the segment with the best score: of several the one
// in front of the others, else the first, as the exporter keeps it.
func Best(list []Segment, front string) int {
	best := 0
	score := func(i int) float64 { return list[i].scored() }
	for i := range list {
		if score(i) > score(best) || score(i) == score(best) && list[i].ID == front {
			best = i
		}
	}
	return best
}
