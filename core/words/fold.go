package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold returns the character that stands for r: in lower case, without the
// accent of a Latin or Greek letter, and as wide as it usually is.
func fold(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	case r >= 0x2E80 && r < 0xA640:
		return r // no case there
	case r == 0x345:
		return r // hangs on a letter, although its upper case is one
	case r >= 0xFF01 && r <= 0xFF5E: // wide forms of ASCII
		return fold(r - 0xFF01 + '!')
	case accented(r):
		r = base(r)
	}
	// Upper case first: ſ, ς and µ have no lower case but stand for one.
	return unicode.ToLower(unicode.ToUpper(r))
}

// accented reports whether r is of the blocks in which letters with accents
// are: Latin and Greek. Elsewhere what looks like one makes another letter.
func accented(r rune) bool {
	return r >= 0xC0 && r <= 0x24F || r >= 0x370 && r <= 0x3FF || r >= 0x1E00 && r <= 0x1FFF
}

// base returns the letter below the accents of r.
func base(r rune) rune {
	var of [utf8.UTFMax]byte
	p := norm.NFD.Properties(of[:utf8.EncodeRune(of[:], r)])
	if d := p.Decomposition(); len(d) > 0 {
		r, _ = utf8.DecodeRune(d)
	}
	return r
}

// composed returns text with accents, Korean and half-wide Japanese in the form
// of one character for each letter. Most text is so.
func composed(text string) string {
	for i := 0; i < len(text); i++ {
		if text[i] < 0xCC { // ASCII, and the inside of other characters
			continue
		}
		switch r, _ := utf8.DecodeRuneInString(text[i:]); {
		case halfWide(r):
			return norm.NFC.String(widened(text))
		case r >= 0x300 && r <= 0x36F, r == 0x3099, r == 0x309A, r >= 0x1100 && r <= 0x11FF:
			return norm.NFC.String(text)
		}
	}
	return text
}

// halfWide reports whether r is a half-wide form of Japanese or Korean.
func halfWide(r rune) bool { return r >= 0xFF65 && r <= 0xFFDC }

func widened(text string) string {
	var b strings.Builder
	for text != "" {
		n := strings.IndexFunc(text, halfWide)
		if n < 0 {
			n = len(text)
		}
		b.WriteString(text[:n])
		text = text[n:]
		n = strings.IndexFunc(text, func(r rune) bool { return !halfWide(r) })
		if n < 0 {
			n = len(text)
		}
		b.WriteString(norm.NFKC.String(text[:n]))
		text = text[n:]
	}
	return b.String()
}
