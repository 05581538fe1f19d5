package edit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"winnow/core/chat"
)

// Digest tells the current view of a run of messages: 16 hex digits, "" if no edit
// is in force. content is the digest of the recorded messages from start on, edits
// are those among them, sorted by place. As the recorded messages are told by
// content, what is hashed besides is the edits alone: that costs the same for a
// session of any length, and a segment that moves keeps it.
func Digest(content chat.Digest, start int, edits []Edit) string {
	h := sha256.New()
	h.Write([]byte(content.Fingerprint + " " + content.Detail + "\n"))
	var buf []byte
	some := false
	for i := range edits {
		e := &edits[i]
		if e.Clash {
			continue
		}
		some = true
		buf = binary.AppendVarint(buf[:0], int64(e.N-start))
		buf = binary.AppendVarint(buf, int64(e.Part))
		h.Write(append(buf, e.Op...))
		if e.Op != Drop {
			sum := chat.SumOf(&e.Message)
			h.Write(sum[:])
		}
	}
	if !some {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
