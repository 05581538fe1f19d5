package chat

import (
	"crypto/sha256"
	"encoding"
	"strconv"
)

// Print is the digest of a finished run of messages, from which the
// fingerprints of its further occurrences in a session can still be told. It is
// comparable; the zero Print is of no run.
type Print struct {
	Digest
	content string // hash state after the last message
}

// Print returns the print of the messages added so far. The hasher can go on
// or be reset; the print stays.
func (h *Hasher) Print() Print {
	state, err := h.content.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		panic(err) // sha256 states always marshal
	}
	return Print{Digest: h.Digest(), content: string(state)}
}

// IsZero reports whether p is of no run.
func (p Print) IsZero() bool { return p.content == "" }

// Nth is what Hasher.Nth was when the print was made. That of a zero Print is
// "" for any n.
func (p Print) Nth(n int) string {
	if n < 2 || p.IsZero() {
		return p.Fingerprint
	}
	c := sha256.New()
	if err := c.(encoding.BinaryUnmarshaler).UnmarshalBinary([]byte(p.content)); err != nil {
		panic(err) // Print made it
	}
	c.Write([]byte{2})
	c.Write(strconv.AppendInt(nil, int64(n), 10))
	return short(c)
}
