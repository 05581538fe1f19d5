package review

import "time"

// ClaimFor is how long a claim holds: longer than anybody stops to think, and
// short enough that what a program held that ended by force is soon free.
const ClaimFor = time.Minute

// Claim says that a screen shows a segment, or goes on to it, so that nobody
// else is led there. It holds nobody back who goes there by themselves.
type Claim struct {
	Program string // the run of the program; those of one curator are told apart
	Curator string
	Segment string // id
	// Next is what the program goes on to; else it is what is read there.
	Next  bool
	Until time.Time
}

// Claiming asks for what a program reads and goes on to. What it held before
// is free again.
type Claiming struct {
	Program string
	Curator string
	Reads   string // id; "" is nothing
	// Next are the segments that it may go on to, the best one first: it gets
	// the first one that nobody else holds and that is pending, or with Judged
	// that is there.
	Next   []string
	Judged bool
}

// Claimed is what a program holds now.
type Claimed struct {
	Next   string // id; "" is none of those it asked for
	Until  time.Time
	Others []Claim // what the others hold
}
