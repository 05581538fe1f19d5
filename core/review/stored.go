package review

// SegmentWrite is a segment row to be inserted (ID "") or updated.
type SegmentWrite struct {
	Segment
	// HashState is the chat.Hasher state of the segment without the last
	// messages of the session, which may still change (Trail.Held). It is
	// kept for the last segment only.
	HashState []byte
}

// StoredSession is what an append needs to know of a session.
type StoredSession struct {
	Session
	Trail
	Segments []SegmentWrite // in order; HashState of the last one
	// Edits is how many edits lie over its messages.
	Edits int
	// LastChunk is the first number of the last stored chunk, 0 without one.
	LastChunk int
}

// Rows are its segments, in order.
func (s *StoredSession) Rows() []Segment {
	rows := make([]Segment, len(s.Segments))
	for i := range s.Segments {
		rows[i] = s.Segments[i].Segment
	}
	return rows
}

// StoreError marks a failure of the store, which is no fault of the file or the
// session that is worked on.
type StoreError struct{ Err error }

func (e *StoreError) Error() string { return e.Err.Error() }

// Unwrap implements the interface of package errors.
func (e *StoreError) Unwrap() error { return e.Err }
