// Package origin leads from what is stored back to the files it was read from: to
// the lines that were not simply read, and to what was recorded of a message.
//
// A source may be gone, have grown or be rewritten since, packed or in another
// encoding: bytes are given only if they are those of the import.
//
// It imports core/hub and the formats, and is tested here and by the commands that
// show what it gives.
package origin

import (
	"bufio"
	"io"
	"os"

	"winnow/core/hub"
	"winnow/core/ledger"
	"winnow/core/session"
)

// Beginnings reads the beginnings of lines of a source.
type Beginnings struct {
	file *os.File // nil: the source is not there as it was
	// plain says that offsets are those of the file. Else they count what it
	// decodes to, and stream is that from pos on: issues come mostly in the
	// order of their places, so that the source is decoded once.
	plain  bool
	stream *bufio.Reader
	pos    int64
}

// OpenBeginnings opens a source. One that is gone or was rewritten gives no
// beginnings: its bytes are others now.
func OpenBeginnings(src *hub.Source) *Beginnings {
	info, err := os.Stat(src.Path)
	if err != nil || !info.Mode().IsRegular() {
		return &Beginnings{}
	}
	f, err := os.Open(src.Path)
	if err != nil {
		return &Beginnings{}
	}
	x := &Beginnings{file: f}
	if standing, err := src.Standing(f, 0); err != nil || standing == ledger.Rewritten || !x.rewind() {
		x.Close()
		return &Beginnings{}
	}
	return x
}

// Close closes the source.
func (x *Beginnings) Close() {
	if x.file != nil {
		x.file.Close()
	}
}

// rewind starts to decode at the beginning.
func (x *Beginnings) rewind() bool {
	if _, err := x.file.Seek(0, io.SeekStart); err != nil {
		return false
	}
	r, encoding, err := session.Decode(x.file)
	if err != nil {
		return false
	}
	x.plain, x.stream, x.pos = encoding.Seekable(), bufio.NewReader(r), 0
	return true
}

// At returns how the line of an issue begins, most bytes of it at most, none if it
// is not there.
func (x *Beginnings) At(is *session.Issue, most int64) []byte {
	if x.file == nil || is.Length == 0 {
		return nil
	}
	buf := make([]byte, min(is.Length, most))
	n := 0
	if x.plain {
		n, _ = x.file.ReadAt(buf, is.Offset) // what is there is shown
	} else {
		n = x.decode(buf, is.Offset)
	}
	return buf[:n]
}

// decode reads what the source decodes to at offset and returns how many
// bytes there were.
func (x *Beginnings) decode(buf []byte, offset int64) int {
	if offset < x.pos && !x.rewind() {
		return 0
	}
	skipped, err := io.CopyN(io.Discard, x.stream, offset-x.pos)
	x.pos += skipped
	if err != nil {
		return 0
	}
	n, _ := io.ReadFull(x.stream, buf) // a shorter rest is shown too
	x.pos += int64(n)
	return n
}
