package session

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Encoding says how the text of a source is packed.
type Encoding struct {
	Compression string // "gzip", "zstd", or ""
	Text        string // "utf-8", "utf-16le" or "utf-16be"
}

// Seekable reports whether offsets in the decoded text are offsets in the
// file, so that reading can go on in the middle. Other sources are read from
// the beginning each time.
func (e Encoding) Seekable() bool { return e.Compression == "" && e.Text == "utf-8" }

// String names the encoding for people, as in "gzip, utf-16le".
func (e Encoding) String() string {
	if e.Compression == "" {
		return e.Text
	}
	return e.Compression + ", " + e.Text
}

// DamageError says that compressed data breaks off or is corrupt. What came
// before that place has been read. Read turns it into an issue.
type DamageError struct {
	Compression string
	Err         error
}

func (e *DamageError) Error() string {
	if errors.Is(e.Err, io.ErrUnexpectedEOF) {
		return e.Compression + " data ends early"
	}
	return fmt.Sprintf("%s data is damaged: %v", e.Compression, e.Err)
}

func (e *DamageError) Unwrap() error { return e.Err }

const (
	// sniffSize is how much of a source Sniff wants to see.
	sniffSize = 512
	// zstdWindow bounds the memory a hostile frame can ask for; it is what
	// `zstd --long` writes.
	zstdWindow = 128 << 20
)

// Sniff tells the encoding from the first bytes of a source; four are enough.
// It does not look inside of compressed data.
func Sniff(head []byte) Encoding {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return Encoding{Compression: "gzip", Text: "utf-8"}
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}), isSkippable(head):
		return Encoding{Compression: "zstd", Text: "utf-8"}
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return Encoding{Text: "utf-16le"}
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return Encoding{Text: "utf-16be"}
	}
	return Encoding{Text: "utf-8"}
}

// isSkippable reports whether head starts a skippable frame of zstd (RFC 8878
// §3.1.2), which some writers put first.
func isSkippable(head []byte) bool {
	return len(head) >= 4 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:4], []byte{0x2a, 0x4d, 0x18})
}

// Decode returns the text of a source that is read from its beginning, as
// UTF-8. A plain source comes back byte for byte, with its byte order mark.
// Errors in compressed data are *DamageError and come after all that could be
// decompressed.
func Decode(r io.Reader) (io.Reader, Encoding, error) {
	in := bufio.NewReaderSize(r, windowSize)
	head, err := in.Peek(sniffSize)
	if err != nil && err != io.EOF && len(head) == 0 { // a short source is no error
		return nil, Encoding{}, err
	}
	enc := Sniff(head)
	if enc.Compression != "" {
		unpacked, err := decompress(in, enc.Compression)
		if err != nil {
			// A damaged header: nothing can be read, and that is said.
			return failing{&DamageError{enc.Compression, err}}, enc, nil
		}
		in = bufio.NewReaderSize(unpacked, windowSize)
		if head, err = in.Peek(sniffSize); len(head) == 0 && err != nil {
			return in, enc, nil
		}
		enc.Text = Sniff(head).Text
	}
	if enc.Text != "utf-8" {
		return newUTF16Reader(in, enc.Text == "utf-16be"), enc, nil
	}
	return in, enc, nil
}

func decompress(in io.Reader, compression string) (io.Reader, error) {
	var r io.Reader
	var err error
	if compression == "gzip" {
		r, err = gzip.NewReader(in) // reads concatenated members as one
	} else {
		r, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow))
	}
	if err != nil {
		return nil, err
	}
	return &damageReader{r, compression}, nil
}

// damageReader names the errors of a decompressor.
type damageReader struct {
	r           io.Reader
	compression string
}

func (d *damageReader) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != nil && err != io.EOF {
		err = &DamageError{d.compression, err}
	}
	return n, err
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
