package chat

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A chunk is a run of consecutive messages, packed and compressed together.
// Sessions are kept as chunks, so that fifty messages from the middle of a
// 4 GB session cost no more than from a small one.
//
// Packed form, before compression: per message its fields in a fixed order,
// integers as varints, texts as a length and the bytes.

// ChunkSize is the size of text, in bytes, at which a chunk is closed. A
// larger message is a chunk of its own. 256 KiB decompress in about a
// millisecond, while smaller chunks compress worse.
const ChunkSize = 256 << 10

// ErrCorruptChunk is returned for bytes that are no packed and compressed messages.
var ErrCorruptChunk = errors.New("stored messages are damaged")

// AppendMessage appends the packed form of m to dst.
func AppendMessage(dst []byte, m *Message) []byte {
	dst = binary.AppendUvarint(dst, uint64(m.N))
	code := roleCode(m.Role)
	linked := m.TurnID != "" || m.Child != ""
	if linked {
		code |= linkedCode
	}
	if m.Kept != "" {
		code |= keptCode
	}
	dst = append(dst, code)
	dst = binary.AppendUvarint(dst, uint64(m.Marks))
	var errorMark byte
	if m.IsError {
		errorMark = 1
	}
	dst = append(dst, errorMark)
	dst = binary.AppendUvarint(dst, uint64(m.SourceLine))
	dst = binary.AppendUvarint(dst, uint64(m.SourceOffset))
	if m.Kept != "" {
		dst = appendText(dst, m.Kept)
	}
	for _, s := range [...]string{m.Content, m.Reasoning, m.ToolCallID, m.Name, m.StopReason, m.Model, m.Timestamp, m.NativeID, m.ParentID} {
		dst = appendText(dst, s)
	}
	if linked {
		dst = appendText(appendText(dst, m.TurnID), m.Child)
	}
	dst = binary.AppendUvarint(dst, uint64(len(m.ToolCalls)))
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		dst = appendText(appendText(appendText(dst, c.ID), c.Name), c.Arguments)
	}
	return dst
}

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

var roleCodes = [...]Role{System, User, Assistant, Tool}

// linkedCode is set in the byte of the role if a TurnID and a Child follow the
// other texts. Most messages have neither.
const linkedCode = 0x80

// keptCode is set there if Kept stands after the place. A trace leaves it out:
// it tells of other messages, and earlier versions did not read it.
const keptCode = 0x40

func roleCode(r Role) byte {
	for i, role := range roleCodes {
		if role == r {
			return byte(i)
		}
	}
	return byte(len(roleCodes))
}

// encoder is shared: it holds tables of about a megabyte for each processor
// and hands them out one by one. A pool would lose them at each collection.
// SpeedFastest: the next level halves the speed for 1% less.
var encoder = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0)), zstd.WithWindowSize(ChunkSize), zstd.WithEncoderCRC(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return e
})

// decoder unpacks chunks one by one, into the same memory.
type decoder struct {
	zstd *zstd.Decoder
	buf  []byte
}

// keepBuffer is the largest memory, in bytes, that a decoder keeps: most chunks
// are a little larger than ChunkSize, and a giant message is rare.
const keepBuffer = 4 * ChunkSize

var decoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	return &decoder{zstd: d}
}}

// Compress appends the compressed form of packed messages to dst. It is safe
// for concurrent use.
func Compress(dst, packed []byte) []byte {
	return encoder().EncodeAll(packed, dst)
}

// ReadChunk returns the messages of a compressed chunk. Damaged bytes give
// ErrCorruptChunk. The texts of all messages lie in one piece of memory, which
// lives as long as any of them.
func ReadChunk(data []byte) ([]Message, error) {
	c, err := OpenChunk(data)
	if err != nil {
		return nil, err
	}
	return c.Rest()
}

// Chunk is a decompressed chunk that is being read.
type Chunk struct{ rest unpacker[string] }

// OpenChunk decompresses a chunk, which may be changed then. Damaged bytes give
// ErrCorruptChunk, here or when they are read.
func OpenChunk(data []byte) (Chunk, error) {
	packed, err := decompress(data)
	if err != nil {
		return Chunk{}, fmt.Errorf("%w: %v", ErrCorruptChunk, err)
	}
	return Chunk{unpacker[string]{rest: packed}}, nil
}

