// Package edit holds what curators change of recorded messages, and lays it over
// them.
//
// An edit is a row about the place of a recorded message: another one stands
// there, none does, or one more stands after it. Recorded messages are never
// changed, so there are two views of a session: the recorded one, and the current
// one with the edits in force. Numbers of messages are the recorded ones in both.
//
// The package is pure: no database, no files, no screen.
package edit

import (
	"errors"
	"fmt"
	"iter"
	"strconv"

	"winnow/core/chat"
)

// Op says what an edit does to its place.
type Op string

// The operations.
const (
	Set  Op = "set"  // another message stands in the place of the recorded one
	Drop Op = "drop" // no message does
	Add  Op = "add"  // one more stands after it
)

// Why says what an edit is for.
type Why string

// The reasons.
const (
	// Fix mends a message. What it was is the worse side of a pair.
	Fix Why = "fix"
	// Redact takes out what must never be seen: it is in no training data,
	// wherever it was said.
	Redact Why = "redact"
	// Squash puts fewer messages where many were.
	Squash Why = "squash"
)

// Place is where an edit is: a recorded message of a body of stored messages, by
// its number, and a part of that. Part 0 is the message itself, parts from 1 on
// stand after it in their order. Number 0 is in front of the first message, and
// has parts from 1 on only.
type Place struct {
	Body    int64
	N, Part int
}

// Name names the message of a place for people: 12, or 12+1 for the first one that
// was added after it.
func Name(n, part int) string {
	if part == 0 {
		return strconv.Itoa(n)
	}
	return strconv.Itoa(n) + "+" + strconv.Itoa(part)
}

// Edit is one row over a recorded message.
type Edit struct {
	Place
	Op  Op
	Why Why
	// Base is the sum of the recorded message it was made on, zero in front of
	// the first.
	Base chat.Sum
	// Message is what a record can hold of what stands there: the facts of the
	// place are those of the recorded message. Zero for Drop.
	Message chat.Message
	// Untrained says of an added answer that it is not to be trained.
	Untrained bool
	// Clash says that the recorded message is another one by now than the edit
	// was made on: the edit is not in force.
	Clash bool
	// Entry is the journal entry that made it.
	Entry int64
	// Sealed are the sayings of all messages that a redaction took out of this
	// place, see graph.Saying: 16 bytes each.
	Sealed []byte
}

// Check refuses an edit that makes no sense.
func (e *Edit) Check() error {
	switch e.Why {
	case Fix, Redact, Squash:
	default:
		return fmt.Errorf("%q is no reason of an edit; there are fix, redact and squash", e.Why)
	}
	switch {
	case e.N < 0 || e.Part < 0 || e.N == 0 && e.Part == 0:
		return fmt.Errorf("part %d of message %d is no place of an edit", e.Part, e.N)
	case e.Op == Add && e.Part == 0 || (e.Op == Set || e.Op == Drop) && e.Part != 0:
		return fmt.Errorf("part %d of message %d can't be the place of %q", e.Part, e.N, e.Op)
	case e.Op == Drop:
		return nil
	case e.Op != Set && e.Op != Add:
		return fmt.Errorf("%q is no operation; there are set, drop and add", e.Op)
	}
	switch e.Message.Role {
	case chat.System, chat.User, chat.Assistant, chat.Tool:
	default:
		return fmt.Errorf("%q is no role; there are system, user, assistant and tool", e.Message.Role)
	}
	if e.Message.Role != chat.Assistant && len(e.Message.ToolCalls) > 0 {
		return errors.New("only an assistant calls tools")
	}
	return nil
}

// Trainable returns of a message what a training record can hold. An edit keeps
// no more: where and when a message was recorded is not the curator's to say.
func Trainable(m chat.Message) chat.Message {
	return chat.Message{
		Role: m.Role, Content: m.Content, Reasoning: m.Reasoning, ToolCalls: append([]chat.ToolCall(nil), m.ToolCalls...),
		ToolCallID: m.ToolCallID, Name: m.Name, IsError: m.IsError, StopReason: m.StopReason, Model: m.Model, Marks: m.Marks,
	}
}

