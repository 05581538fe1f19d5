package main

import "math/rand/v2"

// kind is a kind of text.
type kind uint8

const (
	prose kind = iota
	think
	chineseProse
	logs
	tests
	source
	script
	listing
	traces
	jsons
	diffs
	matches
	commands
	paths
	errors
	asks
	chineseAsks
	kinds int = iota
)

// linesPerKind is large enough that a line rarely comes twice within the
// window of a compressor (256 KiB), and small enough to be made in a moment.
const linesPerKind = 12000

// bytesPerLine is a little more than lines have on average.
const bytesPerLine = 80

// pool holds lines of every kind, JSON-escaped and ready to be copied. Making
// a line takes a microsecond, copying one a few nanoseconds: only so can a
// program generate faster than another can read.
type pool struct {
	bytes []byte
	lines [kinds][]line
}

// line is a stretch of the pool's bytes with the places that are drawn anew
// at every use, so that no two uses are the same.
type line struct {
	start, end uint32
	slots      []slot
}

type slot struct {
	at     uint16 // from the line's start
	digits uint8
	mark   uint8
}

// clockLen is the length of a time of day, "15:04:05.000".
const clockLen = 12

func newPool(seed uint64) *pool {
	p := &pool{bytes: make([]byte, 0, int(kinds)*linesPerKind*bytesPerLine)}
	f := filler{rand.New(rand.NewPCG(seed, 0x706f6f6c))}
	var raw []byte
	for k := range kinds {
		lines := make([]line, linesPerKind)
		choices := templates[kind(k)]
		for i := range lines {
			raw = f.fill(raw[:0], choices[f.rng.IntN(len(choices))])
			lines[i] = p.add(append(raw, '\n'))
		}
		p.lines[k] = lines
	}
	return p
}

// add escapes a line for JSON and turns its marks into slots.
func (p *pool) add(raw []byte) line {
	l := line{start: uint32(len(p.bytes))}
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case markHex, markDecimal, markClock:
			i++
			l.slots = append(l.slots, slot{uint16(len(p.bytes) - int(l.start)), raw[i], c})
			for range raw[i] {
				p.bytes = append(p.bytes, '0')
			}
		case '\n':
			p.bytes = append(p.bytes, `\n`...)
		case '\t':
			p.bytes = append(p.bytes, `\t`...)
		case '"', '\\':
			p.bytes = append(p.bytes, '\\', c)
		default:
			p.bytes = append(p.bytes, c)
		}
	}
	l.end = uint32(len(p.bytes))
	return l
}

// appendLine copies a line and fills its slots. The clock is milliseconds of
// the day.
func (p *pool) appendLine(b []byte, l *line, rng *rand.PCG, clock int) []byte {
	at := len(b)
	b = append(b, p.bytes[l.start:l.end]...)
	for _, s := range l.slots {
		place := b[at+int(s.at):][:s.digits]
		switch s.mark {
		case markClock:
			putClock(place, clock)
		case markHex:
			for i, x := 0, rng.Uint64(); i < len(place); i, x = i+1, x>>4 {
				place[i] = "0123456789abcdef"[x&15]
			}
		case markDecimal:
			x := uint32(rng.Uint64())
			for i := len(place) - 1; i > 0; i, x = i-1, x/10 {
				place[i] = byte('0' + x%10)
			}
			place[0] = byte('1' + x%9) // numbers have no leading zero
		}
	}
	return b
}

// putClock writes a time of day as 15:04:05.000.
func putClock(place []byte, ms int) {
	copy(place, "00:00:00.000")
	s := ms / 1000
	put2(place[0:], s/3600%24)
	put2(place[3:], s/60%60)
	put2(place[6:], s%60)
	put2(place[9:], ms%1000/10)
	place[11] = byte('0' + ms%10)
}

func put2(place []byte, n int) { place[0], place[1] = byte('0'+n/10), byte('0'+n%10) }
