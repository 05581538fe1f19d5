package words

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escapes reports whether a letter behind a backslash means white space.
func escapes(c byte) bool { return c == 'n' || c == 't' || c == 'r' }

const esc = 0x1B

// skipColour returns where the text goes on behind the ESC at i: programs colour
// what they print, and "\x1b[31mError" is the word Error.
func skipColour(text string, i int) (next int) {
	i++
	if i == len(text) || text[i] != '[' {
		return i
	}
	for i++; i < len(text) && text[i] >= 0x20 && text[i] < 0x7F; i++ {
		if text[i] >= 0x40 {
			return i + 1
		}
	}
	return i
}

// unescaped returns a JSON text with the escapes of its strings taken back, so
// that line ends and Chinese in it are what they are. It is no JSON any more.
func unescaped(json string) string {
	at := strings.IndexByte(json, '\\')
	if at < 0 {
		return json
	}
	out := make([]byte, 0, len(json))
	for ; at >= 0; at = strings.IndexByte(json, '\\') {
		out = append(out, json[:at]...)
		json = json[at:]
		if len(json) < 2 {
			break
		}
		size := 2
		switch c := json[1]; c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'n', 'r', 'b', 'f':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'u':
			var r rune
			r, size = unescapedRune(json)
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, '\\', c)
		}
		json = json[size:]
	}
	return string(append(out, json...))
}

// unescapedRune reads the \uXXXX, or the pair of them, that s begins with.
func unescapedRune(s string) (r rune, size int) {
	unit := func(s string) rune {
		if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
			return -1
		}
		n, err := strconv.ParseUint(s[2:6], 16, 32)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	r = unit(s)
	if r < 0 {
		return utf8.RuneError, 2
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if both := utf16.DecodeRune(r, unit(s[6:])); both != utf8.RuneError {
		return both, 12
	}
	return utf8.RuneError, 6
}
