package facets

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"winnow/core/filter"
)

// Feed is what facets are read from. All of it may be called at any time, by
// several at once.
type Feed interface {
	// Kept returns the numbers of the first change that is kept and of the last
	// one, which is always kept.
	Kept(ctx context.Context) (first, last int64, err error)
	// Changes reads what changed after a number, as of one moment.
	Changes(ctx context.Context, since int64) (*Changes, error)
	// Len returns about how many rows there are.
	Len(ctx context.Context) (int, error)
	// Sessions, Rows and Clusters call put for each session, each segment
	// without its cluster, and each segment that is in a cluster. What they pass
	// may be used again after put returns.
	Sessions(ctx context.Context, put func(*Session)) error
	Rows(ctx context.Context, put func(*Row)) error
	Clusters(ctx context.Context, put func(row, cluster int64)) error
	// Search calls found with the rows in which a text is found, some at a time,
	// and stops at its first error.
	Search(ctx context.Context, text filter.Text, found func(rows []int64) error) error
	// Together returns some rows that hold all words, where they stand close to
	// each other.
	Together(ctx context.Context, words []string) (rows []int64, err error)
	// Topic returns the topic of a row as it is written, "" if the row left.
	Topic(ctx context.Context, row int64) (string, error)
}

// Changes are what happened to segments and sessions after a moment, as it is
// afterwards.
type Changes struct {
	To       int64 // the number of the last one
	More     bool  // others follow it
	Lost     bool  // some are not kept any more: everything must be read
	Rows     []Row
	Gone     []int64 // rows that are not there any more
	Sessions []Session
	Left     []int64 // sessions that are not there any more
	Text     bool    // the text index changed
}

// Row is a segment as facets keep it. Times are microseconds since 1970, Never if
// unknown.
type Row struct {
	Rowid                       int64
	ID                          ID
	Body                        int64 // by which it names its session
	Start                       int32
	Recorded, Created, Reviewed int64
	Score                       float64 // NaN: none
	Likely                      float64 // 0: none
	Seen                        int32   // of its messages
	Marks                       Marks
	Turns, Messages             int32
	ToolCalls, ToolFails        int32
	Errors, Exits               int32
	Tokens                      int64
	Metrics                     []uint16 // in the order of metric.Names
	Agent, Verdict, Type, Cut   string
	Reviewer, Note              string
	Flags, Tools, Tags          string // lists of filter.ListItem, each after and before a line feed; "" is empty
	Topic                       string
	Cluster                     int64 // 0: none
}

// Never is a time that is unknown; before all others, as NULL is.
const Never = math.MinInt64

// Marks are what is true of a segment or not.
type Marks uint16

// The marks of a segment: it got other messages after its verdict, it has
// reasoning, it has media, a curator edited it; messages of it were put right, had
// something taken out, were put in fewer words; an edit of it waits; what became of
// its compression.
const (
	MarkStale Marks = 1 << iota
	MarkThink
	MarkImage
	MarkEdit
	MarkFix
	MarkRedact
	MarkSquash
	MarkClash
	MarkProposed
	MarkAccepted
	MarkRejected
	MarkFailed
	MarkOutdated
	// MarkCompression is set where any of those before is.
	MarkCompression = MarkProposed | MarkAccepted | MarkRejected | MarkFailed | MarkOutdated
)

// Session is a session as facets keep it.
type Session struct {
	Rowid, Body   int64
	ID            string
	File          string
	Place         string // in natural order
	Format, Model string
	Created       int64 // microseconds since 1970
	Copied        bool  // it has copies elsewhere
}

// ID is the id of a segment: its bytes are in the order of its text.
type ID [16]byte

// ErrID says that a text is no id as this program makes them.
var ErrID = errors.New("no id as this program makes them")

// ParseID reads an id as the database has it. Another form would be sorted
// elsewhere, so it is refused (ErrID).
func ParseID(text string) (id ID, err error) {
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		var digits [32]byte
		at := 0
		for _, from := range [5][2]int{{0, 8}, {9, 13}, {14, 18}, {19, 23}, {24, 36}} {
			at += copy(digits[at:], text[from[0]:from[1]])
		}
		if _, err := hex.Decode(id[:], digits[:]); err == nil && !bytes.ContainsAny(digits[:], "ABCDEF") {
			return id, nil
		}
	}
	return id, fmt.Errorf("%q is %w", text, ErrID)
}

// String returns the id as the database has it.
func (id ID) String() string {
	var b [36]byte
	hex.Encode(b[:8], id[:4])
	hex.Encode(b[9:13], id[4:6])
	hex.Encode(b[14:18], id[6:8])
	hex.Encode(b[19:23], id[8:10])
	hex.Encode(b[24:], id[10:])
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	return string(b[:])
}

func (id ID) compare(o ID) int { return bytes.Compare(id[:], o[:]) }
