package session

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"math"

	"winnow/core/rawjson"
)

// Options says how a source is to be read.
type Options struct {
	// Format is "" or Auto to detect, else the name of a registry row: then
	// only that format is used, and lines it does not accept are bad.
	Format string
	// Exact keeps what was recorded although it shows nothing: empty
	// messages, arguments that are null, white space around blocks of text. A
	// conversation that is all in one value is told, with Whole, although it
	// has no message. For converting, where one comes out for each that went
	// in; never with a State of a reading without it.
	Exact bool
	// MaxValue is how many bytes a value may have, 0 for DefaultMaxValue. A longer
	// one is bad and passed over.
	MaxValue int64
}

// Result is where a reading ended.
type Result struct {
	// State is where to go on when the source has grown.
	State State
	// Pending is the number of lines after State that are not finished:
	// 0, or 1, or more if a value spans them that may still be completed.
	// Their issue was sent, with Severity Pending.
	Pending int64
	// Seen tells in a phrase what was in a source that gave no message, such
	// as "3 lines: no message: keys id, text"; "" if it gave some or if the
	// reading did not start at the beginning.
	Seen string
}

// Read reads a source from where an earlier reading stopped, or from its
// beginning with the zero State. r is positioned at from.Offset, in text as
// Decode returns it. What is found goes to sink, in the order of the source.
//
// Reading a source in pieces while it grows, each time from the State
// returned, gives the same messages, counts and issues (but pending ones) as
// reading it once.
//
// Whatever is in the source, it is read to the end: the error is one of r
// (as a *LineError without a path), of sink, of ctx, or of an unknown format.
// Result.State is then the last one that the sink kept.
func Read(ctx context.Context, r io.Reader, opt Options, from State, sink Sink) (Result, error) {
	formats := Formats()
	forced, err := formatNamed(formats, opt.Format)
	if err != nil {
		return Result{State: from}, err
	}
	rd := newReader(ctx, r, formats, forced, from, sink)
	rd.entry.exact = opt.Exact
	rd.most = int(min(cmp.Or(opt.MaxValue, DefaultMaxValue), math.MaxInt))
	defer rd.w.release()
	err = rd.start()
	for err == nil {
		err = rd.next()
	}
	if rd.seen.binary {
		// Nothing of it counts: with more after its head it may be text.
		return Result{State: from, Seen: rd.seen.phrase(0)}, nil
	}
	if err == io.EOF {
		err = rd.finish()
	}
	if err == nil {
		rd.saved.Keep()
	}
	res := Result{State: rd.kept, Pending: rd.pending}
	if from.Offset == 0 && rd.seen.messages == 0 {
		res.Seen = rd.seen.phrase(rd.lines + rd.pending)
	}
	return res, err
}

// reader is one run of Read.
type reader struct {
	w       window
	sink    Sink
	formats []Format
	forced  *Format
	inForce *Format
	most    int // bytes of a value

	saved  State  // the last state given to the sink
	kept   State  // the last one that the sink kept
	counts Counts // of finished lines
	lines  int64  // finished lines
	array  int64  // as State.InArray
	arrays int64  // as State.Arrays
	line   lineState
	// mark is the offset from which the current line would be read on.
	mark int64
	// barred is the end of a stretch that was searched for the end of an
	// unfinished value. Nothing in it starts such a search again, which
	// keeps the work linear, and no state is given out inside of it.
	barred  int64
	pending int64

	scan   rawjson.Scanner
	ahead  rawjson.Scanner // of a line after the first of a value
	mem    memory
	entry  entry
	names  interner
	object object
	parts  scratch
	seen   tally
}

func newReader(ctx context.Context, r io.Reader, formats []Format, forced *Format, from State, sink Sink) *reader {
	rd := &reader{
		w: newWindow(ctx, r, from.Offset), sink: sink, formats: formats, forced: forced,
		saved: from, kept: from, counts: from.Counts, lines: from.Lines, array: from.InArray, arrays: from.Arrays,
		mark: from.Offset, mem: unpack(from.Decoder),
	}
	rd.saved.from = rd
	rd.entry = entry{sink: sink, mem: &rd.mem, names: &rd.names}
	rd.inForce = forced
	for i := range formats {
		if forced == nil && formats[i].Name == from.Format {
			rd.inForce = &formats[i]
		}
	}
	rd.line = newLine(from.Offset)
	if from.Line.Begun {
		rd.lines--
		if from.OpenLine {
			rd.counts = rd.counts.add(from.Line.As, -1)
		}
		if !from.OpenBlank() {
			rd.line.LineState = from.Line
		}
	}
	return rd
}

var byteOrderMark = []byte("\uFEFF")

// start passes over a byte order mark and refuses what is no text at all.
func (r *reader) start() error {
	if r.mark != 0 {
		return nil
	}
	for len(r.w.rest()) < sniffSize && r.w.more() {
	}
	head := r.w.rest()
	if bytes.HasPrefix(head, byteOrderMark) {
		r.w.skip(len(byteOrderMark))
		r.line.Start, r.mark = r.w.offset(), r.w.offset()
		return nil
	}
	head = head[:min(len(head), sniffSize)]
	if isBinary(head) {
		r.seen.binary = true
		return io.EOF
	}
	r.seen.text = textKind(head)
	text := bytes.TrimLeft(head, blanks)
	r.seen.object = len(text) > 0 && (text[0] == '{' || text[0] == '[')
	return nil
}

