package origin

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"

	"winnow/core/session"
)

// stretch reads the text of a source from some place on. After an error it
// gives nothing more; an early end is none.
type stretch struct {
	file *os.File // nil if what is read is decoded
	r    *bufio.Reader
	err  error
}

// openStretch goes to a place of a source's text.
func openStretch(ctx context.Context, f *os.File, at int64) (*stretch, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	text, encoding, err := session.Decode(&untilDone{ctx, f})
	if err != nil {
		return nil, err
	}
	if encoding.Seekable() {
		_, err := f.Seek(at, io.SeekStart)
		return &stretch{file: f, r: bufio.NewReader(&untilDone{ctx, f})}, err
	}
	s := &stretch{r: bufio.NewReader(text)}
	s.skip(at)
	return s, s.err
}

// take returns the next n bytes, or those that are there.
func (s *stretch) take(n int64) []byte {
	if s.err != nil || n <= 0 {
		return nil
	}
	buf := make([]byte, n)
	got, err := io.ReadFull(s.r, buf)
	s.fail(err)
	return buf[:got]
}

func (s *stretch) skip(n int64) {
	if s.err != nil {
		return
	}
	if s.file == nil {
		_, err := io.CopyN(io.Discard, s.r, n)
		s.fail(err)
		return
	}
	_, err := s.file.Seek(n-int64(s.r.Buffered()), io.SeekCurrent)
	s.fail(err)
	s.r.Reset(s.file)
}

// fail keeps an error. Compressed data may break off; what it is worth is in
// the ledger.
func (s *stretch) fail(err error) {
	var damage *session.DamageError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &damage):
	default:
		s.err = err
	}
}

// untilDone is a reader that fails when its context ends.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u *untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// line reads a line with its end, most bytes of it at most.
func (s *stretch) line(most int) (line []byte, err error) {
	for len(line) < most && s.err == nil {
		part, err := s.r.ReadSlice('\n')
		line = append(line, part[:min(len(part), most-len(line))]...)
		if err == nil {
			return line, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			s.fail(err)
			return line, io.EOF
		}
	}
	return line, io.EOF
}
