package chat

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

// Trace tells runs of messages apart by everything that is stored of them but
// their numbers and places: two runs with equal traces are the same messages,
// recorded at the same times. A trace is extended at the cost of the message
// alone. It tells accidents apart, not forgeries. The zero Trace is that of no
// messages.
type Trace struct{ A, B uint64 }

// TraceSize is the size of a trace in bytes.
const TraceSize = 16

// IsZero reports whether the trace is that of no messages.
func (t Trace) IsZero() bool { return t == Trace{} }

// castagnoli has an instruction on most processors, like the polynomial of
// IEEE: the two of them run at memory speed.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// With returns the trace of a run that one more message was added to, given in
// its packed form.
func (t Trace) With(packed []byte) Trace {
	r := unpacker[[]byte]{rest: packed}
	r.uint() // its number
	role, marks, failed := r.byte(), r.uint(), r.byte()
	r.uint() // its place
	r.uint()
	if role&keptCode != 0 {
		r.text()
		role &^= keptCode
	}
	small := uint64(role)<<32 | uint64(failed)<<40 | marks
	sum := uint64(crc32.Checksum(r.rest, castagnoli))<<32 | uint64(crc32.ChecksumIEEE(r.rest))
	t.A = mix(t.A^sum) + small
	t.B = mix(bits.RotateLeft64(t.B, 23)+sum^small*prime) + uint64(len(r.rest))
	return t
}

// prime is the multiplier of FNV-1a, 64 bits.
const prime = 1099511628211

// mix spreads each bit over all of them: the finalizer of MurmurHash3.
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// Bytes returns the trace as it is stored, nil for the zero Trace.
func (t Trace) Bytes() []byte {
	if t.IsZero() {
		return nil
	}
	b := binary.BigEndian.AppendUint64(make([]byte, 0, TraceSize), t.A)
	return binary.BigEndian.AppendUint64(b, t.B)
}

// TraceFrom is the reverse of Bytes. Anything else gives the zero Trace.
func TraceFrom(b []byte) Trace {
	if len(b) != TraceSize {
		return Trace{}
	}
	return Trace{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

// Opening tells what a run of messages begins with: 64 bits of the content of
// its first user message. It stays the same while a session grows.
func Opening(m *Message) int64 {
	b := bytesOf(m.Content)
	return int64(mix(uint64(crc32.Checksum(b, castagnoli))<<32 | uint64(crc32.ChecksumIEEE(b))))
}
