package token

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// vocabulary counts by the vocabulary of a model.
type vocabulary struct {
	encoding tokenizer.Encoding
	load     sync.Once
	codec    tokenizer.Codec
	err      error
}

const (
	// stretch is how much text, in bytes, is tokenized at once: the library
	// holds about 30 bytes for each of them.
	stretch = 64 << 10
	// searched is how far back from the end of a stretch a place is looked for
	// where a cut changes nothing: text without one is hardly text.
	searched = 16 << 10
	// blankRun is the length in bytes from which white space is cut after a
	// line break. The library looks at the whole run once per line break.
	blankRun = 256
)

func (v *vocabulary) Name() string { return string(v.encoding) }

func (v *vocabulary) Count(text string) int {
	n := 0
	for text != "" {
		end := stretchOf(text)
		n += v.count(text[:end])
		text = text[end:]
	}
	return n
}

func (v *vocabulary) Truncate(text string, tokens int) string {
	if tokens <= 0 {
		return ""
	}
	for at := 0; at < len(text); {
		end := at + stretchOf(text[at:])
		n := v.count(text[at:end])
		if n > tokens {
			return text[:at+v.fit(text[at:end], tokens)]
		}
		at, tokens = end, tokens-n
	}
	return text
}

// ready loads the vocabulary.
func (v *vocabulary) ready() bool {
	v.load.Do(func() { v.codec, v.err = tokenizer.Get(v.encoding) })
	return v.err == nil
}

// count counts the tokens of one stretch. What the library cannot count is
// estimated.
func (v *vocabulary) count(text string) int {
	if !v.ready() {
		return Estimate(text)
	}
	n, err := v.codec.Count(text)
	if err != nil {
		return Estimate(text)
	}
	return n
}

// fit returns the length of a prefix of one stretch, which costs more, that
// costs at most so many tokens.
func (v *vocabulary) fit(text string, tokens int) int {
	if !v.ready() {
		return len(estimate{}.Truncate(text, tokens))
	}
	_, pieces, err := v.codec.Encode(text)
	if err != nil || len(pieces) < tokens {
		return len(estimate{}.Truncate(text, tokens))
	}
	// The library reads an invalid byte as one U+FFFD, so that characters, not
	// bytes, tell the place in text.
	runes := wholeRunes(strings.Join(pieces[:tokens], ""))
	end := offset(text, runes)
	// Without what follows, the last words may be cut into more tokens.
	for back := 1; end > 0 && v.count(text[:end]) > tokens; back *= 2 {
		runes = max(runes-back, 0)
		end = offset(text, runes)
	}
	return end
}

// wholeRunes counts the characters of text that do not lack their last bytes.
func wholeRunes(text string) int {
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if c := text[len(text)-i]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRuneInString(text[len(text)-i:]) {
				text = text[:len(text)-i]
			}
			break
		}
	}
	return utf8.RuneCountInString(text)
}

// offset returns where in text the character stands that so many precede.
func offset(text string, runes int) int {
	for i := range text {
		if runes == 0 {
			return i
		}
		runes--
	}
	return len(text)
}

// stretchOf returns how much of the beginning of text is tokenized at once. A
// text that is no longer than a stretch is cut only inside of long runs of
// white space, where the library cuts as well.
func stretchOf(text string) int {
	limit := min(len(text), stretch)
	if end := behindBlank(text[:limit]); end > 0 {
		return end
	}
	if limit == len(text) {
		return limit
	}
	for !utf8.RuneStart(text[limit]) && limit > stretch-utf8.UTFMax {
		limit--
	}
	after, _ := utf8.DecodeRuneInString(text[limit:])
	for i := limit; i > limit-searched; {
		before, size := utf8.DecodeLastRuneInString(text[:i])
		if parts(before, after) {
			return i
		}
		i, after = i-size, before
	}
	return limit
}

// parts reports whether no token of any vocabulary holds both of two adjacent
// characters, and what precedes them makes no difference: words and numbers
// end at white space and punctuation, but for an apostrophe, and words and
// numbers are apart.
func parts(before, after rune) bool {
	letter, number := unicode.IsLetter(before), unicode.IsNumber(before)
	switch {
	case after == '\'' || unicode.IsMark(after) || after == utf8.RuneError:
		return false
	case letter:
		return !unicode.IsLetter(after)
	case number:
		return !unicode.IsNumber(after)
	}
	return false
}

// behindBlank returns the end of the first line inside of a long run of white
// space, or 0.
func behindBlank(text string) int {
	run := 0 // bytes of white space before i
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if !unicode.IsSpace(r) {
			run = 0
		} else {
			if run >= blankRun && r != '\n' && r != '\r' && (text[i-1] == '\n' || text[i-1] == '\r') {
				return i
			}
			run += size
		}
		i += size
	}
	return 0
}
