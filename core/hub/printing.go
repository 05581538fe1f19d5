package hub

import (
	"winnow/core/chat"
	"winnow/core/segment"
)

// printing hashes, counts and names pieces while their messages pass, from the
// first message of the first piece to the last one of the last.
type printing struct {
	left []segment.Piece // the piece that messages go to, and those behind it
	// end is the number of the session's last message, settled that of the
	// last one that state covers: those behind it are held back.
	end, settled int
	hasher       *chat.Hasher
	name         naming
	state        []byte // the hash state of the piece that reaches the end
}

func newPrinting(pieces []segment.Piece, end, settled int) *printing {
	return &printing{left: pieces, end: end, settled: settled, hasher: chat.NewHasher()}
}

// add takes the next message. A piece that has a topic keeps it.
func (p *printing) add(m *chat.Message) error {
	piece := &p.left[0]
	if m.N == piece.Start && m.N > p.settled { // nothing of it is settled
		if err := p.keep(piece); err != nil {
			return err
		}
	}
	p.hasher.Add(m)
	piece.Tally.Add(m)
	if piece.Topic == "" {
		p.name.add(m)
	}
	if m.N == p.settled {
		if err := p.keep(piece); err != nil {
			return err
		}
	}
	if m.N < piece.End {
		return nil
	}
	if piece.Print = p.hasher.Print(); piece.Topic == "" {
		piece.Topic = p.name.title
	}
	p.hasher.Reset()
	p.left, p.name = p.left[1:], naming{}
	return nil
}

// keep keeps the hash state if a piece is the one that reaches the end.
func (p *printing) keep(piece *segment.Piece) (err error) {
	if piece.End == p.end {
		p.state, err = p.hasher.MarshalBinary()
	}
	return err
}
