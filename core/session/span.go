package session

import (
	"bytes"
	"fmt"

	"winnow/core/rawjson"
)

// maxLookAhead is how far behind its first line the end of a value is looked
// for: pretty-printed documents of that size exist, larger ones don't.
const maxLookAhead = 64 << 20

const (
	reasonUnfinished = "unfinished value"
	reasonRest       = "unreadable rest of the line"
)

// value reads the value at the position, which may span lines. odd is a note
// on what stood before it.
func (r *reader) value(odd string) error {
	r.scan.Reset()
	first := r.w.rest()[0]
	searched := 0 // bytes searched for a line end
	end := 0      // end of the last line that was given to the scanner
	firstEnd := 0 // end of the first line, 0 while in it
	whole := -1   // a line after the first that is an object by itself
	var l lookout
	for begun := 0; ; {
		if begun < end {
			if begun = end; r.foreign(&l, end) {
				return r.giveUp(end, -1, reasonUnfinished)
			}
		}
		b := r.w.rest()
		n := r.w.lineEnd(searched)
		limit := len(b)
		if n >= 0 {
			limit = n + 1
		}
		if limit > r.most {
			limit, n = r.most, -1
		}
		searched = limit
		switch p := r.scan.Scan(b[:limit], false); {
		case p == rawjson.More && limit == r.most:
			return r.passOver(&l, end, firstEnd)
		case p == rawjson.More:
		case p == rawjson.Done:
			return r.took(r.scan.End, odd)
		case end == 0:
			return r.junk(false, r.why(p, first))
		case p == rawjson.Broken:
			return r.giveUp(end, whole, reasonUnfinished)
		default:
			return r.giveUp(end, whole, r.why(p, first))
		}
		if n < 0 {
			if !r.w.more() {
				return r.unfinished(0)
			}
			continue
		}
		if end == 0 {
			firstEnd = limit
			if r.w.offset() < r.barred {
				return r.giveUp(limit, -1, reasonUnfinished)
			}
		} else if whole < 0 && r.isWhole(b[end:limit]) {
			whole = end
		}
		end = limit
		if limit-firstEnd > maxLookAhead {
			return r.giveUp(limit, whole, reasonUnfinished)
		}
	}
}

// isWhole reports whether a line is an object by itself.
func (r *reader) isWhole(line []byte) bool {
	line = bytes.Trim(line, " \t\r\n")
	if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' {
		return false
	}
	return r.ahead.Whole(line)
}

// why explains why the value at the position is none.
func (r *reader) why(p rawjson.Progress, first byte) string {
	switch {
	case p == rawjson.TooDeep:
		return fmt.Sprintf("nested deeper than %d", rawjson.MaxDepth)
	case p == rawjson.TooWide:
		return fmt.Sprintf("more than %d fields", rawjson.MaxFields)
	case first != '{' && first != '[':
		return reasonNotJSON
	}
	return fmt.Sprintf("broken JSON: column %d", r.w.offset()-r.line.Start+int64(r.scan.End)+1)
}

// took accounts for the value of n bytes at the position.
func (r *reader) took(n int, odd string) error {
	v := r.w.rest()[:n]
	at := r.line.Start
	if r.line.Begun {
		at = r.w.offset()
	}
	notes := []string(nil)
	if odd != "" {
		notes = append(notes, odd)
	}
	if r.array == 0 {
		r.line.Values++
		if r.line.Values == 2 {
			notes = append(notes, "more than one value on the line")
		}
	}
	val, mended := v, false
	if !r.scan.Clean(v) {
		var done []string
		val, done = rawjson.Repair(v)
		mended, notes = len(done) > 0, append(notes, done...)
		if !r.scan.Whole(val) {
			return r.junk(false, "broken JSON") // not reached: Repair makes valid JSON
		}
	}
	r.line.Begun = true
	length := r.w.offset() + int64(firstLine(v)) - r.line.Start
	for _, note := range notes {
		if err := r.issue(Note, length, note); err != nil {
			return err
		}
	}
	out := bad("not an object: " + rawjson.Kind(val))
	if val[0] == '{' {
		var err error
		if out, err = r.offer(val, at, mended); err != nil {
			return err
		}
	}
	if err := r.spend(v, out); err != nil {
		return err
	}
	if r.array > 0 {
		r.array++
		return r.save(r.mark)
	}
	return nil
}

