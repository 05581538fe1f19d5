package hub

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

const (
	// edge is the size of the ends that are hashed.
	edge = 64 << 10
	// wholeMax is the size up to which everything between the ends is
	// hashed too: it costs a millisecond. Larger sources are sampled there.
	wholeMax = 4 << 20
	// samples and sampleSize: what is read of the middle of a large source.
	samples    = 16
	sampleSize = 4 << 10
	// firstMax bounds what is looked at to find a moved file again.
	firstMax = 1 << 10
)

// castagnoli has an instruction of its own on every machine that matters.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// prove returns the hashes over the first n bytes of a source.
func prove(r io.ReaderAt, n int64) (Proof, error) {
	var p Proof
	head, err := readAt(r, 0, min(edge, n))
	if err != nil {
		return p, err
	}
	tailFrom := max(0, n-edge)
	tail, err := readAt(r, tailFrom, n-tailFrom)
	if err != nil {
		return p, err
	}
	p.First, p.Head, p.Tail = firstKey(head), digest(head), digest(tail)
	p.Whole, err = middle(r, n)
	return p, err
}

// firstKey is a hash of the first line, or its first KiB. It stays the same
// while a file grows.
func firstKey(head []byte) string {
	head = head[:min(firstMax, len(head))]
	if i := bytes.IndexByte(head, '\n'); i >= 0 {
		head = head[:i]
	}
	return digest(head)
}

// middle hashes what lies between the ends, whole or in samples.
func middle(r io.ReaderAt, n int64) (string, error) {
	if n <= 2*edge {
		return "", nil
	}
	h := crc32.New(castagnoli)
	if n <= wholeMax {
		_, err := io.Copy(h, io.NewSectionReader(r, edge, n-2*edge))
		return fmt.Sprintf("%08x", h.Sum32()), err
	}
	step := (n - 2*edge) / samples
	for i := range int64(samples) {
		part, err := readAt(r, edge+i*step, sampleSize)
		if err != nil {
			return "", err
		}
		h.Write(part)
	}
	return fmt.Sprintf("%08x", h.Sum32()), nil
}

// readAt reads exactly n bytes; a source that has become shorter gives
// io.ErrUnexpectedEOF.
func readAt(r io.ReaderAt, off, n int64) ([]byte, error) {
	buf := make([]byte, n)
	got, err := r.ReadAt(buf, off)
	if int64(got) == n {
		return buf, nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return nil, err
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}
