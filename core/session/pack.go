package session

import (
	"encoding/binary"
	"encoding/hex"

	"winnow/core/chat"
)

// memoryVersion is the first byte of the packed form; another one is read as
// an empty memory.
const memoryVersion = 3

// pack returns the memory in its packed form; an empty one is nothing.
func (m *memory) pack() []byte {
	if !m.openai && !m.first && len(m.threads) == 0 && m.tree.empty() && m.codex == (codexMemory{}) && m.pi == (piMemory{}) {
		return nil
	}
	p := packer{b: []byte{memoryVersion}}
	m.pass(&p)
	return p.b
}

// unpack restores a memory; bytes that are not one give an empty memory.
func unpack(b []byte) (m memory) {
	if len(b) < 2 || b[0] != memoryVersion {
		return memory{}
	}
	p := packer{b: b[1:], reads: true}
	if m.pass(&p); p.failed {
		return memory{}
	}
	return m
}

func (m *memory) pass(p *packer) {
	codex, pi := m.codex != (codexMemory{}), m.pi != (piMemory{})
	p.flags([8]*bool{&m.openai, &m.first, &m.hasStream, 5: &codex, 6: &pi})
	p.text(&m.stream)
	p.text(&m.amended)
	passList(p, &m.threads, func(t **thread) {
		if p.reads {
			*t = &thread{}
		}
		(*t).pass(p)
	})
	m.tree.pass(p)
	if codex {
		m.codex.pass(p)
	}
	if pi {
		p.flags([8]*bool{&m.pi.linked, &m.pi.failed})
	}
}

func (t *thread) pass(p *packer) {
	compacted, asides := len(t.compactions) > 0, len(t.asides) > 0
	p.flags([8]*bool{3: &t.hasLast, 4: &t.sent, 5: &compacted, 6: &asides, 7: &t.side})
	p.byte(&t.titled)
	p.text(&t.key)
	p.text(&t.native)
	p.text(&t.model)
	passInt(p, &t.messages)
	passInt(p, &t.turn)
	passList(p, &t.calls, func(c *openCall) {
		passInt(p, &c.turn)
		passInt(p, &c.at)
		passInt(p, &c.task)
		p.text(&c.id)
		p.text(&c.name)
	})
	if compacted {
		passList(p, &t.compactions, func(n *int) { passInt(p, n) })
		p.text(&t.kept)
	}
	if asides {
		passList(p, &t.asides, func(a *codexAside) {
			passInt(p, &a.sum)
			passInt(p, &a.n)
		})
	}
	if !t.hasLast {
		return
	}
	passInt(p, &t.after)
	passInt(p, &t.resent)
	p.usage(&t.usage)
	l := &t.last
	passInt(p, &l.Marks)
	passInt(p, &l.SourceLine)
	passInt(p, &l.SourceOffset)
	for _, s := range lastTexts(l) {
		p.text(s)
	}
	passList(p, &l.ToolCalls, func(c *chat.ToolCall) {
		p.text(&c.ID)
		p.text(&c.Name)
		p.text(&c.Arguments)
	})
	if p.reads {
		l.Role, t.weight = chat.Assistant, weigh(l)
	}
}

// lastTexts are the texts of an assistant message.
func lastTexts(l *chat.Message) [9]*string {
	return [...]*string{&l.Content, &l.Reasoning, &l.StopReason, &l.Model, &l.Timestamp, &l.NativeID, &l.ParentID, &l.TurnID, &l.Child}
}

// packer writes fields, or reads them back: in which order they stand is said
// once, by what passes them. Numbers are varints, texts a length and the bytes.
// After the first damage it reads zeros.
type packer struct {
	b      []byte // what is written, or left to read
	reads  bool
	failed bool
}

// passInt passes a number that is not negative.
func passInt[T ~int | ~int64 | ~uint16 | ~uint32 | ~uint64](p *packer, n *T) {
	if !p.reads {
		p.b = binary.AppendUvarint(p.b, uint64(*n))
		return
	}
	v, size := binary.Uvarint(p.b)
	*n = T(v * p.moved(size))
}

// moved goes on by n bytes, and returns 1; n ≤ 0 is damage, and 0.
func (p *packer) moved(n int) uint64 {
	if n <= 0 {
		p.failed, p.b = true, nil
		return 0
	}
	p.b = p.b[n:]
	return 1
}

// usage passes numbers that may be negative.
func (p *packer) usage(u *Usage) {
	for _, n := range [...]*int64{&u.Input, &u.Output, &u.Cached} {
		if !p.reads {
			p.b = binary.AppendVarint(p.b, *n)
			continue
		}
		v, size := binary.Varint(p.b)
		*n = v * int64(p.moved(size))
	}
}

// count passes how many there are of what takes at least one byte each.
func (p *packer) count(n int) int {
	v := uint64(n)
	if passInt(p, &v); p.reads && v > uint64(len(p.b)) {
		p.failed, v = true, 0
	}
	return int(v)
}

// passList passes a list, and its elements by each.
func passList[E any](p *packer, list *[]E, each func(*E)) {
	for i := range p.count(len(*list)) {
		if p.reads {
			var zero E
			*list = append(*list, zero)
		}
		each(&(*list)[i])
	}
}

func (p *packer) byte(b *byte) {
	if !p.reads {
		p.b = append(p.b, *b)
	} else if one := p.take(1); len(one) > 0 {
		*b = one[0]
	}
}

// flags passes bits of a byte, by their place.
func (p *packer) flags(bits [8]*bool) {
	var set byte
	for i, bit := range bits {
		if bit != nil && *bit {
			set |= 1 << i
		}
	}
	p.byte(&set)
	for i, bit := range bits {
		if bit != nil && p.reads {
			*bit = set&(1<<i) != 0
		}
	}
}

func (p *packer) text(s *string) {
	if n := p.count(len(*s)); p.reads {
		*s = string(p.take(n))
	} else {
		p.b = append(p.b, *s...)
	}
}

func (p *packer) take(n int) []byte {
	if uint(n) > uint(len(p.b)) {
		p.failed = true
		return nil
	}
	b := p.b[:n]
	p.b = p.b[n:]
	return b
}

// id passes a text that mostly is a UUID, which takes less than half as much as
// its bytes.
func (p *packer) id(s *string) {
	raw, short := rawUUID(*s)
	size := len(*s) + 1 // 0 for the bytes of a UUID
	if short {
		size = 0
	}
	switch passInt(p, &size); {
	case !p.reads && short:
		p.b = append(p.b, raw[:]...)
	case !p.reads:
		p.b = append(p.b, *s...)
	case size != 0:
		*s = string(p.take(size - 1))
	default:
		if raw := p.take(len(raw)); len(raw) > 0 {
			*s = formatUUID(raw)
		}
	}
}

// dashes are the places of a UUID's dashes.
var dashes = [...]int{8, 13, 18, 23}

// rawUUID returns the bytes of a UUID that formatUUID writes as s.
func rawUUID(s string) (raw [16]byte, ok bool) {
	if len(s) != 36 {
		return raw, false
	}
	digits := make([]byte, 0, 32)
	from := 0
	for _, at := range dashes {
		if s[at] != '-' {
			return raw, false
		}
		digits = append(digits, s[from:at]...)
		from = at + 1
	}
	digits = append(digits, s[from:]...)
	_, err := hex.Decode(raw[:], digits)
	return raw, err == nil && formatUUID(raw[:]) == s
}

func formatUUID(raw []byte) string {
	digits := hex.EncodeToString(raw)
	return digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
}
