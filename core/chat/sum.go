package chat

import "crypto/sha256"

// Sum tells messages apart that differ in anything that a training record can
// hold: the first 16 bytes of SHA-256 over the canonical form. The zero Sum is
// that of no message.
type Sum [16]byte

// SumOf returns the sum of m.
func SumOf(m *Message) Sum {
	sum, _ := AppendSum(nil, m)
	return sum
}

// AppendSum is SumOf for many messages: it makes the canonical form in buf, which
// it returns to be used again.
func AppendSum(buf []byte, m *Message) (Sum, []byte) {
	buf = AppendCanonical(buf[:0], m)
	full := sha256.Sum256(buf)
	return Sum(full[:16]), buf
}
