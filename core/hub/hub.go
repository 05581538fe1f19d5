// Package hub imports files into the store and follows them while they change:
// files are found, compared with what is known of them, read in parallel and stored
// by one writer; what several files hold is kept once.
//
// It knows the store as ImportStore, and imports of core what reads sessions and what
// keeps their segments. What is done with the sessions then is in core/runs; only the
// tests here import that, which do both over one store in memory.
package hub

import (
	"context"
	"time"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
)

// Source is what is known of a file that was imported.
type Source struct {
	ID      int64 // 0: not stored yet
	AgentID string
	Path    string // absolute
	Format  string // "" if nothing was recognized
	Size    int64  // bytes on disk at the last import
	ModTime int64  // nanoseconds since 1970
	// Proof tells whether the part that was read is still the same.
	Proof Proof
	// State is where to go on.
	State session.State
	// Pending counts the unfinished lines at the end: usually 0 or 1, more if
	// a value spans them.
	Pending int64 // lines
	// Forced is the format that was asked for, "" for detection.
	Forced   string
	Sessions int    // sessions that came from it
	Copies   int    // sessions in it that are kept as others, which the store counts
	Reason   string // why it gave none, "" if it gave some
}

// gave reports whether it gave a session, kept as its own or as another one.
func (s *Source) gave() bool { return s.Sessions+s.Copies > 0 }

// Counts returns the line counts including a pending line.
func (s *Source) Counts() session.Counts {
	c := s.State.Counts
	c.Pending = s.Pending
	return c
}

// Proof is a set of checksums over the part of a source that was read, up to
// State.Offset. A source has grown only if all of them still match.
type Proof struct {
	First string `json:"first"` // a hash of the first line, or its first KiB: finds moved files
	Head  string `json:"head"`  // of the first 64 KiB
	Tail  string `json:"tail"`  // of the 64 KiB before the offset
	Whole string `json:"whole"` // of everything, for small sources, else of samples between
}

// Chunk is a run of messages ready to be stored.
type Chunk struct {
	First, Last int    // message numbers
	Raw         int    // bytes before compression
	Data        []byte // chat.ReadChunk reads it
	Heads       []review.Head
	Starts      []Start // of sub-agents
	Contexts    []review.Context
}

// Start is a message that reports on a session which was started there, and the
// native id of that.
type Start struct {
	N     int
	Child string
}

// SessionWrite brings one session to a new state. All of it happens in one
// transaction with the state of its source.
type SessionWrite struct {
	// Session is identified by AgentID and File. If ID is empty and no such
	// row exists, one is made. All other columns are written as given;
	// Body and CreatedAt are the store's. So are Segmented, Trail.Held and
	// Trail.Settled where no segment is written or leaves.
	Session review.Session
	Trail   review.Trail
	// ParentFile is the session_file of a parent in the same source, "" if
	// Session.Parent is right as it is.
	ParentFile string
	// New says that the session is none of those stored, but may be one that
	// was, if it has an id: one that has its name gets another.
	New bool
	// From is the id of a session whose place and messages this one, which
	// Session.ID names, takes: it leaves. NewBody, KeepTo and Chunks are not
	// used then.
	From string
	// NewBody starts a fresh body: the messages of the old one no longer
	// belong to the session.
	NewBody bool
	// KeepTo removes stored messages with larger numbers before the chunks
	// are added; it lies on a chunk border. 0 with an existing body drops all.
	KeepTo   int
	Chunks   []Chunk
	Segments []review.SegmentWrite
	Retire   []string // segment ids that leave
	// Verdicts are those of the stored segments in Segments and Retire, as
	// the writer knows them. If a curator has judged one meanwhile, the
	// write is a review.ErrConflict.
	Verdicts map[string]review.Verdict
}

// ImportWrite is what one transaction adds for one source.
type ImportWrite struct {
	Source Source // with its new state; ID 0 makes a row (by AgentID and Path)
	// Base is the place in the source that this write goes on from. If the
	// stored one is another, somebody else imported it meanwhile: the write
	// is a review.ErrConflict. nil asks for no check.
	Base *Base
	// Fresh drops the source's issues before the new ones are added; so
	// does a re-read of a rewritten file.
	Fresh    bool
	Sessions []SessionWrite
	// Leave are ids of sessions that the source no longer holds. One that a
	// curator left nothing on is removed; others stay without a source, under
	// a name that nothing else has.
	Leave  []string
	Issues []session.Issue
	// Resolved removes the issues of what stands from Base on: the line was
	// completed, or read again.
	Resolved bool
}

// Base is how far a source was stored. The zero Base is no stored source.
type Base struct {
	Stored                  bool
	Offset, Lines, Messages int64
}

// BaseOf returns how far a stored source is.
func BaseOf(s *session.State) Base { return Base{true, s.Offset, s.Lines, s.Messages} }

