package main

import (
	"io"
	"math/rand/v2"
	"strconv"
	"time"
)

// spillAt bytes are collected before they are written: enough that the cost
// of a write does not show, and still in the processor's cache.
const spillAt = 256 << 10

// page is where sessions are written. It keeps at most spillAt bytes, however
// long a line gets.
type page struct {
	w     io.Writer
	buf   []byte
	total int64 // bytes written, with those in buf
	err   error // the first failure; nothing is written after it
	// messages counts what was written as a reader should count it: each
	// result on its own, a turn over several lines once.
	messages int

	pool  *pool
	pcg   *rand.PCG
	clock int // milliseconds of the day, for the times inside of texts
	// nested says that what is written stands in a string of a JSON text that
	// is itself a string: it is escaped once more.
	nested bool
	plain  []byte // what is being escaped
}

// text says what a text should be; it is made when it is written, so that a
// text of any size takes no memory.
type text struct {
	kind kind
	size int // bytes; it ends with the line that reaches them
	// before and after stand around it, already escaped.
	before, after string
	numbered      bool // with line numbers, as tools show files
}

func (t text) empty() bool { return t.size == 0 && t.before == "" && t.after == "" }

// What a line is made of, besides strings, texts and times, which are written
// as put comes to them.
type (
	// parts are written one after the other.
	parts []any
	// nested are parts in a string of a JSON text that is itself a string: they
	// are escaped once more.
	nested []any
	// commas separates the elements of a list: the first one has none before it.
	commas struct{ begun bool }
	// below is a random number less than it.
	below uint64
	// signature is that many random numbers, written as a word.
	signature int
)

// put writes the parts of a line. What is random is drawn when it is written.
func (p *page) put(line ...any) {
	for _, part := range line {
		switch v := part.(type) {
		case string:
			p.raw(v)
		case text:
			p.text(v)
		case time.Time:
			p.buf = v.AppendFormat(p.buf, "2006-01-02T15:04:05.000Z")
		case parts:
			p.put(v...)
		case nested:
			p.nested = true
			p.put(v...)
			p.nested = false
		case *commas:
			if v.begun {
				p.raw(", ")
			}
			v.begun = true
		case below:
			p.buf = strconv.AppendUint(p.buf, p.pcg.Uint64()%uint64(v), 10)
		case signature:
			for range v {
				p.buf = strconv.AppendUint(p.buf, p.pcg.Uint64(), 36)
			}
		case func():
			v()
		default:
			panic("trajgen: a part of a line that cannot be written")
		}
	}
}

func (p *page) raw(s string) {
	at := len(p.buf)
	p.buf = append(p.buf, s...)
	p.nest(at)
}

// nest escapes what was written from at on, if that is due.
func (p *page) nest(at int) {
	if !p.nested {
		return
	}
	p.plain = append(p.plain[:0], p.buf[at:]...)
	p.buf = p.buf[:at]
	for _, c := range p.plain {
		if c == '"' || c == '\\' {
			p.buf = append(p.buf, '\\')
		}
		p.buf = append(p.buf, c)
	}
}

// text writes t without quotes around it.
func (p *page) text(t text) {
	p.raw(t.before)
	if t.size > 0 {
		p.lines(t)
	}
	p.raw(t.after)
}

func (p *page) lines(t text) {
	from := p.offset()
	number := 1 + int(p.pcg.Uint64()%400)
	lines := p.pool.lines[t.kind]
	for done := false; !done; {
		x := p.pcg.Uint64()
		at, run := int(x>>32)%len(lines), 3+int(x&15)
		for i := at; i < min(at+run, len(lines)) && !done; i++ {
			p.clock += int(x>>8) & 127
			start := len(p.buf)
			if t.numbered {
				for limit := 100000; limit > number; limit /= 10 {
					p.buf = append(p.buf, ' ')
				}
				p.buf = append(strconv.AppendInt(p.buf, int64(number), 10), `→\t`...)
				number++
			}
			p.buf = p.pool.appendLine(p.buf, &lines[i], p.pcg, p.clock)
			p.nest(start)
			done = p.offset()-from >= int64(t.size)
		}
		p.spill(false)
	}
	p.buf = p.buf[:len(p.buf)-len(`\n`)] // the last line end
	if p.nested {
		p.buf = p.buf[:len(p.buf)-1]
	}
}

// one returns a line of a kind, escaped.
func (p *page) one(k kind) string { return string(p.line(nil, k)) }

// line appends a line of a kind, escaped.
func (p *page) line(b []byte, k kind) []byte {
	lines := p.pool.lines[k]
	b = p.pool.appendLine(b, &lines[p.pcg.Uint64()%uint64(len(lines))], p.pcg, p.clock)
	return b[:len(b)-len(`\n`)]
}

// offset is the number of bytes made so far.
func (p *page) offset() int64 { return p.total + int64(len(p.buf)) }

// lineEnd is the length of an escaped line end, at most.
const lineEnd = len(`\\n`)

// spill hands the bytes over if there are many or if all of them must go. It
// leaves the last ones, which lines may take back.
func (p *page) spill(all bool) {
	if len(p.buf) < spillAt && !all {
		return
	}
	keep := min(lineEnd, len(p.buf))
	if all {
		keep = 0
	}
	n := len(p.buf) - keep
	if p.err == nil {
		_, p.err = p.w.Write(p.buf[:n])
	}
	p.total += int64(n)
	p.buf = append(p.buf[:0], p.buf[n:]...)
}
