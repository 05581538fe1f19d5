package outcome

import (
	"hash/maphash"
	"slices"

	"winnow/core/chat"
)

// Follower reads the messages of a session in their order, and judges its tool
// results by the calls they answer. It keeps no text. The zero Follower is
// ready; it is not safe for concurrent use.
type Follower struct {
	// Late says that it begins after the first message of the session: what
	// became of a call that it has not seen is not known.
	Late bool

	open []called
	seed maphash.Seed
	step bool // the last message was the assistant's
}

// Clone returns a copy that goes on by itself.
func (f *Follower) Clone() Follower {
	c := *f
	c.open = slices.Clone(f.open)
	return c
}

// called is a call that waits for its result.
type called struct {
	id   uint64 // hash of its id, 0 without one
	name uint64
	call Call
}

// openMost bounds the calls that wait for a result.
const openMost = 256

// Add takes the next message and judges it, if it is a tool result: the Finding
// is that of OK for any other. known is false for a result of which a Follower
// that is Late has not seen the call.
func (f *Follower) Add(m *chat.Message) (found Finding, known bool) {
	switch m.Role {
	case chat.Assistant:
		if !f.step {
			f.open = slices.DeleteFunc(f.open, func(c called) bool { return c.id == 0 }) // no result of theirs will come
		}
		f.step = true
		if f.seed == (maphash.Seed{}) {
			f.seed = maphash.MakeSeed()
		}
		for i := range m.ToolCalls {
			c := &m.ToolCalls[i]
			if len(f.open) >= openMost {
				f.open = append(f.open[:0], f.open[openMost/2:]...)
			}
			f.open = append(f.open, called{f.hash(c.ID), f.hash(c.Name), CallOf(c.Name, c.Arguments)})
		}
	case chat.Tool:
		f.step = false
		call, seen := f.answered(m)
		return Of(call, m), seen || !f.Late
	default:
		f.step = false
	}
	return Finding{}, true
}

// Of judges a tool message that answers a call.
func Of(c Call, m *chat.Message) Finding { return c.Judge(Facts{Marked: m.IsError}, m.Content) }

func (f *Follower) hash(s string) uint64 {
	if s == "" {
		return 0
	}
	return maphash.String(f.seed, s) | 1
}

// answered takes the call off the open ones that a result answers: the latest
// with its id, else the first without one. A result of none is judged by the
// name it has; seen is false.
func (f *Follower) answered(m *chat.Message) (c Call, seen bool) {
	at := -1
	if len(f.open) > 0 {
		id, name := f.hash(m.ToolCallID), f.hash(m.Name)
		for i := len(f.open) - 1; i >= 0 && id != 0; i-- {
			if f.open[i].id == id {
				at = i
				break
			}
		}
		for i := 0; i < len(f.open) && at < 0; i++ {
			if c := &f.open[i]; (id == 0 || c.id == 0) && (name == 0 || c.name == name || c.name == 0) {
				at = i
			}
		}
	}
	if at < 0 {
		return CallOf(m.Name, ""), false
	}
	call := f.open[at].call
	f.open = append(f.open[:at], f.open[at+1:]...)
	return call, true
}
