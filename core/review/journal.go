package review

import (
	"time"

	"winnow/core/chat"
	"winnow/core/memory"
	"winnow/core/train"
)

// Action names what a journal entry did.
type Action string

// The actions. Undo and Redo point at the entry they took back or gave again.
const (
	ActJudge Action = "verdict"
	ActNote  Action = "note"
	ActTag   Action = "tag"
	ActMask  Action = "mask"
	ActUndo  Action = "undo"
	ActRedo  Action = "redo"
	// ActRetire is an import's: a segment left that somebody had judged. Its
	// changes keep the verdict in Before; After is empty.
	ActRetire Action = "retire"
	// ActAside says that undoing or redoing the target was refused: the next
	// undo or redo passes it by. It changes nothing.
	ActAside Action = "aside"
	// What curators do to boundaries and topics. ActCut is several of them,
	// kept at once. Their entries have a Recut.
	ActSplit Action = "split"
	ActMerge Action = "merge"
	ActMove  Action = "move"
	ActTopic Action = "topic"
	ActCut   Action = "cut"
	// ActEdit is what a curator changed of messages. Its entries have Edits, and
	// Changes of all segments that hold one.
	ActEdit Action = "edit"
	// ActUnedit is an import's: edits left with the messages that they were made
	// on. Edits keep them.
	ActUnedit Action = "unedit"
	// ActCompress is what a curator decided on compressions, or changed of one. Its
	// entries have Proposals and no Changes.
	ActCompress Action = "compress"
	// ActMemory is what a curator decided on memories, or changed of them. Its entries
	// have Memories and no Changes.
	ActMemory Action = "memory"
	// ActPromote is that a curator said which run's result is the one to use. Its entries
	// have Promotions and no Changes.
	ActPromote Action = "promote"
)

// Judgement is what a curator decides on some segments.
type Judgement struct {
	Curator string
	IDs     []string // full ids
	Verdict Verdict  // "" leaves it as it is
	// Verdicts are those of single segments, by id, in the place of Verdict.
	Verdicts map[string]Verdict
	Note     *string // nil leaves it as it is
	// TagsOn and TagsOff are tags that the segments get, and lose. A tag in both
	// is one they get.
	TagsOn, TagsOff []string
	// MaskOff and MaskOn are assistant messages, by their place in the segment
	// from 1, that are not to be trained any more, and to be trained again. They
	// are for one segment.
	MaskOff, MaskOn []int
	// Seen is the content that the curator looked at, by id. An id that is
	// not in it is judged whatever it holds.
	Seen map[string]chat.Digest
	// Shown is the segment as the curator looked at it, of a judgement of one
	// that was pending; nil if that is not known. hub.JudgeShown puts it back if it
	// was cut anew meanwhile.
	Shown *Segment
}

// VerdictOf returns the verdict that a segment gets, "" for none.
func (j *Judgement) VerdictOf(id string) Verdict {
	if v, ok := j.Verdicts[id]; ok {
		return v
	}
	return j.Verdict
}

// Judges reports whether the judgement gives any verdict.
func (j *Judgement) Judges() bool { return j.Verdict != "" || len(j.Verdicts) > 0 }

// Marks reports whether the judgement changes training marks.
func (j *Judgement) Marks() bool { return len(j.MaskOff)+len(j.MaskOn) > 0 }

// Retags reports whether the judgement changes tags.
func (j *Judgement) Retags() bool { return len(j.TagsOn)+len(j.TagsOff) > 0 }

// Mark is the part of a segment that curators change.
type Mark struct {
	Verdict    Verdict   `json:"verdict"`
	Note       string    `json:"note,omitzero"`
	Tags       string    `json:"tags,omitzero"`   // TagText of Segment.Tags
	Masked     string    `json:"masked,omitzero"` // MaskText of Segment.Masked
	Reviewer   string    `json:"reviewer,omitzero"`
	ReviewedAt time.Time `json:"reviewed_at,omitzero"`
	Stale      bool      `json:"stale,omitzero"`
	Was        Verdict   `json:"was,omitzero"`
	WasBy      string    `json:"was_by,omitzero"`
	WasAt      time.Time `json:"was_at,omitzero"`
	WasBody    int64     `json:"was_body,omitzero"`
	WasStart   int       `json:"was_start,omitzero"`
	WasEnd     int       `json:"was_end,omitzero"`
}

