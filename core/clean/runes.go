package clean

import (
	"unicode"
	"unicode/utf8"
)

// maxGlued bounds how many characters may hang on one: a terminal cell holds
// them all, and no line can be cut between them. Living languages and emoji
// stay below ten.
const maxGlued = 16

const (
	zwnj = '\u200C'
	zwj  = '\u200D'
	vs15 = '\uFE0E' // asks for the text form of an emoji
	vs16 = '\uFE0F' // asks for the colour form
	cap_ = '\u20E3' // the frame of a keycap emoji
)

// state is what the decision on a character needs of those before it.
type state struct {
	prev  rune // as kept; 0 at the beginning and after anything replaced
	glued int  // characters that hang on the last one that stands alone
}

// next decodes the first character of s, which is not empty, and tells whether
// it may be shown as it is. An invalid byte comes back as utf8.RuneError.
func (st *state) next(s string) (r rune, size int, keep bool) {
	if c := s[0]; c < utf8.RuneSelf {
		keep = c >= ' ' && c != 0x7F || c == '\n'
		*st = state{}
		if keep {
			st.prev = rune(c)
		}
		return rune(c), 1, keep
	}
	r, size = utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		*st = state{}
		return r, 1, false
	}
	if plain(r) && !joins(st.prev) {
		*st = state{prev: r}
		return r, size, true
	}
	following, _ := utf8.DecodeRuneInString(s[size:])
	keep = st.allows(r, following)
	switch {
	case glues(r) || keep && joins(st.prev) && (st.prev == zwj || unicode.IsLetter(r)):
		st.glued++
		if st.glued > maxGlued {
			keep = false
		}
	default:
		st.glued = 0
	}
	st.prev = 0
	if keep {
		st.prev = r
	}
	return r, size, keep
}

// allows decides on a character by its kind and its neighbours.
func (st *state) allows(r, following rune) bool {
	switch {
	case r == zwj || r == zwnj:
		// A joiner stays only with what it joins, so there must be room for both.
		return st.glued+2 <= maxGlued &&
			(r == zwj && pictorial(st.prev) && emoji(following) || joining(st.prev) && joining(following))
	case r == vs15 || r == vs16:
		return emoji(st.prev) || following == cap_ && keycap(st.prev)
	case unicode.Is(unicode.Variation_Selector, r):
		// One selects a form of the letter before it; more carry hidden data.
		return st.prev >= utf8.RuneSelf && (unicode.IsLetter(st.prev) || unicode.IsSymbol(st.prev))
	}
	return visible(r)
}

// visible reports whether r is assigned and has a shape or a width of its own.
func visible(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// shapeless reports whether r is one of the characters that format text or
// select forms and show nothing by themselves: Unicode's category Cf, and what
// it has renderers ignore (Default_Ignorable_Code_Point).
func shapeless(r rune) bool {
	return !plain(r) && r > unicode.MaxLatin1 &&
		(unicode.Is(unicode.Cf, r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point))
}

// plain is a fast yes for the letters and symbols that most text is made of:
// ranges without a single mark, gap or invisible character.
func plain(r rune) bool {
	switch {
	case r < 0x300:
		return r > 0xA0 && r != 0xAD
	case r < 0x2000:
		return r >= 0x400 && r < 0x483 || r >= 0x3A3 && r < 0x400
	case r < 0x3000:
		return r >= 0x2010 && r < 0x2028 || r >= 0x2190 && r < 0x2427 || r >= 0x2500 && r < 0x2B00
	case r < 0x3100:
		return r < 0x302A || r >= 0x3041 && r < 0x3097 || r >= 0x309B
	case r < 0xAC00:
		return r >= 0x3400 && r < 0xA48D
	case r < 0x10000:
		return r < 0xD7A4 || r >= 0xFF01 && r < 0xFFA0 || r == utf8.RuneError
	}
	return r >= 0x1F300 && r < 0x1F3FB || r >= 0x1F400 && r < 0x1F6D8 || r >= 0x20000 && r < 0x2A6E0
}

// glues reports whether a character forms one cell with what stands before it.
func glues(r rune) bool {
	switch {
	case r == zwj, r == zwnj, r >= 0x1F3FB && r <= 0x1F3FF: // skin tones
		return true
	case r >= 0x1100 && r < 0x1200, r >= 0xA960 && r < 0xA980, r >= 0xD7B0 && r < 0xD800: // parts of Hangul syllables
		return true
	}
	return unicode.IsMark(r) || unicode.Is(unicode.Prepended_Concatenation_Mark, r) || unicode.Is(prepended, r)
}

// prepended are the letters that form one cell with what follows them
// (Grapheme_Cluster_Break=Prepend in Unicode's GraphemeBreakProperty.txt).
var prepended = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x0D4E, Hi: 0x0D4E, Stride: 1}},
	R32: []unicode.Range32{
		{Lo: 0x111C2, Hi: 0x111C3, Stride: 1}, {Lo: 0x113D1, Hi: 0x113D1, Stride: 1},
		{Lo: 0x1193F, Hi: 0x1193F, Stride: 1}, {Lo: 0x11941, Hi: 0x11941, Stride: 1},
		{Lo: 0x11A3A, Hi: 0x11A3A, Stride: 1}, {Lo: 0x11A84, Hi: 0x11A89, Stride: 1},
		{Lo: 0x11D46, Hi: 0x11D46, Stride: 1}, {Lo: 0x11F02, Hi: 0x11F02, Stride: 1},
	},
}

// joins reports whether a character after r may belong to r's cell: any
// after a joiner, a letter after the signs that tie Indic consonants together.
func joins(r rune) bool {
	switch r {
	case zwj, 0x094D, 0x09CD, 0x0A4D, 0x0ACD, 0x0B4D, 0x0C4D, 0x0D4D, 0x1039, 0x17D2, 0x1A60:
		return true
	}
	return false
}

// emoji reports whether r may be part of an emoji: a pictograph, or a symbol
// that vs16 turns into one.
func emoji(r rune) bool {
	return r > 0xA0 && r != utf8.RuneError && (unicode.Is(unicode.So, r) || unicode.Is(unicode.Sm, r)) ||
		r == 0x203C || r == 0x2049 || r == 0x2139 || r == 0x3030 || r == 0x303D
}

// pictorial reports whether a joiner may stand after r in an emoji.
func pictorial(r rune) bool {
	return r == vs16 || r >= 0x1F3FB && r <= 0x1F3FF || emoji(r)
}

// joining reports whether r is of a script whose spelling needs joiners:
// Arabic to Sinhala, Myanmar, Khmer, Mongolian.
func joining(r rune) bool {
	return (r >= 0x620 && r < 0xE00 || r >= 0x1000 && r < 0x10A0 || r >= 0x1780 && r < 0x18B0) &&
		(unicode.IsLetter(r) || unicode.IsMark(r))
}

func keycap(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }
