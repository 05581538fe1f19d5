package review

import "time"

// Action names what a journal entry did.
type Action string

// The actions. Undo and Redo point at the entry they took back or gave again.
const (
	ActJudge Action = "verdict"
	ActNote  Action = "note"
	ActUndo  Action = "undo"
	ActRedo  Action = "redo"
	// ActRetire is an import's: a segment left that somebody had judged. Its
	// changes keep the verdict in Before; After is empty.
	ActRetire Action = "retire"
)

// Judgement is what a curator decides on some segments.
type Judgement struct {
	Curator string
	IDs     []string // full ids
	Verdict Verdict  // "" leaves it as it is
	Note    *string  // nil leaves it as it is
}

// Mark is the part of a segment that curators change.
type Mark struct {
	Verdict    Verdict   `json:"verdict"`
	Note       string    `json:"note,omitzero"`
	Reviewer   string    `json:"reviewer,omitzero"`
	ReviewedAt time.Time `json:"reviewed_at,omitzero"`
	Stale      bool      `json:"stale,omitzero"`
	Was        Verdict   `json:"was,omitzero"`
	WasBy      string    `json:"was_by,omitzero"`
	WasAt      time.Time `json:"was_at,omitzero"`
}

// Change is what an entry did to one segment.
type Change struct {
	Segment string `json:"segment"` // id
	Before  Mark   `json:"before"`
	After   Mark   `json:"after"`
}

// Entry is one line of the journal. Entries are never changed or removed.
type Entry struct {
	ID      int64
	At      time.Time
	Curator string
	Action  Action
	Target  int64 // the entry that was undone or redone, else 0
	Undone  bool  // taken back by a later entry
	Changes []Change
}
