package export

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"winnow/core/export/unfinished"
)

// spool keeps the records of an export on the disk until it is known which of
// them are written. Its file lies beside the target, or where the system keeps
// temporary files if nothing is written. It has no name where systems allow
// that, so that nothing is left of an export that is killed; else it is removed
// like all that is unfinished.
type spool struct {
	target      string
	file, again *os.File // for writing, and for reading
	out         *bufio.Writer
	in          *bufio.Reader
}

// newSpool makes the file.
func newSpool(opts *Options) (*spool, error) {
	var f *os.File
	var err error
	if opts.Check {
		f, err = os.CreateTemp("", "winnow-export-*")
	} else {
		var at string
		if at, err = unfinished.Follow(filepath.Clean(opts.Path)); err == nil {
			f, err = unfinished.Create(at)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("a file for the samples meanwhile: %w", unfinished.Plainly(err, opts.Path))
	}
	s := &spool{target: opts.Path, file: f, out: bufio.NewWriterSize(f, 1<<20)}
	if s.again, err = os.Open(f.Name()); err != nil {
		return nil, errors.Join(unfinished.Plainly(err, opts.Path), s.remove())
	}
	_ = os.Remove(f.Name()) // remove tries again
	s.in = bufio.NewReaderSize(s.again, 1<<20)
	return s, nil
}

// add appends a sample: the sizes of its facts and of its records, then both.
func (s *spool) add(f *facts, lines []byte) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	head := binary.AppendUvarint(nil, uint64(len(text)))
	head = binary.AppendUvarint(head, uint64(len(lines)))
	for _, b := range [...][]byte{head, text, lines} {
		if _, err := s.out.Write(b); err != nil {
			return unfinished.Plainly(err, s.target)
		}
	}
	return nil
}

// each ends the writing and calls take with the samples in their order: their
// records as finish, if not nil, makes them, none of those that are not wanted.
func (s *spool) each(ctx context.Context, n int, want func(i int) bool, finish func(dst, lines []byte) []byte, take func(i int, f *facts, lines []byte) error) error {
	if err := s.out.Flush(); err != nil {
		return unfinished.Plainly(err, s.target)
	}
	var buf, finished []byte
	for i := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		wanted := want(i)
		f, lines, err := s.next(wanted, buf)
		if err != nil {
			return fmt.Errorf("reading a sample back: %w", err)
		}
		if wanted {
			buf = lines
			if finish != nil {
				finished = finish(finished[:0], lines)
				lines, f.Size = finished, len(finished)
			}
		}
		if err := take(i, &f, lines); err != nil {
			return err
		}
		if cap(buf) > maxKept || cap(finished) > maxKept {
			buf, finished = nil, nil
		}
	}
	return nil
}

// next returns a sample, its records in buf if there is room. Without want,
// they are not read.
func (s *spool) next(want bool, buf []byte) (f facts, lines []byte, err error) {
	textSize, err := binary.ReadUvarint(s.in)
	if err != nil {
		return f, nil, err
	}
	size, err := binary.ReadUvarint(s.in)
	if err != nil {
		return f, nil, err
	}
	if !want {
		_, err = s.in.Discard(int(textSize + size))
		return f, nil, err
	}
	text := make([]byte, textSize)
	if _, err := io.ReadFull(s.in, text); err != nil {
		return f, nil, err
	}
	if lines = buf[:0]; uint64(cap(lines)) < size {
		lines = make([]byte, 0, size)
	}
	lines = lines[:size]
	if _, err := io.ReadFull(s.in, lines); err != nil {
		return f, nil, err
	}
	return f, lines, json.Unmarshal(text, &f)
}

// remove removes the file.
func (s *spool) remove() error {
	var closed error
	if s.again != nil {
		closed = s.again.Close()
	}
	closed = errors.Join(closed, s.file.Close())
	if err := os.Remove(s.file.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(closed, err)
	}
	return closed
}
