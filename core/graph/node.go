package graph

import (
	"crypto/sha256"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// NodeID identifies a node: a message together with all that stands before it.
// Equal lists of messages end in equal nodes, in whatever conversation they
// stand. The zero NodeID is the empty list.
type NodeID [16]byte

// Next returns the node of m after the node id: the first 16 bytes of SHA-256
// over id and the canonical form of m. Numbers, times and native ids are no
// part of it; the exact text of arguments, ids of calls and the model are.
func (id NodeID) Next(m *chat.Message) NodeID {
	hash := sha256.Sum256(chat.AppendCanonical(id[:], m))
	return NodeID(hash[:16])
}

// Saying identifies what a message says: its role, content, reasoning, and the
// names and arguments of its calls, without ids. By it a text that was redacted
// in one conversation is found in others.
type Saying [16]byte

// SayingOf returns what m says.
func SayingOf(m *chat.Message) Saying {
	said := rawjson.AppendString(nil, string(m.Role))
	said = rawjson.AppendString(said, m.Content)
	said = rawjson.AppendString(said, m.Reasoning)
	for i := range m.ToolCalls {
		said = rawjson.AppendString(said, m.ToolCalls[i].Name)
		said = rawjson.AppendString(said, m.ToolCalls[i].Arguments)
	}
	hash := sha256.Sum256(said)
	return Saying(hash[:16])
}

// equal reports whether two messages are one: by all that a record can hold.
func equal(a, b *chat.Message) bool {
	return NodeID{}.Next(a) == NodeID{}.Next(b)
}

// clone returns m with calls of its own, so that a caller who keeps his
// message cannot change what stands in the graph.
func clone(m chat.Message) chat.Message {
	m.ToolCalls = append([]chat.ToolCall(nil), m.ToolCalls...)
	return m
}

// place is where a message stands, in all versions of its conversation. An
// edit keeps the place; a new message has a new one.
type place struct {
	original *chat.Message
	// model says that a model wrote the original.
	model bool
	// said is everything that was ever said here.
	said map[Saying]bool
}

func newPlace(m *chat.Message) *place {
	return &place{original: m, said: map[Saying]bool{SayingOf(m): true}}
}

// entry is one message of a version.
type entry struct {
	message *chat.Message // never changed
	place   *place
	node    NodeID
}

// version is a list of messages that a conversation has, or had.
type version struct {
	entries []entry
	verdict Verdict
	kept    bool
}

// leaf returns the node at the end of the version.
func (v *version) leaf() NodeID { return leafOf(v.entries) }

func leafOf(entries []entry) NodeID {
	if len(entries) == 0 {
		return NodeID{}
	}
	return entries[len(entries)-1].node
}
