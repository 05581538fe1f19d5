package session

import (
	"bufio"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// utf16Reader turns UTF-16 into UTF-8 while it is read. Lone surrogates and
// an odd last byte become U+FFFD; the byte order mark is left out.
type utf16Reader struct {
	in    *bufio.Reader
	order binary.ByteOrder
	out   []byte // decoded and not yet returned
	buf   []byte
	begun bool
}

// utf16Step is how many bytes are decoded at once.
const utf16Step = 32 << 10

func newUTF16Reader(in *bufio.Reader, bigEndian bool) *utf16Reader {
	r := &utf16Reader{in: in, order: binary.LittleEndian}
	if bigEndian {
		r.order = binary.BigEndian
	}
	return r
}

func (r *utf16Reader) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// fill decodes the next step. A unit that is cut in two, or half of a pair,
// stays in the input until the rest is there.
func (r *utf16Reader) fill() error {
	b, err := r.in.Peek(utf16Step)
	if len(b) == 0 {
		return err
	}
	last := err != nil
	r.buf = r.buf[:0]
	i := 0
	for ; i+2 <= len(b); i += 2 {
		u := rune(r.order.Uint16(b[i:]))
		switch {
		case !r.begun && u == 0xFEFF:
		case !utf16.IsSurrogate(u):
			r.buf = utf8.AppendRune(r.buf, u)
		case i+4 <= len(b):
			pair := utf16.DecodeRune(u, rune(r.order.Uint16(b[i+2:])))
			r.buf = utf8.AppendRune(r.buf, pair)
			if pair != utf8.RuneError {
				i += 2
			}
		case last:
			r.buf = utf8.AppendRune(r.buf, utf8.RuneError)
		default:
			return r.took(i)
		}
		r.begun = true
	}
	if i < len(b) && last {
		r.buf = utf8.AppendRune(r.buf, utf8.RuneError)
		i = len(b)
	}
	return r.took(i)
}

func (r *utf16Reader) took(n int) error {
	r.out = r.buf
	if n == 0 {
		return io.ErrUnexpectedEOF // not reached: a step holds several units
	}
	_, err := r.in.Discard(n)
	return err
}
