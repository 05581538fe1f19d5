package rawjson

import (
	"bytes"
	"strings"
	"unicode/utf16"
)

// Inner returns what stands between the quotes of a string.
func Inner[T Text](val T) T { return val[1 : len(val)-1] }

// Unquote returns what a string means.
func Unquote[T Text](val T) string {
	raw := Inner(val)
	b := bytesOf(raw)
	if bytes.IndexByte(b, '\\') < 0 {
		return string(raw)
	}
	return unescaped(b)
}

// Unescape is Unquote for what stands between the quotes. Without an escape in
// it, that is returned itself.
func Unescape[T Text](raw T) T {
	b := bytesOf(raw)
	if bytes.IndexByte(b, '\\') < 0 {
		return raw
	}
	return T(unescaped(b))
}

func unescaped(raw []byte) string {
	// A builder's memory is not cleared first, which is worth it: nearly all
	// long texts have line breaks.
	var text strings.Builder
	text.Grow(len(raw))
	writeUnescaped(&text, raw)
	if text.Len() < len(raw)-len(raw)/4 {
		return strings.Clone(text.String()) // mostly escapes: don't keep the larger buffer
	}
	return text.String()
}

// Recorded returns what a string means, and any other value as it is written;
// "" for null.
func Recorded[T Text](val T) string {
	switch {
	case IsNull(val):
		return ""
	case IsText(val):
		return Unquote(val)
	}
	return string(val)
}

// WriteUnquoted writes what a string means.
func WriteUnquoted[T Text](dst *strings.Builder, val T) {
	writeUnescaped(dst, bytesOf(Inner(val)))
}

func writeUnescaped(dst *strings.Builder, raw []byte) {
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			dst.Write(raw)
			return
		}
		dst.Write(raw[:n])
		if n+1 < len(raw) && short[raw[n+1]] != 0 {
			dst.WriteByte(short[raw[n+1]])
			raw = raw[n+2:]
			continue
		}
		r, size := escape(raw[n:])
		if size == 0 { // not in a valid string
			r, size = '\\', 1
		}
		dst.WriteRune(r) // half of a pair becomes U+FFFD
		raw = raw[n+size:]
	}
}

// short holds what the letters of escapes without digits mean.
var short = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// Escape reads the escape that a text begins with: the character it means, and
// its length, of both halves of a character that has two. Half of such a pair
// alone is returned as what it is, a surrogate. n is 0 if there is no escape, or
// not all of it.
func Escape[T Text](text T) (r rune, n int) { return escape(bytesOf(text)) }

func escape(b []byte) (r rune, n int) {
	if len(b) < 2 || b[0] != '\\' {
		return 0, 0
	}
	if c := short[b[1]]; c != 0 {
		return rune(c), 2
	}
	if b[1] != 'u' {
		return 0, 0
	}
	const one = len(`\u0000`)
	r, ok := hex4(b[2:])
	switch {
	case !ok:
		return 0, 0
	case utf16.IsSurrogate(r) && len(b) >= 2*one && b[one] == '\\' && b[one+1] == 'u':
		if low, ok := hex4(b[one+2:]); ok {
			if both := utf16.DecodeRune(r, low); both != '\uFFFD' {
				return both, 2 * one
			}
		}
	}
	return r, one
}

// hex4 returns the value of four hexadecimal digits.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
