package secret

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"winnow/core/rawjson"
)

// inEscapes looks at the lines of a text that quote strings of JSON, as a
// sentence or a log around JSON does: without their escapes, values are known
// by their names, and words end where they end.
func (f *finder) inEscapes(text string, depth int) (hits []Hit) {
	const quote = `\"`
	for at := 0; ; {
		i := strings.Index(text[at:], quote)
		if i < 0 {
			return hits
		}
		start := at + 1 + strings.LastIndexByte(text[at:at+i], '\n')
		at += i + len(quote)
		if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
			at += end
		} else {
			at = len(text)
		}
		line := text[start:at]
		plain, ok := loosely(line)
		if !ok {
			continue
		}
		walk := escapes{raw: line}
		for _, h := range f.find(plain, depth) {
			from := walk.plainPlace(h.Start)
			hits = append(hits, Hit{h.Rule, start + from, start + walk.plainPlace(h.End), true})
		}
	}
}

// loosely returns a text without its escapes, a backslash before any other
// letter left out as well: what escapes walks. ok is false if there is half of
// a character.
func loosely(raw string) (plain string, ok bool) {
	var b strings.Builder
	b.Grow(len(raw))
	for rest := raw; ; {
		i := strings.IndexByte(rest, '\\')
		if i < 0 || i+1 == len(rest) {
			b.WriteString(rest)
			return b.String(), true
		}
		b.WriteString(rest[:i])
		r, n := rawjson.Escape(rest[i:])
		switch next := rest[i+1]; {
		case n > 0:
			if utf16.IsSurrogate(r) {
				return "", false
			}
			b.WriteRune(r)
		case next >= utf8.RuneSelf, next == 'u' && len(rest)-i >= len(`\u0000`):
			return "", false
		default:
			b.WriteByte(next)
			n = 2
		}
		rest = rest[i+n:]
	}
}