// Change is what an entry did to one segment.
type Change struct {
	Segment string `json:"segment"` // id
	Before  Mark   `json:"before"`
	After   Mark   `json:"after"`
	// Content is what the segment held; zero if that is not known.
	Content chat.Digest `json:"-"`
	// Body, Start and End tell where the messages of a judged segment that
	// left (ActRetire) are kept; else 0.
	Body  int64 `json:"body,omitzero"`
	Start int   `json:"start,omitzero"`
	End   int   `json:"end,omitzero"`
}

// Entry is one line of the journal. Entries are never changed or removed.
type Entry struct {
	ID      int64     `json:"id"`
	At      time.Time `json:"at"`
	Curator string    `json:"curator"`
	Action  Action    `json:"action"`
	Target  int64     `json:"target,omitzero"` // the entry that was undone, redone or set aside, else 0
	Undone  bool      `json:"undone,omitzero"` // taken back by a later entry
	Note    string    `json:"note,omitzero"`   // of an edit, what it is for in the curator's words
	// Changes are what happened to the marks of segments. Those of a Recut
	// have a zero Before for a segment that is new, a zero After for one that
	// left.
	Changes []Change `json:"changes"`
	Recut   *Recut   `json:"-"` // nil: no boundary or topic changed
	// Edits are what happened to messages; an undo has what it took back, the
	// other way round. A page of the journal has as many as of Changes.
	Edits []Edited `json:"-"`
	// Proposals are what happened to compressions; an undo has its own.
	Proposals []ProposalChange `json:"-"`
	// Memories are what happened to memories; an undo has its own.
	Memories []memory.Change `json:"-"`
	// Promotions are what happened to runs; an undo has its own.
	Promotions []train.Promotion `json:"-"`
}

// Recut is a run of segments of one session that took the place of another:
// both cover the same messages.
type Recut struct {
	Session string // id
	File    string // session_file
	Before  []Segment
	After   []Segment
}

// JournalQuery asks for a page of the journal, the newest entry first.
type JournalQuery struct {
	Curator string // "" is anybody
	Segment string // full id; "" is any
	After   int64  // the page after this entry: older ones; 0: the newest
	Back    bool   // the page before After instead, in the same order; with 0 the oldest
	Limit   int    // entries wanted, at least 1
}

// Logged is an entry as a list shows it.
type Logged struct {
	Entry     // with the first LoggedChanges of its changes only
	Count int // of all its changes, or of all its proposals, memories or promotions
}

// LoggedChanges is how many changes of an entry a page has: those of a bulk
// verdict on ten thousand segments are read page by page.
const LoggedChanges = 3

// JournalPage is a run of entries.
type JournalPage struct {
	Entries []Logged
	// Topics names segments of the entries that are there now: by topic, else
	// by file.
	Topics map[string]string
	More   bool // entries follow in the direction asked for
}

// ChangeQuery asks for a page of the changes of an entry, in their order.
type ChangeQuery struct {
	Entry int64
	After int  // the page after the change of this number, from 1; 0: the first
	Back  bool // the page before it instead; with 0 the last
	Limit int  // at least 1
}

// NumberedChange is a change with its number in its entry, from 1.
type NumberedChange struct {
	N int
	Change
	Proposal *ProposalChange // of an ActCompress, or what took it back; its Change names the segment alone
	Memory   *memory.Change  // of an ActMemory, or what took it back; its Change is empty
	// Promotion is of an ActPromote, or what took it back; its Change is empty.
	Promotion *train.Promotion
	Topic     string // of the segment as it is now, else its file; "" if it is gone
}

// ChangePage is a run of changes.
type ChangePage struct {
	Changes []NumberedChange
	More    bool
}
