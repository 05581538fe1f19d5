package remote

import (
	"errors"
	"io"
	"os"
)

// files are those of a split, which a server gets as one: an export has samples without
// tools in a file of their own, and a job takes one file. Each ends with a line.
type files []string

// size is how many bytes they have.
func (f files) size() (n int64, err error) {
	for _, path := range f {
		info, err := os.Stat(path)
		if err != nil {
			return 0, err
		}
		n += info.Size()
	}
	return n, nil
}

// open opens them to be read one after the other.
func (f files) open() (io.ReadCloser, error) { return &reading{rest: f}, nil }

// reading is files while they are read. One is open at a time.
type reading struct {
	rest files
	at   *os.File
}

// Read implements io.Reader.
func (r *reading) Read(p []byte) (int, error) {
	for {
		if r.at == nil && len(r.rest) == 0 {
			return 0, io.EOF
		}
		if r.at == nil {
			f, err := os.Open(r.rest[0])
			if err != nil {
				return 0, err
			}
			r.at, r.rest = f, r.rest[1:]
		}
		n, err := r.at.Read(p)
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		err = r.Close()
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// Close implements io.Closer.
func (r *reading) Close() error {
	if r.at == nil {
		return nil
	}
	f := r.at
	r.at = nil
	return f.Close()
}
