package words

import (
	"bytes"
	"context"
	"unicode"
	"unicode/utf8"
)

const (
	// matchBlock is how much of a text is folded at once, in bytes.
	matchBlock = 32 << 10
	// matchReach is how far a match that begins in a block may reach after
	// it, besides the query's own length: white space may be wide.
	matchReach = 1 << 10
)

// Matches calls f with the bounds of what is searched for in a text, in order
// and not overlapping, until f returns false or ctx is done. It is for texts as
// they are shown: colours and written line ends are characters like others, and
// letters that are put together of several match only as they stand.
func (f *Finder) Matches(ctx context.Context, text string, found func(from, to int) bool) {
	next := 0 // the next match begins here or after
	var offsets []int32
	for from := 0; from < len(text) && ctx.Err() == nil; {
		to := runeStart(text, min(len(text), from+matchBlock))
		reach := runeStart(text, min(len(text), to+matchReach+utf8.UTFMax*len(f.needle)))
		f.buf, offsets = foldOffsets(f.buf[:0], offsets[:0], text[from:reach])
		for at := 0; ; {
			n := bytes.Index(f.buf[at:], f.needle)
			if n < 0 {
				break
			}
			at += n
			start, end := from+int(offsets[at]), from+int(offsets[at+len(f.needle)])
			if start >= to {
				break
			}
			if start < next || !f.whole(text, start, end) {
				_, size := utf8.DecodeRune(f.buf[at:])
				at += size
				continue
			}
			if !found(start, end) {
				return
			}
			at, next = at+len(f.needle), end
		}
		from = to
	}
}

// whole reports whether what stands beside a place of a text leaves the words
// of the query whole.
func (f *Finder) whole(text string, from, to int) bool {
	if f.before && from > 0 {
		if r, _ := utf8.DecodeLastRuneInString(text[:from]); joins(r) {
			return false
		}
	}
	if f.after && to < len(text) {
		if r, _ := utf8.DecodeRuneInString(text[to:]); joins(r) {
			return false
		}
	}
	return true
}

// foldOffsets appends text folded as for a comparison, and for each byte of that
// and one more where it comes from.
func foldOffsets(dst []byte, offsets []int32, text string) ([]byte, []int32) {
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		n := len(dst)
		switch {
		case !unicode.IsSpace(r):
			dst = utf8.AppendRune(dst, fold(r))
		case n > 0 && dst[n-1] != ' ':
			dst = append(dst, ' ')
		}
		for range len(dst) - n {
			offsets = append(offsets, int32(i))
		}
		i += size
	}
	return dst, append(offsets, int32(len(text)))
}

// runeStart returns the last place up to i at which a character begins.
func runeStart(text string, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}
