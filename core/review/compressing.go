package review

import "winnow/core/proposal"

// Compression is what became of the compression of a segment, see package proposal.
type Compression string

// The compressions; "" is none. An Outdated one is of other messages than the segment
// has now.
const (
	Uncompressed        Compression = ""
	CompressionProposed Compression = "proposed"
	CompressionAccepted Compression = "accepted"
	CompressionRejected Compression = "rejected"
	CompressionFailed   Compression = "failed"
	CompressionOutdated Compression = "stale"
)

// Proposing counts what became of proposals that were to be kept.
type Proposing struct {
	Written int // in the place of those that were there
	Kept    int // one that a person accepted, rejected or changed is there
	Removed int // the segment is under the target by now: what was proposed is taken away
	Passed  int // the segment left, or holds other messages by now
}

// Plus returns the sum of both.
func (p Proposing) Plus(o Proposing) Proposing {
	return Proposing{p.Written + o.Written, p.Kept + o.Kept, p.Removed + o.Removed, p.Passed + o.Passed}
}

// ByHand reports whether a person judged or changed a proposal: no run replaces it.
func ByHand(p *proposal.Proposal) bool {
	return p.Status == proposal.Accepted || p.Status == proposal.Rejected || p.Changed
}

// Compressing is what a curator decides on proposals at once: all of it, or nothing,
// as one entry of the journal.
type Compressing struct {
	Curator string
	IDs     []string // of segments, full
	// To is proposal.Accepted or Rejected; Proposed takes either back.
	To proposal.Status
	// Seen are the proposals that the curator looked at, by segment. One that is not
	// in it is judged whatever it says.
	Seen map[string]proposal.Proposal
}

// ProposalChange is what an entry did to the proposal of one segment. Where only the
// verdict on it changed, both sides have that alone: Segment, Status, Judge, Judged.
type ProposalChange struct {
	Segment string // id
	Before  *proposal.Proposal
	After   *proposal.Proposal
}