// ImportStore is what an import needs of the store. What writes sessions returns
// what that did to them, as the transaction itself saw it.
type ImportStore interface {
	// Sources returns every source of an agent by path, without State.Decoder:
	// Source has that.
	Sources(ctx context.Context, agent string) (map[string]*Source, error)
	// LoadSession returns a session by agent and session_file, or
	// review.ErrNotFound.
	LoadSession(ctx context.Context, agent, file string) (*review.StoredSession, error)
	// RecordedMessages returns messages from..to (inclusive) of a body as they
	// were recorded.
	RecordedMessages(ctx context.Context, body int64, from, to int) ([]chat.Message, error)
	// Chunk returns the stored run of messages in which message n of a body
	// lies.
	Chunk(ctx context.Context, body int64, n int) ([]chat.Message, error)
	// SessionByID is LoadSession by the id.
	SessionByID(ctx context.Context, id string) (*review.StoredSession, error)
	// SourceSessions returns what tells the sessions of a source apart, in the
	// order of their session_files.
	SourceSessions(ctx context.Context, source int64) ([]Known, error)
	// CopiedSessions returns the native ids and traces of the sessions that a
	// source holds copies of.
	CopiedSessions(ctx context.Context, source int64) ([]Known, error)
	// Adopt gives the sessions of an agent that come from others their parents
	// and their places in them, as far as those are stored and either was
	// written after import transaction from.
	Adopt(ctx context.Context, agent string, from int64) error
	// Uncompared returns the numbers of the import transaction up to which
	// the sessions of an agent were compared with each other, and of the last
	// one; Compared notes the former.
	Uncompared(ctx context.Context, agent string) (from, to int64, err error)
	Compared(ctx context.Context, agent string, to int64) error
	// Alike returns groups of sessions that may be the same, one of which was
	// written by the import transactions from+1 to to: up to limit of them
	// after the group after (nil begins).
	Alike(ctx context.Context, agent string, by Likeness, from, to int64, after *Group, limit int) ([]Group, error)
	// Twins returns members of a group, the oldest first, up to limit of them.
	Twins(ctx context.Context, agent string, g Group, limit int) ([]Twin, error)
	// WriteCopies removes sessions that are the same as others, and remembers
	// where they were.
	WriteCopies(ctx context.Context, copies []Copy) ([]Change, error)
	// TakePlace lets a session take the place and the messages of another, as
	// w says. What it had before is lost, which is a copy now.
	TakePlace(ctx context.Context, w *SessionWrite, lost Copy) ([]Change, error)
	// Linked returns, by path, how many messages are stored of the sources of
	// an agent that hold copies, or what others are copies of. Of any other
	// all are.
	Linked(ctx context.Context, agent string) (map[string]int, error)
	// Family returns all that is stored of the sessions of a group, and of
	// those that may hold the same messages.
	Family(ctx context.Context, agent string, g *Group) (*Family, error)
	// SourceFamily is Family for the sessions of a source that hold messages
	// of others, or whose messages others hold. It has no members if there
	// are none.
	SourceFamily(ctx context.Context, source int64) (*Family, error)
	// Shares reports whether messages of a source's sessions are kept as
	// others, and whether others are kept as its own.
	Shares(ctx context.Context, source int64) (elsewhere, here bool, err error)
	// Regroup brings the sessions of a family to a new state.
	Regroup(ctx context.Context, g *Regrouping) ([]Change, error)
	// HasCopy reports whether the session with a key in a source is known as
	// a copy of another one.
	HasCopy(ctx context.Context, source int64, key string) (bool, error)
	// WriteSome applies the first n of the writes in one transaction, or none of
	// them: one at least, and as many as keep others from writing only a short
	// time. It fills in the ids of the segments it inserts
	// (writes[i].Sessions[j].Segments[k].ID).
	WriteSome(ctx context.Context, writes []ImportWrite) (n int, done []Change, err error)
	// Source returns a source with all that reading it on needs.
	Source(ctx context.Context, id int64) (Source, error)
	// FindSources returns, by path, the sources of an agent that lie at one of
	// the paths, or have one of the first keys in their proof and are not longer
	// than what stands with it: as Sources does, without State.Decoder.
	FindSources(ctx context.Context, agent string, paths []string, firsts map[string]int64) (map[string]*Source, error)
	// Unread returns the paths of an agent's sources that are to be read again,
	// though their files may be as they were: their ModTime is 0, because an
	// import was interrupted or what they are copies of has changed.
	Unread(ctx context.Context, agent string) ([]string, error)
	// MoveSource gives a source, and its sessions, a new path.
	MoveSource(ctx context.Context, id int64, path string) error
	// SwapSources gives two sources of one agent, and their sessions, each
	// other's path.
	SwapSources(ctx context.Context, a, b int64) error
	// Judged counts the segments with a verdict in a source's sessions.
	Judged(ctx context.Context, source int64) (int, error)
}

// Clock tells the time.
type Clock func() time.Time
