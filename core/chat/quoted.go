package chat

import (
	"sort"
	"strings"
)

// span is a part of a text, from lo up to hi.
type span struct{ lo, hi int }

// quoted reports whether the tag at i is text: it stands in code, between
// quotation marks or in a call.
func (t *thoughts) quoted(i int) bool {
	if !t.looked {
		t.looked, t.quotes = true, quotes(t.text)
	}
	n := sort.Search(len(t.quotes), func(n int) bool { return t.quotes[n].hi > i })
	return n < len(t.quotes) && t.quotes[n].lo <= i || t.betweenMarks(i)
}

// betweenMarks reports whether a tag has a quotation mark on either side.
func (t *thoughts) betweenMarks(i int) bool {
	end := i + strings.IndexByte(t.text[i:], '>') + 1
	for _, marks := range [...][2]string{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}, {"「", "」"}} {
		if strings.HasSuffix(t.text[:i], marks[0]) && strings.HasPrefix(t.text[end:], marks[1]) {
			return true
		}
	}
	return false
}

const callOpen, callShut = "<tool_call>", "</tool_call>"

// quotes finds the code in a text, fenced and inside of lines, and the calls
// between tags, in their order. What is opened and not closed quotes nothing.
func quotes(text string) (found []span) {
	if !strings.Contains(text, "`") && !strings.Contains(text, "~~~") && !strings.Contains(text, callOpen) {
		return nil
	}
	unclosed := map[byte]bool{} // fences that nothing closes
	lastShut := strings.LastIndex(text, callShut)
	for at := 0; at < len(text); {
		line := text[at:]
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line = line[:n+1]
		}
		end := at + len(line)
		if mark, _ := fence(line); mark != 0 && !unclosed[mark] {
			if shut := fenceEnd(text, end, mark); shut > 0 {
				found, at = append(found, span{at, shut}), shut
				continue
			}
			unclosed[mark] = true
		}
		if i := callIn(text, at, end); i >= 0 && i < lastShut {
			found, at = codeIn(found, text[at:i], at), i
			end = at + strings.Index(text[at:], callShut) + len(callShut)
			found = append(found, span{at, end})
		} else {
			found = codeIn(found, line, at)
		}
		at = end
	}
	return found
}

// callIn returns the place of a call that begins between at and end, -1 if
// there is none: a tag that only is spoken of has no object after it.
func callIn(text string, at, end int) int {
	for at < end {
		i := strings.Index(text[at:end], callOpen)
		if i < 0 {
			return -1
		}
		at += i + len(callOpen)
		if strings.HasPrefix(strings.TrimLeft(text[at:], " \t\r\n"), "{") {
			return at - len(callOpen)
		}
	}
	return -1
}

// fence returns the sign of a line that opens or closes fenced code, 0 if it
// does neither; bare says that nothing else is in the line.
func fence(line string) (mark byte, bare bool) {
	line = strings.Trim(line, " \t\r\n")
	for _, mark := range []byte("`~") {
		if rest := strings.TrimLeft(line, string(mark)); len(line)-len(rest) >= len("```") && strings.IndexByte(rest, mark) < 0 {
			return mark, rest == ""
		}
	}
	return 0, false
}

// fenceEnd returns the end of the line from there on that closes a fence, 0 if
// none does.
func fenceEnd(text string, from int, mark byte) int {
	for line := range strings.Lines(text[from:]) {
		from += len(line)
		if m, bare := fence(line); m == mark && bare {
			return from
		}
	}
	return 0
}

// codeIn adds the code inside of a line that begins at at: what stands between
// two runs of equally many backticks.
func codeIn(found []span, line string, at int) []span {
	var runs []span
	left := map[int]int{} // runs of a length that are still to come
	for i := 0; i < len(line); i++ {
		if line[i] != '`' {
			continue
		}
		lo := i
		for i < len(line) && line[i] == '`' {
			i++
		}
		runs = append(runs, span{lo, i})
		left[i-lo]++
	}
	for n := 0; n < len(runs); n++ {
		open := runs[n]
		size := open.hi - open.lo
		if left[size]--; left[size] == 0 {
			continue
		}
		for n++; runs[n].hi-runs[n].lo != size; n++ {
			left[runs[n].hi-runs[n].lo]--
		}
		left[size]--
		found = append(found, span{at + open.lo, at + runs[n].hi})
	}
	return found
}
