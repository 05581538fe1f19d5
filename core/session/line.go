package session

import (
	"bytes"
	"slices"
)

// lineState is what is known of the line that is being read. It is begun if
// something but blanks was read on it.
type lineState struct {
	LineState
	padding bool // NUL bytes
}

func newLine(start int64) lineState { return lineState{LineState: LineState{Start: start}} }

// ranks orders what a line counts as: it counts as the best of its values.
var ranks = [...]Severity{"", Skipped, Bad, asRead}

func rank(s Severity) int { return slices.Index(ranks[:], s) }

// add counts n lines of a kind.
func (c Counts) add(as Severity, n int64) Counts {
	switch as {
	case asRead:
		c.Read += n
	case Bad:
		c.Bad += n
	case Skipped:
		c.Skipped += n
	}
	return c
}

// touch accounts for one value on the current line. length is from the
// line's start to the value's end. A value that gave nothing on a line that
// gave something is a note.
func (r *reader) touch(out outcome, length int64) error {
	was := r.line.As
	if rank(out.as) > rank(was) {
		r.line.As = out.as
	}
	if out.as == asRead {
		return nil
	}
	r.seen.count(out.reason)
	severity := out.as
	if was == asRead {
		severity = Note
	}
	return r.issue(severity, length, out.reason)
}

// issue adds to the ledger of the current line. The same reason twice in a
// row is told once: an array of a million numbers is one issue.
func (r *reader) issue(severity Severity, length int64, reason string) error {
	if severity != Pending {
		if reason == r.line.Last {
			return nil
		}
		r.line.Last = reason
	}
	return r.sink.Issue(Issue{Line: r.lines + 1, Offset: r.line.Start, Length: length, Severity: severity, Reason: reason})
}

// endLine closes the current line, whose end is n bytes after the position,
// and gives out the state.
func (r *reader) endLine(n int) error {
	if err := r.closeLine(r.w.rest()[:n]); err != nil {
		return err
	}
	r.w.skip(n + 1)
	r.nextLine(r.w.offset())
	return r.save(r.mark)
}

// closeLine counts the current line. rest is what stands between the position
// and its end.
func (r *reader) closeLine(rest []byte) error {
	if r.line.As == "" {
		end := r.w.offset() + int64(len(rest))
		if err := r.touch(skipped(r.line.blank()), end-r.line.Start); err != nil {
			return err
		}
	}
	r.counts = r.counts.add(r.line.As, 1)
	return nil
}

func (l *lineState) blank() string {
	switch {
	case l.Frame:
		return "array bracket"
	case l.padding:
		return "NUL bytes only"
	}
	return reasonBlank
}

const reasonBlank = "blank"

// nextLine begins the line at that offset.
func (r *reader) nextLine(start int64) {
	r.lines++
	r.line = newLine(start)
	r.mark = start
}

// minRun is how many bytes of lines that add to one message are read at least
// before a state is given out between them: a state holds the message.
const minRun = 64 << 10

// save gives out the state from which reading can go on at offset. Between
// lines that add to one message it waits for as much as the message weighs,
// so that all its states together cost no more than its lines.
func (r *reader) save(offset int64) error {
	if t := r.entry.t; offset < r.barred || t != nil && t.grown && offset-r.saved.Offset < int64(max(minRun, t.weight)) {
		return nil
	}
	if err := r.entry.amendLast(); err != nil {
		return err
	}
	return r.giveState(offset, false)
}

// saveOpen gives out the state at the end of a source whose last line is
// complete without a line end: it is counted, and taken out of the count
// again when reading goes on.
func (r *reader) saveOpen() error {
	r.counts, r.line.Begun = r.counts.add(r.line.As, 1), true // so that giveState counts the line
	err := r.giveState(r.mark, true)
	r.lines++
	return err
}

// giveState gives the sink the state from which reading can go on at offset.
func (r *reader) giveState(offset int64, openLine bool) error {
	s := &r.saved
	s.Offset, s.Lines, s.Counts, s.InArray, s.Arrays = offset, r.lines, r.counts, r.array, r.arrays
	s.OpenLine, s.Line = openLine, LineState{}
	if r.line.Begun {
		s.Lines++
		s.Line = r.line.LineState
	}
	if r.inForce != nil {
		s.Format = r.inForce.Name
	}
	return r.sink.LineDone(s)
}

// lineBreaks calls f for every line end inside of b with its place.
func lineBreaks(b []byte, f func(at int) error) error {
	for from := 0; ; {
		n := bytes.IndexByte(b[from:], '\n')
		if n < 0 {
			return nil
		}
		from += n + 1
		if err := f(from - 1); err != nil {
			return err
		}
	}
}