// Next fills m with the next message and reports whether there is one. The
// texts of all messages lie in one piece of memory, as those of ReadChunk.
func (c *Chunk) Next(m *Message) (bool, error) {
	if len(c.rest.rest) == 0 {
		return false, nil
	}
	c.rest.message(m)
	if c.rest.failed {
		return false, ErrCorruptChunk
	}
	return true, nil
}

// Rest returns the messages that were not read yet.
func (c *Chunk) Rest() ([]Message, error) {
	var messages []Message
	for {
		var m Message
		if more, err := c.Next(&m); err != nil {
			return nil, err
		} else if !more {
			return messages, nil
		}
		messages = append(messages, m)
	}
}

// trusted is the largest size, in bytes, that is allocated because a chunk
// says that it has it: 64 MiB are soon filled, while a damaged size could ask
// for more memory than there is.
const trusted = 64 << 20

func decompress(data []byte) (packed string, err error) {
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	var h zstd.Header
	if err := h.Decode(data); err != nil {
		return "", err
	}
	if h.HasFCS && h.FrameContentSize <= trusted {
		buf, err := d.zstd.DecodeAll(data, d.buf[:0])
		if cap(buf) <= keepBuffer {
			d.buf = buf
		}
		return string(buf), err
	}
	if err := d.zstd.Reset(bytes.NewReader(data)); err != nil {
		return "", err
	}
	defer d.zstd.Reset(nil) // releases data
	var text strings.Builder
	_, err = d.zstd.WriteTo(&text)
	return text.String(), err
}

// unpacker reads packed fields; after the first damage it returns zeros. Texts
// are parts of a string, and copies from bytes.
type unpacker[T string | []byte] struct {
	rest   T
	failed bool
}

func (r *unpacker[T]) message(m *Message) {
	*m = Message{N: int(r.uint())}
	code := r.byte()
	if role := code &^ (linkedCode | keptCode); int(role) < len(roleCodes) {
		m.Role = roleCodes[role]
	} else {
		r.failed = true
	}
	m.Marks = Marks(r.uint())
	m.IsError = r.byte() == 1
	m.SourceLine = int64(r.uint())
	m.SourceOffset = int64(r.uint())
	if code&keptCode != 0 {
		m.Kept = r.text()
	}
	for _, p := range [...]*string{&m.Content, &m.Reasoning, &m.ToolCallID, &m.Name, &m.StopReason, &m.Model, &m.Timestamp, &m.NativeID, &m.ParentID} {
		*p = r.text()
	}
	if code&linkedCode != 0 {
		m.TurnID, m.Child = r.text(), r.text()
	}
	n := r.uint()
	if n > uint64(len(r.rest)) { // every call takes at least three bytes
		r.failed = true
		return
	}
	if n > 0 {
		m.ToolCalls = make([]ToolCall, n)
		for i := range m.ToolCalls {
			m.ToolCalls[i] = ToolCall{ID: r.text(), Name: r.text(), Arguments: r.text()}
		}
	}
}

// uint reads a varint, as binary.Uvarint does of bytes.
func (r *unpacker[T]) uint() (v uint64) {
	for i := 0; i < min(len(r.rest), binary.MaxVarintLen64); i++ {
		b := r.rest[i]
		if b >= 0x80 {
			v |= uint64(b&0x7f) << (7 * i)
			continue
		}
		if i == binary.MaxVarintLen64-1 && b > 1 {
			break // more than 64 bits
		}
		r.rest = r.rest[i+1:]
		return v | uint64(b)<<(7*i)
	}
	r.failed, r.rest = true, r.rest[:0]
	return 0
}

func (r *unpacker[T]) byte() byte {
	if len(r.rest) == 0 {
		r.failed = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *unpacker[T]) text() string {
	n := r.uint()
	if n > uint64(len(r.rest)) {
		r.failed, r.rest = true, r.rest[:0]
		return ""
	}
	s := string(r.rest[:n])
	r.rest = r.rest[n:]
	return s
}
