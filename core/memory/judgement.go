package memory

import (
	"slices"
	"time"

	"winnow/core/chat"
)

// Judgement is what a curator decides on memories, or changes of them: all of it or
// nothing, as one entry of the journal.
type Judgement struct {
	Curator string
	IDs     []string // full
	Status  Status   // "" leaves it as it is
	// Best is the id of one of the memories that is approved while the others get the
	// status: all of it, or nothing if it has flags that nobody approved. "" is none.
	Best string
	// Bulk says that the memories were not chosen one by one: those with flags are
	// not approved. Several at once are bulk in any case.
	Bulk            bool
	Note            *string  // nil leaves it as it is
	TagsOn, TagsOff []string // a tag in both is one that they get
	Words           *Words   // of one memory; nil leaves them as they are
	// Seen are memories that the curator looked at, by id. One that is not in it is
	// judged whatever it says.
	Seen map[string]Memory
}

// StatusOf is what one of the memories becomes, "" what it is.
func (j *Judgement) StatusOf(id string) Status {
	if id == j.Best && id != "" {
		return Approved
	}
	return j.Status
}

// Words are what a curator writes of a memory.
type Words struct {
	Kind       Kind
	Title      string
	Content    string
	Context    string
	Resolution string
	Flags      []Flag // of the new words
}

// Says reports whether two memories are called the same and say the same.
func (m *Memory) Says(o *Memory) bool {
	return m.Kind == o.Kind && m.Title == o.Title && m.Content == o.Content && m.Context == o.Context && m.Resolution == o.Resolution
}

// Shows reports whether who saw one memory saw the other: the words, the status, the
// flags, and every quote.
func (m *Memory) Shows(o *Memory) bool {
	return m.Says(o) && m.Status == o.Status && slices.Equal(m.Flags, o.Flags) && slices.EqualFunc(m.Sources, o.Sources, func(a, b Source) bool {
		return a.Detail == b.Detail && slices.Equal(a.Cites, b.Cites)
	})
}

// Standing says, of a memory whose words are wanted for another one, what became of it
// and what to do.
func (m *Memory) Standing() string {
	switch {
	case m.Status == Rejected:
		return "is rejected: approve that one, or archive it to make room"
	case m.Status == Archived:
		return "is archived (" + m.Reason + "): approve that one"
	case m.Stale:
		return "is stale (" + m.Reason + "): approve that one again"
	}
	return "is " + string(m.Status) + ": reject, archive or edit one of them"
}

// AsReviewed is a memory without the quotes that came after it was reviewed: nobody
// said yes to them.
func (m *Memory) AsReviewed() Memory {
	seen := *m
	seen.Sources = slices.Clone(m.Sources)
	for i := range seen.Sources {
		if o := &seen.Sources[i]; o.Added.After(m.Reviewed) {
			o.Cites = nil
		}
	}
	return seen
}

// Change is what an entry of the journal did to a memory; nil: it was not there.
type Change struct {
	ID            string
	Before, After *Memory
}

// Any returns the side of a change that is there, what it became first.
func (c *Change) Any() *Memory {
	if c.After != nil {
		return c.After
	}
	return c.Before
}

// Made counts what a judgement made of memories: those that have its status now, and
// those that one of them takes the place of.
func (j *Judgement) Made(changes []Change) (done, replaced int) {
	for i := range changes {
		switch a := changes[i].After; {
		case a == nil:
		case (j.Status == Approved || j.Best != "") && a.Status == Archived:
			replaced++
		case j.Status == "" || a.Status == j.StatusOf(a.ID):
			done++
		}
	}
	return done, replaced
}

// Extraction is what was found in a segment, to be kept.
type Extraction struct {
	Segment   string // id
	Content   chat.Digest
	Extractor string // Extractor.Name
	Sifted    Sifted
	// Loose says that the segment need not be approved for its memories to stand.
	Loose               bool
	Token               string // of the lease "extract"; "" without one
	TokensIn, TokensOut int
	Upto                int // as Answer has it: the content is not done; 0: it is
	// Made and Found are how many memories are new, and how many known ones have another
	// source now: set by whoever keeps them.
	Made, Found int
}

// Part is what is known of a content about which not all was asked.
type Part struct {
	Upto int // messages that were asked about, 0 none
	Kept int // memories
}

// Order is an order of memories, the first ones first.
type Order string

// The orders.
const (
	Newest Order = "new"
	Best   Order = "grade"
)

// Query asks for a page of memories.
type Query struct {
	Filter Filter
	Order  Order  // "" is Newest
	After  Cursor // the page after this place; the zero value is the first one
	Limit  int    // at least 1
}

// Cursor is a place in a list of memories, in any order. It stays where it is when its
// memory leaves.
type Cursor struct {
	ID      string // "" is the beginning
	Created time.Time
	Grade   float64
}

// CursorOf is the place of a memory.
func CursorOf(m *Memory) Cursor { return Cursor{m.ID, m.Created, m.Grade} }

// Page is a run of memories.
type Page struct {
	Memories []Memory
	More     bool
}

// Count is how many memories there are of a status and kind; Stale ones are
// approved.
type Count struct {
	Status Status `json:"status"`
	Kind   Kind   `json:"kind"`
	Stale  bool   `json:"stale"`
	N      int    `json:"n"`
}
