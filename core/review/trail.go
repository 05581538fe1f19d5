package review

import "winnow/core/chat"

// Trail is what going on with a session, and finding it again, takes.
type Trail struct {
	// Held is the number of messages, the last ones, that may still change.
	Held int
	// Trace is that of all messages, Settled without those held. Both are
	// zero if they are not known.
	Trace, Settled chat.Trace
	// Head is a sum of the messages up to the first one with a time, 0 if
	// none has one.
	Head int64
	// Opening is that of the first user message that is no summary, 0 without one.
	Opening int64
}

// Follow adds a message, as it is packed, to those that Settled, Head and
// Opening tell of. What is not known of a session stays so.
func (t *Trail) Follow(m *chat.Message, packed []byte) {
	if m.N > 1 && t.Settled.IsZero() {
		return
	}
	t.Settled = t.Settled.With(packed)
	if t.Head == 0 && m.Timestamp != "" {
		t.Head = int64(t.Settled.A ^ t.Settled.B)
	}
	if t.Opening == 0 && m.Role == chat.User && !m.Summary() {
		t.Opening = chat.Opening(m)
	}
}
