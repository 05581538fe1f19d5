package rawjson

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// AppendString appends s as a JSON string in its shortest form: only what
// JSON demands is escaped, and invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	dst = append(dst, '"')
	from, b := 0, bytesOf(s)
	for i := 0; i < len(s); i++ {
		if i+8 <= len(s) {
			if n := bits.TrailingZeros64(special(binary.LittleEndian.Uint64(b[i:]))) >> 3; n > 0 {
				i += n - 1
				continue
			}
		}
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			dst = appendEscaped(append(dst, s[from:i]...), c)
			from = i + 1
		}
	}
	return append(append(dst, s[from:]...), '"')
}

// appendEscaped appends a byte of ASCII as an escape.
func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
	case '\n':
		c = 'n'
	case '\t':
		c = 't'
	case '\r':
		c = 'r'
	case '\b':
		c = 'b'
	case '\f':
		c = 'f'
	default:
		const digits = "0123456789abcdef"
		return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
	}
	return append(dst, '\\', c)
}
