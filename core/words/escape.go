package words

import (
	"strings"
	"unicode/utf8"

	"winnow/core/rawjson"
)

// escapes reports whether a letter after a backslash means white space.
func escapes(c byte) bool { return c == 'n' || c == 't' || c == 'r' }

const esc = 0x1B

// skipColour returns where the text goes on after the ESC at i: programs colour
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
		r, size := rawjson.Escape(json)
		switch {
		case size == 0 && json[1] == 'u':
			r, size = utf8.RuneError, 2
		case size == 0:
			r, size = '\\', 1
		case size == 2 && r < ' ' && r != '\t':
			r = '\n'
		}
		out = utf8.AppendRune(out, r)
		json = json[size:]
	}
	return string(append(out, json...))
}
