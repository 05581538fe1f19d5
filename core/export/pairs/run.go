// Package pairs finds preference pairs among runs that begin alike: an answer
// that a curator approved and one that was rejected, both given to the same
// prompt.
//
// A run is followed message by message, and what stands before each message
// becomes a sum: two runs with the same sum say the same up to there. Of all the
// runs together that makes a trie of which only sums are kept, so that runs of
// any length cost 44 bytes for each message that was judged. The package is
// pure: it knows no database, no files and no format.
package pairs

import (
	"crypto/sha256"
	"maps"
	"strconv"

	"winnow/core/chat"
)

// Sum identifies a message together with all that stands before it. The zero Sum
// is nothing at all.
type Sum [16]byte

// Run follows the messages of a session from its beginning. The zero Run stands
// before the first.
type Run struct {
	at    Sum
	asked bool // a user message stands before
	ids   map[string]string
	buf   []byte
}

// At returns the sum of all messages so far.
func (r *Run) At() Sum { return r.at }

// Asked reports whether a user message is among them.
func (r *Run) Asked() bool { return r.asked }

// Fork returns a run that goes on from here by itself, as a branch does.
func (r *Run) Fork() *Run { return &Run{at: r.at, asked: r.asked, ids: maps.Clone(r.ids)} }

// Next adds a message and returns the sum with it. It counts what a record can
// say of a message: role, text, reasoning, names, calls with the exact text of
// their arguments. Ids of calls count by their place, since recorders make them
// up and chat templates print none; neither who wrote a message nor when counts.
func (r *Run) Next(m *chat.Message) Sum {
	said := chat.Message{Role: m.Role, Content: m.Content, Reasoning: m.Reasoning, Name: m.Name}
	for _, call := range m.ToolCalls {
		call.ID = r.place(call.ID)
		said.ToolCalls = append(said.ToolCalls, call)
	}
	if m.ToolCallID != "" {
		said.ToolCallID = r.place(m.ToolCallID)
	}
	r.buf = chat.AppendCanonical(append(r.buf[:0], r.at[:]...), &said)
	sum := sha256.Sum256(r.buf)
	r.at = Sum(sum[:16])
	r.asked = r.asked || m.Role == chat.User
	return r.at
}

// place returns the place of an id among those of the run.
func (r *Run) place(id string) string {
	if r.ids == nil {
		r.ids = map[string]string{}
	}
	if _, met := r.ids[id]; !met {
		r.ids[id] = strconv.Itoa(len(r.ids) + 1)
	}
	return r.ids[id]
}
