package sheet

import (
	"strings"

	"winnow/core/clean"
	"winnow/core/rawjson"
)

// spelled writes the escapes in a piece of JSON that spell a character as it, where
// that may be shown: letters, signs, emoji. What drives a terminal, has no shape, or
// would end the string stays an escape.
func spelled(raw string) string {
	if !strings.Contains(raw, `\u`) {
		return raw
	}
	var out strings.Builder
	for {
		i := strings.IndexByte(raw, '\\')
		if i < 0 {
			out.WriteString(raw)
			return out.String()
		}
		out.WriteString(raw[:i])
		raw = raw[i:]
		c, n := rawjson.Escape(raw)
		n = max(n, 1)
		if n > len(`\n`) && c > ' ' && c != '"' && c != '\\' && showable(c) {
			out.WriteRune(c)
		} else {
			out.WriteString(raw[:n])
		}
		raw = raw[n:]
	}
}

// showable reports whether a character may be shown wherever it stands.
func showable(c rune) bool {
	text := string(c) // U+FFFD for half of a pair
	return []rune(text)[0] == c && clean.Text(text) == text
}

// clean makes a piece of JSON safe to be shown.
func (s *jsonSheet) clean(raw []byte) string {
	text := string(raw)
	if s.spelled {
		text = spelled(text)
	}
	text = clean.Text(text)
	if s.ascii {
		text = clean.Carets(text)
	}
	return text
}
