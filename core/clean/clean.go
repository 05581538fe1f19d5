// Package clean makes untrusted text safe to show in a terminal.
//
// Sessions hold whatever a tool printed: escape sequences, control characters,
// text that runs right to left, invisible characters. None of it may reach the
// terminal as anything but plain visible text, and nothing may be hidden from
// the curator either: what is not printable is shown, as ␛ or <U+202E>, and
// not removed. Text is cleaned once, where it is displayed; stored bytes stay
// exact.
//
// All functions take time linear in their input and return it unchanged,
// without allocating, if there is nothing to do.
package clean

import (
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/charmbracelet/x/ansi"
)

// TabWidth is the distance of tab stops in Text: what terminals have, and
// what the tools that printed the text assumed.
const TabWidth = 8

// Text returns s as safe text of several lines: it holds no control
// characters besides the newline, is valid UTF-8 and has tabs expanded to
// stops of TabWidth cells. Cleaning twice changes nothing.
func Text(s string) string { return TextTabs(s, TabWidth) }

// TextTabs is Text with tab stops every tab cells, at least 1.
func TextTabs(s string, tab int) string {
	n, st := prefix(s)
	if n == len(s) {
		return s
	}
	tab = max(tab, 1)
	out := make([]byte, 0, len(s)+len(s)/8+16)
	out = append(out, s[:n]...)
	// Cells are counted only where a tab asks for them, and only from the
	// last place where the column was known.
	known, column := strings.LastIndexByte(s[:n], '\n')+1, 0
	for i := n; i < len(s); {
		if end := printable(s, i); end > i {
			out, st = append(out, s[i:end]...), state{prev: rune(s[end-1])}
			i = end
			continue
		}
		if s[i] == '\t' {
			column += cells(unsafeString(out[known:]))
			for range tab - column%tab {
				out = append(out, ' ')
				column++
			}
			known, st = len(out), state{}
			i++
			continue
		}
		r, size, keep := st.next(s[i:])
		switch {
		case keep:
			out = append(out, s[i:i+size]...)
			if r == '\n' {
				known, column = len(out), 0
			}
		default:
			out = appendVisible(out, r)
		}
		i += size
	}
	return unsafeString(out)
}

// printable returns the end of the run of printable ASCII that starts at s[i]:
// nearly all there is in logs and code.
func printable(s string, i int) int {
	for i < len(s) && s[i]-' ' < 0x7F-' ' {
		i++
	}
	return i
}

// cells returns the width of safe text without line breaks.
func cells(s string) int {
	if printable(s, 0) == len(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Line returns s as safe text of one line, for lists, titles and errors: as
// Text, but a run of white space that holds a line break or a tab is one
// space, or nothing at either end.
func Line(s string) string {
	if n, _ := prefix(s); n == len(s) && strings.IndexByte(s, '\n') < 0 {
		return s
	}
	out := make([]byte, 0, len(s)+16)
	var st state
	for len(s) > 0 {
		if blank, breaks := leadingBlank(s); breaks {
			s = s[blank:]
			if len(out) > 0 && len(s) > 0 {
				out = append(out, ' ')
			}
			st = state{}
			continue
		} else if blank > 0 { // spaces only
			out = append(out, s[:blank]...)
			s, st = s[blank:], state{}
			continue
		}
		r, size, keep := st.next(s)
		if keep {
			out = append(out, s[:size]...)
		} else {
			out = appendVisible(out, r)
		}
		s = s[size:]
	}
	return unsafeString(out)
}

// leadingBlank returns the length of the white space s begins with, and
// whether it must not stay as it is on one line.
func leadingBlank(s string) (n int, breaks bool) {
	for n < len(s) {
		switch s[n] {
		case ' ':
			n++
		case '\n', '\t', '\r', '\v', '\f':
			n, breaks = n+1, true
		default:
			if !strings.HasPrefix(s[n:], "\u2028") && !strings.HasPrefix(s[n:], "\u2029") {
				return n, breaks
			}
			n, breaks = n+len("\u2028"), true
		}
	}
	return n, breaks
}

// JSON appends src, which must be valid JSON, to dst in a form that is safe on
// a terminal and decodes to the same value: what Text would show is escaped as
// \uXXXX, and so is whatever has no shape of its own, wherever it stands: also
// the joiners and selectors of emoji, which Text keeps. Line breaks and tabs
// between values stay.
func JSON(dst, src []byte) []byte {
	s := unsafeString(src)
	var st state
	for i := 0; i < len(s); {
		if end := printable(s, i); end > i {
			dst, st = append(dst, s[i:end]...), state{prev: rune(s[end-1])}
			i = end
			continue
		}
		r, size, keep := st.next(s[i:])
		switch {
		case keep && !shapeless(r) || r == '\t':
			dst = append(dst, s[i:i+size]...)
		case r == '\r':
			dst = append(dst, ' ') // valid JSON has it between values only
		case r > 0xFFFF:
			r -= 0x10000
			dst = appendEscape(appendEscape(dst, 0xD800+r>>10), 0xDC00+r&0x3FF)
		default:
			dst = appendEscape(dst, r)
		}
		i += size
	}
	return dst
}

const hexDigits = "0123456789abcdef"

func appendEscape(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// appendVisible appends what stands for a character that may not be shown.
func appendVisible(dst []byte, r rune) []byte {
	switch {
	case r < ' ':
		return utf8.AppendRune(dst, '␀'+r) // the control pictures, in order
	case r == 0x7F:
		return append(dst, "␡"...)
	case r == utf8.RuneError:
		return append(dst, "\uFFFD"...)
	}
	dst = append(dst, "<U+"...)
	for limit := rune(0x1000); limit > r && limit > 1; limit >>= 4 {
		dst = append(dst, '0')
	}
	n := len(dst)
	dst = strconv.AppendInt(dst, int64(r), 16)
	for i := n; i < len(dst); i++ {
		if dst[i] >= 'a' {
			dst[i] -= 'a' - 'A'
		}
	}
	return append(dst, '>')
}

// prefix returns the length of the part of s that needs no change, and the
// state after it.
func prefix(s string) (int, state) {
	var st state
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c < ' ' && c != '\n' || c == 0x7F {
				return i, st
			}
			st = state{prev: rune(c)}
			i++
			continue
		}
		before := st
		_, size, keep := st.next(s[i:])
		if !keep {
			return i, before
		}
		i += size
	}
	return len(s), st
}

// unsafeString views bytes that nobody changes afterwards as a string.
func unsafeString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