// firstLine returns the length of what stands before the first line end.
func firstLine(v []byte) int {
	if n := bytes.IndexByte(v, '\n'); n >= 0 {
		return len(bytes.TrimRight(v[:n], "\r"))
	}
	return len(v)
}

// spend moves after the value v at the position. All lines it stands on count
// for what became of it.
func (r *reader) spend(v []byte, out outcome) error {
	from := 0
	err := lineBreaks(v, func(at int) error {
		if err := r.touch(out, r.w.offset()+int64(len(bytes.TrimRight(v[from:at], "\r")))-r.line.Start); err != nil {
			return err
		}
		if err := r.closeLine(nil); err != nil {
			return err
		}
		r.w.skip(at + 1 - from)
		from = at + 1
		r.nextLine(r.w.offset())
		r.line.Begun = true
		return nil
	})
	if err != nil {
		return err
	}
	if err := r.touch(out, r.w.offset()+int64(len(v)-from)-r.line.Start); err != nil {
		return err
	}
	r.w.skip(len(v) - from)
	r.mark = r.w.offset()
	return nil
}

// giveUp accounts for a value that was begun and does not end: the lines it
// was looked for on are bad, up to the first that is an object by itself
// (whole, if not negative), else up to the line after end, on which it turned
// out that it does not go on.
func (r *reader) giveUp(end, whole int, reason string) error {
	r.barred = max(r.barred, r.w.offset()+int64(end))
	if whole >= 0 {
		end = whole
	}
	r.noArray()
	for end > 0 {
		line := r.w.rest()[:end]
		n := bytes.IndexByte(line, '\n')
		body := bytes.TrimRight(line[:n], " \t\r")
		if len(body) > 0 {
			r.line.Begun = true
			if err := r.touch(r.ruin(reason), r.w.offset()+int64(len(body))-r.line.Start); err != nil {
				return err
			}
		}
		if err := r.closeLine(line[:n]); err != nil {
			return err
		}
		r.w.skip(n + 1)
		end -= n + 1
		r.nextLine(r.w.offset())
		reason = reasonUnfinished
	}
	return r.save(r.mark)
}

// noArray forgets an array of which no element was read: it is a line that starts
// with a bracket.
func (r *reader) noArray() {
	if r.array == 1 {
		r.array = 0
		r.arrays--
	}
}

// ruin is what becomes of the rest of a line that can't be read.
func (r *reader) ruin(reason string) outcome {
	if r.line.As == asRead {
		return bad(reasonRest)
	}
	return bad(reason)
}

// junk passes over the rest of a line that holds no value. maybeScalar says
// that it could be a single number, text or literal; anything else, and what is
// too long, is let go while it is read.
func (r *reader) junk(maybeScalar bool, reason string) error {
	maybeScalar = maybeScalar && r.line.Values == 0 && !r.line.Frame && bytes.IndexByte([]byte(`"-0123456789tfn`), r.w.rest()[0]) >= 0
	begin := r.w.offset()
	solid := begin // after the last byte that is not blank
	n, long := 0, false
	for searched := 0; ; {
		b := r.w.rest()
		i := r.w.lineEnd(searched)
		end := len(b)
		if i >= 0 {
			end = i
		}
		if body := bytes.TrimRight(b[searched:end], " \t\r\x00"); len(body) > 0 {
			solid = r.w.offset() + int64(searched+len(body))
		}
		if maybeScalar && end > r.most {
			maybeScalar, long = false, true
		}
		if n = end; i >= 0 {
			break
		}
		if searched = end; !maybeScalar {
			r.w.skip(end)
			searched = 0
		}
		if !r.w.more() {
			return r.unfinished(solid)
		}
	}
	r.noArray()
	if body := bytes.TrimRight(r.w.rest()[:n], " \t\r\x00"); maybeScalar && r.scan.Whole(body) {
		reason = "not an object: " + rawjson.Kind(body)
	}
	r.line.Begun = true
	out := r.ruin(reason)
	if long {
		out = r.tooLong(solid - begin)
	}
	if err := r.touch(out, solid-r.line.Start); err != nil {
		return err
	}
	return r.endLine(n)
}
