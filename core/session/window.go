package session

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
)

// windowSize is the buffer that ordinary sources are read through: large
// enough that moving the rest of a line to its front costs nothing, small
// enough to stay in the second-level cache.
const windowSize = 256 << 10

// keepSize is the largest buffer that is kept after the line that needed it.
const keepSize = 4 * windowSize

// maxEmptyReads is how often a reader may return nothing before it counts as
// broken, as in package bufio.
const maxEmptyReads = 100

// window is the part of a source that is in memory: everything from the
// position on that has been read. It grows to the longest value and shrinks
// again after it.
type window struct {
	ctx     context.Context
	r       io.Reader
	buf     []byte
	lo, hi  int   // buf[lo:hi] is what is there
	base    int64 // offset of buf[0] in the source
	end     error // io.EOF, or what ended the reading
	damaged *DamageError
	// There is no line end between these offsets. The elements of an array
	// on one line all ask for its end.
	plainLo, plainHi int64
}

// windows are the buffers of finished readings: an import opens thousands of
// small sources.
var windows = sync.Pool{New: func() any { return new([windowSize]byte) }}

func newWindow(ctx context.Context, r io.Reader, offset int64) window {
	return window{ctx: ctx, r: r, buf: windows.Get().(*[windowSize]byte)[:], base: offset}
}

// release gives the buffer back. Nothing may refer to it any more.
func (w *window) release() {
	if len(w.buf) == windowSize {
		windows.Put((*[windowSize]byte)(w.buf))
	}
	w.buf = nil
}

// rest returns what is in memory; the slice is valid until more is called.
func (w *window) rest() []byte { return w.buf[w.lo:w.hi] }

// offset returns the place of rest()[0] in the source.
func (w *window) offset() int64 { return w.base + int64(w.lo) }

// skip moves the position n bytes on.
func (w *window) skip(n int) { w.lo += n }

// lineEnd returns the place in rest() of the first line end at or after from;
// -1 if there is none in memory.
func (w *window) lineEnd(from int) int {
	at := w.offset() + int64(from)
	if at < w.plainLo || at > w.plainHi {
		w.plainLo, w.plainHi = at, at
	}
	b := w.rest()
	n := bytes.IndexByte(b[w.plainHi-w.offset():], '\n')
	if n < 0 {
		w.plainHi = w.offset() + int64(len(b))
		return -1
	}
	w.plainHi += int64(n)
	return int(w.plainHi - w.offset())
}

// more reads on and reports whether rest grew. False means the end of the
// source, or an error in w.end.
func (w *window) more() bool {
	if w.end != nil {
		return false
	}
	if err := w.ctx.Err(); err != nil {
		w.end = err
		return false
	}
	w.makeRoom()
	for range maxEmptyReads {
		n, err := w.r.Read(w.buf[w.hi:])
		w.hi += n
		if err != nil {
			w.finish(err)
		}
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	w.end = io.ErrNoProgress
	return false
}

// finish remembers why the source ended. Damaged compressed data is an end
// like any other: what came before it counts.
func (w *window) finish(err error) {
	var damaged *DamageError
	if errors.As(err, &damaged) {
		w.damaged, err = damaged, io.EOF
	}
	w.end = err
}

// makeRoom leaves free space after hi.
func (w *window) makeRoom() {
	held := w.hi - w.lo
	switch {
	case len(w.buf) > keepSize && held < windowSize/2:
		w.moveTo(make([]byte, windowSize))
	case w.hi < len(w.buf):
	case held <= len(w.buf)/2:
		w.moveTo(w.buf)
	default:
		w.moveTo(make([]byte, 2*len(w.buf)))
	}
}

func (w *window) moveTo(buf []byte) {
	n := copy(buf, w.buf[w.lo:w.hi])
	w.base += int64(w.lo)
	w.buf, w.lo, w.hi = buf, 0, n
}
