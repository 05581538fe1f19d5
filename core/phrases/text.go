package phrases

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Asks reports whether a text has a question mark.
func Asks(text string) bool {
	return strings.IndexByte(text, '?') >= 0 || strings.Contains(text, "？") || strings.Contains(text, "؟")
}

// Plain brings the beginning of a text into the form that phrases have: lower
// case, straight apostrophes, white space folded, nothing in front of the
// first letter or digit.
func Plain(s string, most int) string {
	if len(s) > most {
		s = Clip(s, most)
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		if 'a' <= r && r <= 'z' {
			if space {
				b.WriteByte(' ')
				space = false
			}
			b.WriteByte(byte(r))
			continue
		}
		switch {
		case r == '’' || r == '‘' || r == '`':
			r = '\''
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case r == utf8.RuneError || b.Len() == 0 && !letterOrDigit(r):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(Fold(r))
	}
	return b.String()
}

// Fold returns the lower case of a character.
func Fold(c rune) rune {
	if c < utf8.RuneSelf {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}
	return unicode.ToLower(c)
}

func letterOrDigit(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// Dense reports whether r is of Chinese or Japanese writing. Korean has spaces.
func Dense(r rune) bool {
	return r >= 0x3040 && r <= 0x30FF || r >= 0x3400 && r <= 0x9FFF || r >= 0x20000 && r <= 0x3FFFF || r >= 0xF900 && r <= 0xFAFF || r == 0x3005
}

// Unspaced reports whether words of r's script are found anywhere in a text:
// Chinese, Japanese, Thai, and Korean, which glues endings to words.
func Unspaced(r rune) bool {
	return Dense(r) || r >= 0xAC00 && r <= 0xD7A3 || r >= 0x0E00 && r <= 0x0E7F
}

// Clip cuts s to at most n bytes, at a character.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// ClipLeft keeps at most the last n bytes of s, from a character on.
func ClipLeft(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s) - n
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return s[i:]
}
