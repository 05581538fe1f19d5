package hub

import (
	"bytes"
	"slices"

	"winnow/core/chat"
	"winnow/core/review"
)

// message is one with what is derived from it.
type message struct {
	chat.Message
	head  review.Head
	tally review.Tally
}

func measured(m *chat.Message) message {
	head, tally := review.Measure(m)
	return message{*m, head, tally}
}

// packer collects messages of one chunk.
type packer struct {
	first  int
	packed []byte
	small  []byte // packed, compressed
	heads  []review.Head
	starts []Start
	// contexts are those of compactions.
	contexts []review.Context
}

// add packs a message and returns its packed form.
func (p *packer) add(m *chat.Message, h review.Head) []byte {
	if len(p.heads) == 0 {
		p.first = m.N
	}
	at := len(p.packed)
	p.packed = chat.AppendMessage(p.packed, m)
	p.heads = append(p.heads, h)
	if m.Child != "" {
		p.starts = append(p.starts, Start{m.N, m.Child})
	}
	if c, ok := review.ContextOf(m); ok {
		p.contexts = append(p.contexts, c)
	}
	return p.packed[at:]
}

// full reports whether a message of that size belongs into the next chunk; a
// giant one gets a chunk of its own.
func (p *packer) full(size int) bool {
	return len(p.heads) > 0 && len(p.packed)+size > chat.ChunkSize
}

// chunk compresses what was collected.
func (p *packer) chunk() Chunk {
	p.small = chat.Compress(p.small[:0], p.packed)
	return Chunk{
		First: p.first, Last: p.first + len(p.heads) - 1, Raw: len(p.packed),
		Data: bytes.Clone(p.small), Heads: p.heads, Starts: slices.Clone(p.starts), Contexts: slices.Clone(p.contexts),
	}
}

// reset starts the next chunk; the heads now belong to the closed one.
func (p *packer) reset() {
	p.packed, p.heads, p.starts, p.contexts = p.packed[:0], nil, p.starts[:0], p.contexts[:0]
}

// messages returns what was collected.
func (p *packer) messages() ([]chat.Message, error) {
	if len(p.heads) == 0 {
		return nil, nil
	}
	return chat.ReadChunk(chat.Compress(nil, p.packed))
}

// drop takes out what was added after a length of both.
func (p *packer) drop(packed, heads int) {
	p.packed, p.heads = p.packed[:packed], p.heads[:heads]
	for n := len(p.starts); n > 0 && p.starts[n-1].N >= p.first+heads; n-- {
		p.starts = p.starts[:n-1]
	}
	for n := len(p.contexts); n > 0 && p.contexts[n-1].N >= p.first+heads; n-- {
		p.contexts = p.contexts[:n-1]
	}
}
