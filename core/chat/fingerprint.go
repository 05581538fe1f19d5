package chat

import (
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"unsafe"
)

// Digest identifies the content of a run of messages.
type Digest struct {
	// Fingerprint is the first 16 hex digits of SHA-256 over, for each
	// message, role, 0x00, content, 0x01.
	Fingerprint string
	// Detail is the first 16 hex digits of SHA-256 over the canonical JSON
	// of what the fingerprint does not see: reasoning, calls, tool ids,
	// marks. Two runs with equal Fingerprint and Detail are equal in
	// everything that can be trained on.
	Detail string
	// Edited tells what curators made of the messages, see edit.Digest; ""
	// where they are as recorded, of which the other two tell.
	Edited string
}

// Hasher computes the digest of a growing run of messages. Its cost per
// message is that of the message alone, and its state can be kept
// (MarshalBinary), so that an append never reads what came before.
type Hasher struct {
	content, detail hash.Hash
	buf             []byte
}

// NewHasher returns a hasher of no messages.
func NewHasher() *Hasher {
	return &Hasher{content: sha256.New(), detail: sha256.New()}
}

// Add appends one message to the run.
func (h *Hasher) Add(m *Message) {
	h.content.Write(bytesOf(string(m.Role)))
	h.content.Write([]byte{0})
	h.content.Write(bytesOf(m.Content))
	h.content.Write([]byte{1})
	h.buf = append(appendRest(append(h.buf[:0], '{'), m), '}')
	h.detail.Write(h.buf)
}

// Digest returns the digest of the messages added so far.
func (h *Hasher) Digest() Digest {
	return Digest{Fingerprint: short(h.content), Detail: short(h.detail)}
}

// Nth returns the fingerprint of the n-th segment of a session, n ≥ 2, whose
// roles and contents equal those of an earlier one: the same bytes followed by
// 0x02 and the decimal n. For n < 2 it is the plain fingerprint.
func (h *Hasher) Nth(n int) string {
	if n < 2 {
		return short(h.content)
	}
	c, err := clone(h.content)
	if err != nil {
		panic(err) // sha256 states always marshal
	}
	c.Write([]byte{2})
	c.Write(strconv.AppendInt(nil, int64(n), 10))
	return short(c)
}

// Reset forgets all messages.
func (h *Hasher) Reset() {
	h.content.Reset()
	h.detail.Reset()
}

// MarshalBinary returns the state of the hasher.
func (h *Hasher) MarshalBinary() ([]byte, error) {
	a, err := h.content.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		return nil, err
	}
	b, err := h.detail.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		return nil, err
	}
	return append(a, b...), nil
}

// UnmarshalBinary restores a state that MarshalBinary returned.
func (h *Hasher) UnmarshalBinary(state []byte) error {
	if len(state)%2 != 0 || len(state) == 0 {
		return fmt.Errorf("chat: hash state of %d bytes", len(state))
	}
	c, d := sha256.New(), sha256.New()
	half := len(state) / 2
	if err := c.(encoding.BinaryUnmarshaler).UnmarshalBinary(state[:half]); err != nil {
		return fmt.Errorf("chat: hash state: %w", err)
	}
	if err := d.(encoding.BinaryUnmarshaler).UnmarshalBinary(state[half:]); err != nil {
		return fmt.Errorf("chat: hash state: %w", err)
	}
	h.content, h.detail = c, d
	return nil
}

// DigestOf returns the digest of a whole run of messages.
func DigestOf(messages []Message) Digest {
	h := NewHasher()
	for i := range messages {
		h.Add(&messages[i])
	}
	return h.Digest()
}

func short(h hash.Hash) string {
	var sum [sha256.Size]byte
	return hex.EncodeToString(h.Sum(sum[:0])[:8])
}

func clone(h hash.Hash) (hash.Hash, error) {
	state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		return nil, err
	}
	c := sha256.New()
	return c, c.(encoding.BinaryUnmarshaler).UnmarshalBinary(state)
}

// bytesOf views a string as bytes without copying; hashes only read them.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
