package hub

import (
	"context"
	"errors"
	"io"
	"os"
	"reflect"

	"winnow/core/chat"
	"winnow/core/session"
)

// input is a file that was opened for reading.
type input struct {
	f        *os.File
	path     string
	size     int64
	modTime  int64
	head     []byte // the first bytes, at most firstMax
	encoding session.Encoding
}

func openInput(from file) (*input, error) {
	at := from.path
	if from.at != "" {
		at = from.at
	}
	f, err := os.Open(at)
	if err != nil {
		return nil, err
	}
	in := &input{f: f, path: from.path}
	info, err := f.Stat()
	if err == nil {
		in.size, in.modTime = info.Size(), info.ModTime().UnixNano()
		in.head = make([]byte, min(firstMax, in.size))
		var n int
		n, err = f.ReadAt(in.head, 0)
		in.head = in.head[:n]
		if err == io.EOF {
			err = nil // it has become shorter just now
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	in.encoding = session.Sniff(in.head)
	return in, nil
}

func (in *input) first() string { return firstKey(in.head) }

// provable is the length that a proof of the source covers.
func (in *input) provable(offset int64) int64 {
	if in.encoding.Seekable() {
		return offset
	}
	return in.size
}

// continues reports whether the file still begins with all that was read of a
// source. What is compressed or of another character set is known only whole.
func (in *input) continues(s *Source) bool {
	n := s.State.Offset
	if !in.encoding.Seekable() {
		if in.size != s.Size {
			return false
		}
		n = s.Size
	}
	if n > in.size || n == 0 && s.Size > 0 {
		return false
	}
	p, err := prove(in.f, n, nil)
	return err == nil && p.same(s.Proof)
}

// goesOn is continues for a source that may be unknown, nil, and that is read
// again if it gave no session.
func (in *input) goesOn(s *Source) bool {
	return s != nil && s.gave() && in.continues(s)
}

// same compares two proofs over the same length. First is left out: the first
// line may have been growing when the older one was made, and Head covers it.
func (p Proof) same(o Proof) bool {
	p.First, o.First = "", ""
	return p == o
}

// idle reports whether a file that goes on from what was read of it has nothing
// after that but a last line that is not finished, or blank.
func (in *input) idle(ctx context.Context, s *Source, opt session.Options) bool {
	tail := io.NewSectionReader(in.f, s.State.Offset, in.size-s.State.Offset)
	res, err := session.Read(ctx, tail, opt, s.State, silence{})
	return err == nil && reflect.DeepEqual(res.State, s.State)
}

// silence is a sink for what is no session.
type silence struct{}

var errSaid = errors.New("there is something of a session")

func (silence) Meta(string, session.Meta) error        { return errSaid }
func (silence) Message(string, *chat.Message) error    { return errSaid }
func (silence) Amend(string, int, *chat.Message) error { return errSaid }
func (silence) Move(string, int, string) error         { return errSaid }
func (silence) Issue(session.Issue) error              { return nil }
func (silence) LineDone(*session.State) error          { return nil }
