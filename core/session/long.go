package session

import (
	"bytes"
	"fmt"
	"strconv"

	"winnow/core/rawjson"
)

// DefaultMaxValue is how many bytes a value may have where Options do not say.
const DefaultMaxValue = 256 << 20

// longValue is a value that has more bytes than it may have. It is bad, however it
// goes on. The scanner looks for its end, so that what comes after it is read, but
// nothing of it is kept except for the line that is being looked at: that may turn
// out to be none of the value.
type longValue struct {
	*reader
	begin int64 // its offset
	lines int64 // of it, that ended
	first int64 // offset after the first of them
	at    int64 // offset of the line that is looked at
	solid int64 // offset after the last byte that is not blank
	// ruined says that it is none, and that the line that is looked at was let go.
	ruined bool
	look   *lookout
}

// passOver passes over the value at the position, of which the scanner has looked
// at as much as it may have. It stopped on the line that begins at rest()[end];
// firstEnd is where the first line ends, if that is another one.
func (r *reader) passOver(look *lookout, end, firstEnd int) error {
	begin := r.w.offset()
	v := longValue{reader: r, begin: begin, first: begin + int64(firstEnd), at: begin + int64(end), look: look}
	v.lines = int64(bytes.Count(r.w.rest()[:end], []byte{'\n'}))
	v.drop(end)
	for searched := 0; ; {
		b := r.w.rest()
		n := r.w.lineEnd(searched)
		from := searched
		searched = len(b)
		if n >= 0 {
			searched = n + 1
		}
		if body := bytes.TrimRight(b[from:searched], blanks); len(body) > 0 {
			v.solid = r.w.offset() + int64(from+len(body))
		}
		if !v.ruined {
			switch r.scan.Scan(b[:searched], false) {
			case rawjson.More:
			case rawjson.Done, rawjson.TooWide:
				return v.end()
			default:
				if v.lines > 0 && v.held() < r.most {
					return v.giveUp()
				}
				v.ruined = true
			}
		}
		if n >= 0 {
			if v.nextLine(searched) {
				return v.giveUp()
			}
			searched = 0
			continue
		}
		if v.held() >= r.most || v.ruined {
			searched -= v.drop(searched)
		}
		v.ruined = v.ruined || searched-r.scan.End > r.most // a number
		if !r.w.more() {
			return v.unfinished()
		}
	}
}

// held is how much of the line was looked at.
func (v *longValue) held() int { return int(v.w.offset() + int64(v.scan.End) - v.at) }

// drop lets go of n bytes, or of as many as the scanner has looked at. It returns
// how many these are.
func (v *longValue) drop(n int) int {
	if !v.ruined {
		n = min(n, v.scan.End)
		v.look.pass(v.w.rest(), v.scan.Fields)
		v.look.passed = 0
		v.scan.Drop(n)
	}
	v.w.skip(n)
	return n
}

// nextLine goes on to the line that begins at rest()[n]. It reports whether the
// value is to be taken for one that does not go on there.
func (v *longValue) nextLine(n int) bool {
	v.at = v.w.offset() + int64(n)
	if v.lines++; v.lines == 1 {
		v.first = v.at
	}
	ahead := n - v.drop(n)
	return v.ruined || v.at-v.first > maxLookAhead || v.begin < v.barred || v.foreign(v.look, ahead)
}

// end accounts for the value, which ends where the scanner stopped.
func (v *longValue) end() error {
	end := v.w.offset() + int64(v.scan.End)
	if err := v.account(end); err != nil {
		return err
	}
	v.w.skip(v.scan.End)
	v.line.Begun, v.mark = true, end
	if v.lines > 0 {
		v.line.As = Bad
	}
	if v.array == 0 {
		v.line.Values++
		return nil
	}
	v.array++
	return v.save(v.mark)
}

// giveUp accounts for the lines that ended. Reading goes on after them.
func (v *longValue) giveUp() error {
	v.noArray()
	if err := v.account(v.at - 1); err != nil {
		return err
	}
	v.w.skip(int(v.at - v.w.offset()))
	return v.save(v.mark)
}

// account counts the lines that ended. The ledger has the value once, however many
// lines it is on.
func (v *longValue) account(end int64) error {
	if err := v.touch(v.tooLong(end-v.begin), end-v.line.Start); err != nil || v.lines == 0 {
		return err
	}
	v.counts = v.counts.add(v.line.As, 1).add(Bad, v.lines-1)
	v.reader.lines += v.lines
	v.line, v.mark = newLine(v.at), v.at
	return nil
}

// unfinished notes that the source ends in the value.
func (v *longValue) unfinished() error {
	v.pending = v.lines
	if v.w.offset() > v.at {
		v.pending++ // of the line, little is in memory
		v.w.skip(len(v.w.rest()))
	}
	return v.reader.unfinished(v.solid)
}

// tooLong says what becomes of a value of so many bytes.
func (r *reader) tooLong(size int64) outcome {
	if r.saved.MaxValue == 0 || r.saved.MaxValue > int64(r.most) {
		r.saved.MaxValue = int64(r.most)
	}
	return bad(fmt.Sprintf("value larger than max_value = %s: %s", sizeText(int64(r.most)), sizeText(size)))
}

// sizeText writes a size as the setting has it, and no smaller than it is.
func sizeText(n int64) string {
	for i, letter := range []string{"G", "M", "K"} {
		if unit := int64(1) << (30 - 10*i); n >= unit {
			return strconv.FormatFloat(float64((n*10+unit-1)/unit)/10, 'f', -1, 64) + letter
		}
	}
	return strconv.FormatInt(n, 10)
}
