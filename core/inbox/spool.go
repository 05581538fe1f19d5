package inbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"
	"path/filepath"
)

// Spool is what is being uploaded, on its way to its place.
type Spool struct {
	f    *os.File
	sum  hash.Hash
	size int64
	gone bool // it has its place, or was dropped
}

// Spool begins to take something. It must be put or dropped in the end.
func (b *Box) Spool() (*Spool, error) {
	f, err := os.CreateTemp(filepath.Join(b.dir, spoolDir), "body-")
	if err != nil {
		return nil, err
	}
	return &Spool{f: f, sum: sha256.New()}, nil
}

func (s *Spool) Write(p []byte) (int, error) {
	n, err := s.f.Write(p)
	s.sum.Write(p[:n])
	s.size += int64(n)
	return n, err
}

// Size is how many bytes came.
func (s *Spool) Size() int64 { return s.size }

// Sum is the SHA-256 of what came, in hexadecimal digits.
func (s *Spool) Sum() string { return hex.EncodeToString(s.sum.Sum(nil)) }

// Reader reads what came, from the beginning.
func (s *Spool) Reader() io.Reader { return io.NewSectionReader(s.f, 0, s.size) }

// Drop forgets it, unless it was put in its place.
func (s *Spool) Drop() {
	if s.gone {
		return
	}
	s.gone = true
	s.f.Close()
	os.Remove(s.f.Name())
}

// blockSize is how much is compared at a time.
const blockSize = 256 << 10

// alike reports whether n bytes of both are the same.
func alike(a, b io.ReaderAt, n int64) (bool, error) {
	ra, rb := io.NewSectionReader(a, 0, n), io.NewSectionReader(b, 0, n)
	x, y := make([]byte, min(n, blockSize)), make([]byte, min(n, blockSize))
	for n > 0 {
		k := min(n, blockSize)
		if _, err := io.ReadFull(ra, x[:k]); err != nil {
			return false, err
		}
		if _, err := io.ReadFull(rb, y[:k]); err != nil {
			return false, err
		}
		if !bytes.Equal(x[:k], y[:k]) {
			return false, nil
		}
		n -= k
	}
	return true, nil
}

// from is a file from a place on, as alike reads it.
type from struct {
	io.ReaderAt
	at int64
}

func (f from) ReadAt(p []byte, off int64) (int, error) { return f.ReaderAt.ReadAt(p, f.at+off) }