// over returns the message of the edit in the place of a recorded one.
func (e *Edit) over(m *chat.Message) chat.Message {
	now := e.Message
	now.N = m.N
	now.Timestamp, now.NativeID, now.ParentID, now.TurnID, now.Child = m.Timestamp, m.NativeID, m.ParentID, m.TurnID, m.Child
	now.SourceLine, now.SourceOffset = m.SourceLine, m.SourceOffset
	return now
}

// Overlay lays edits over recorded messages that come in their order.
type Overlay struct{ rest []Edit }

// NewOverlay returns an overlay of edits of one body, sorted by place, nil if there
// are none. Those that clash are passed over.
func NewOverlay(edits []Edit) *Overlay {
	if len(edits) == 0 {
		return nil
	}
	return &Overlay{edits}
}

// At returns what stands at the place of the recorded message m now, in order:
// often m itself. Those that are added have the number of m and a Part. A yielded
// message is valid until the next one. A nil Overlay changes nothing.
func (o *Overlay) At(m *chat.Message) iter.Seq[*chat.Message] {
	return func(yield func(*chat.Message) bool) {
		if o == nil {
			yield(m)
			return
		}
		n, first := m.N, o.skip(m.N)
		for ; first < len(o.rest) && o.rest[first].N == 0; first++ {
			if !o.added(&o.rest[first], 0, yield) {
				return
			}
		}
		o.rest = o.rest[first:]
		itself := true
		if len(o.rest) > 0 && o.rest[0].N == n && o.rest[0].Part == 0 {
			e := &o.rest[0]
			o.rest = o.rest[1:]
			switch {
			case e.Clash:
			case e.Op == Set:
				now := e.over(m)
				if itself = false; !yield(&now) {
					return
				}
			case e.Op == Drop:
				itself = false
			}
		}
		if itself && !yield(m) {
			return
		}
		for len(o.rest) > 0 && o.rest[0].N == n {
			e := &o.rest[0]
			o.rest = o.rest[1:]
			if !o.added(e, n, yield) {
				return
			}
		}
	}
}

// Joined returns all that stands at the place of the recorded message m now as one
// message of that: nothing is said in it where none does. It is for who goes by
// places, as an index of what is said does.
func (o *Overlay) Joined(m *chat.Message) *chat.Message {
	if o == nil {
		return m
	}
	all := chat.Message{N: m.N, Role: m.Role}
	join := func(to *string, text string) {
		if *to != "" && text != "" {
			text = "\n" + text
		}
		*to += text
	}
	for now := range o.At(m) {
		join(&all.Content, now.Content)
		join(&all.Reasoning, now.Reasoning)
		join(&all.Name, now.Name)
		all.ToolCalls = append(all.ToolCalls, now.ToolCalls...)
	}
	return &all
}

// skip returns how many edits belong to messages in front of n that did not come;
// those in front of the first message belong to that.
func (o *Overlay) skip(n int) (first int) {
	for first < len(o.rest) && o.rest[first].N < n && (n != 1 || o.rest[first].N != 0) {
		first++
	}
	return first
}

// added yields an added message with the number n.
func (o *Overlay) added(e *Edit, n int, yield func(*chat.Message) bool) bool {
	if e.Clash {
		return true
	}
	now := e.Message
	now.N, now.Part = n, e.Part
	return yield(&now)
}

// Lay returns recorded messages with edits laid over them; see Overlay.At.
func Lay(recorded iter.Seq[*chat.Message], edits []Edit) iter.Seq[*chat.Message] {
	return func(yield func(*chat.Message) bool) {
		o := NewOverlay(edits)
		for m := range recorded {
			for now := range o.At(m) {
				if !yield(now) {
					return
				}
			}
		}
	}
}
