package segment

import "winnow/core/chat"

// Printing hashes, counts and names pieces while their messages pass, from the
// first message of the first piece to the last one of the last.
type Printing struct {
	left []Piece // the piece that messages go to, and those after it
	// end is the number of the session's last message, settled that of the
	// last one that state covers: those after it are held back.
	end, settled int
	hasher       *chat.Hasher
	name         Naming
	State        []byte // the hash state of the piece that reaches the end
}

// NewPrinting returns what hashes pieces of a session whose last message has the
// number end. State leaves out the messages after settled.
func NewPrinting(pieces []Piece, end, settled int) *Printing {
	return &Printing{left: pieces, end: end, settled: settled, hasher: chat.NewHasher()}
}

// Add takes the next message. A piece that has a topic keeps it.
func (p *Printing) Add(m *chat.Message) error {
	piece := &p.left[0]
	if m.N == piece.Start && m.N > p.settled { // nothing of it is settled
		if err := p.keep(piece); err != nil {
			return err
		}
	}
	p.hasher.Add(m)
	piece.Tally.Add(m)
	if piece.Topic == "" {
		p.name.Add(m)
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
		piece.Topic = p.name.Title
	}
	p.hasher.Reset()
	p.left, p.name = p.left[1:], Naming{}
	return nil
}

// keep keeps the hash state if a piece is the one that reaches the end.
func (p *Printing) keep(piece *Piece) (err error) {
	if piece.End == p.end {
		p.State, err = p.hasher.MarshalBinary()
	}
	return err
}

// Naming finds the title of a run of messages: that of the first one that a
// user wrote, or else of the first one in a user's place.
type Naming struct {
	Title string
	Done  bool // no later message changes it
}

// Add takes the next message.
func (n *Naming) Add(m *chat.Message) {
	if n.Done || m.Role != chat.User {
		return
	}
	title, written := TitleFrom(m)
	if title != "" && (written || n.Title == "") {
		n.Title, n.Done = title, written
	}
}
