package text

import "fmt"

// A passage is a run of consecutive messages of a body, or a part of one message
// that is too long for that. Its id in the text index says which:
//
//	body << 35 | number of the first message << 9 | messages − 1
//	body << 35 | number of the message       << 9 | 64 + number of the part
//
// So the passages of a body are one range, in the order of its messages, and ids
// are never used again for other messages, because bodies are not.
type passage struct {
	body  int64
	first int
	last  int
	part  int // from 1; 0 for whole messages
}

const (
	passageBodyBits  = 28
	passageFirstBits = 26
	passageTailBits  = 9
	passageBodyShift = passageFirstBits + passageTailBits

	// passageMessages is how many messages a passage holds at most: the tail
	// has room for that many counts, and fewer messages make more rows.
	passageMessages = 64
	// passageParts is how many parts a message has at most.
	passageParts = 1<<passageTailBits - passageMessages

	// maxIndexed is the largest message number that can be found; what lies
	// comes after it never is. A file of so many lines has several gigabytes.
	maxIndexed = 1<<passageFirstBits - 1
	maxBody    = 1<<passageBodyBits - 1
)

// id packs a passage.
func (p passage) id() int64 {
	tail := p.last - p.first
	if p.part > 0 {
		tail = passageMessages + p.part - 1
	}
	return p.body<<passageBodyShift | int64(p.first)<<passageTailBits | int64(tail)
}

// passageOf unpacks an id.
func passageOf(id int64) passage {
	p := passage{body: id >> passageBodyShift, first: int(id >> passageTailBits & maxIndexed)}
	p.last = p.first
	if tail := int(id & (1<<passageTailBits - 1)); tail < passageMessages {
		p.last += tail
	} else {
		p.part = tail - passageMessages + 1
	}
	return p
}

// passagesFrom returns the least id that a passage of a body can have whose first
// message is n, or one after it.
func passagesFrom(body int64, n int) int64 {
	return body<<passageBodyShift | int64(min(n, maxIndexed))<<passageTailBits
}

// lastPassage is the largest id of a body.
func lastPassage(body int64) int64 { return (body+1)<<passageBodyShift - 1 }

// checkBody refuses bodies that have no place in the index: one more import for
// every second of eight years.
func checkBody(body int64) error {
	if body > maxBody {
		return fmt.Errorf("the text index has no place for body %d: import into a new database", body)
	}
	return nil
}