// next reads one line, or one step of a line that is not one plain object.
// It returns io.EOF at the end of what can be read.
func (r *reader) next() error {
	if !r.line.Begun && r.array == 0 {
		if took, err := r.plainLine(); took || err != nil {
			return err
		}
	}
	return r.step()
}

// plainLine takes a line that is one valid object, which nearly all are. It
// leaves any other line as it is.
func (r *reader) plainLine() (took bool, err error) {
	b := r.w.rest()
	if len(b) == 0 && r.w.more() {
		b = r.w.rest()
	}
	if len(b) == 0 || b[0] != '{' {
		return false, nil
	}
	n := r.w.lineEnd(0)
	for ; n < 0; n = r.w.lineEnd(0) {
		if len(b) >= r.most || !r.w.more() {
			return false, nil
		}
		b = r.w.rest()
	}
	raw := bytes.TrimRight(b[:n], " \t\r")
	if len(raw) > r.most || !r.scan.Whole(raw) || !r.scan.Clean(raw) {
		return false, nil
	}
	out, err := r.offer(raw, r.line.Start, false)
	if err != nil {
		return false, err
	}
	r.line.Begun, r.line.Values = true, 1
	if err := r.touch(out, int64(len(raw))); err != nil {
		return false, err
	}
	return true, r.endLine(n)
}

// step goes on in a line that is anything: blank, garbage, several values, a
// value that spans lines, or part of an array.
func (r *reader) step() error {
	odd := ""
	for {
		b := r.w.rest()
		i := 0
		for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == 0 || b[i] == ',' && r.array > 0) {
			if b[i] == 0 {
				odd = noteNUL
			}
			i++
		}
		if i == len(b) {
			r.w.skip(i)
			if !r.w.more() {
				r.line.padding = odd != ""
				return io.EOF
			}
			continue
		}
		if b[i] == byteOrderMark[0] && len(b)-i < len(byteOrderMark) && r.w.more() {
			continue
		}
		r.w.skip(i)
		if !bytes.HasPrefix(b[i:], byteOrderMark) {
			break
		}
		r.w.skip(len(byteOrderMark))
		odd = noteMark
	}
	switch c := r.w.rest()[0]; {
	case c == '\n':
		r.line.padding = odd != ""
		return r.endLine(0)
	case c == '[' && r.array == 0:
		r.array = 1
		r.arrays++
		r.bracket()
		return nil
	case c == ']' && r.array > 0:
		r.array = 0
		r.bracket()
		return r.closed()
	case c == '{' || r.array > 0:
		return r.value(odd)
	}
	return r.junk(true, reasonNotJSON)
}

const (
	noteNUL  = "NUL bytes before the value"
	noteMark = "byte order mark inside of the source"
)

// bracket takes the bracket of a top-level array.
func (r *reader) bracket() {
	r.w.skip(1)
	r.line.Begun, r.line.Frame = true, true
	r.mark = r.w.offset()
}

// closed accounts for a closing bracket that has nothing before it on its
// line. That is told at once: the source may end here, and what follows later
// on the line must not change it.
func (r *reader) closed() error {
	if r.line.As != "" {
		return nil
	}
	return r.touch(skipped(r.line.blank()), r.mark-r.line.Start)
}

// finish accounts for what is left at the end of the source.
func (r *reader) finish() error {
	if err := r.w.end; err != io.EOF {
		return &LineError{Line: r.lines + 1, Offset: r.line.Start, Err: err}
	}
	if r.w.damaged != nil {
		if err := r.sink.Issue(Issue{Offset: r.w.offset(), Severity: Bad, Reason: r.w.damaged.Error()}); err != nil {
			return err
		}
	}
	if err := r.entry.amendLast(); err != nil {
		return err
	}
	if r.pending == 0 && r.line.Begun && r.array == 0 {
		return r.saveOpen()
	}
	if n := r.w.offset() - r.line.Start; r.pending == 0 && !r.line.Begun && n > 0 && !r.line.padding {
		if err := r.touch(skipped(reasonBlank), n); err != nil {
			return err
		}
		return r.saveOpen()
	}
	if r.pending == 0 && r.line.Begun {
		r.pending = 1
		if err := r.issue(Pending, r.w.offset()-r.line.Start, "array not closed yet"); err != nil {
			return err
		}
	}
	return r.save(r.mark)
}

// unfinished notes that the rest of the source, from the mark on, is no
// complete value yet. solid is the end of what is not blank in it, 0 if all of
// it is in memory.
func (r *reader) unfinished(solid int64) error {
	rest := r.w.rest()
	if solid == 0 {
		solid = r.w.offset() + int64(len(bytes.TrimRight(rest, " \t\r\n\x00")))
	}
	last := rest[bytes.LastIndexByte(rest, '\n')+1:]
	r.pending += int64(bytes.Count(rest, []byte{'\n'}))
	if r.pending == 0 || len(bytes.TrimRight(last, "\x00")) > 0 {
		r.pending++ // the last line has no end
	}
	if !r.line.Begun {
		r.mark = r.line.Start
	}
	if err := r.issue(Pending, solid-r.line.Start, "unfinished line"); err != nil {
		return err
	}
	return io.EOF
}
