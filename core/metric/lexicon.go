package metric

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/phrases"
)

// where says where in a text a phrase counts.
type where string

const (
	anywhere   where = ""
	sentence   where = "sentence"      // at the beginning of a sentence
	opening    where = "opening"       // at the beginning of the text, unless the assistant had asked something
	beforeSign where = "before a sign" // there, before a sign or the end
	unasked    where = "unasked"       // anywhere, unless the assistant had asked something
)

// lexicon finds phrases in a text.
type lexicon[V any] struct{ index *phrases.Index[usage[V]] }

// usage is what a phrase means, and where.
type usage[V any] struct {
	means V
	at    where
}

// each calls f for the phrases in a plain text (see plainText), in order, until
// it returns false. With asked, the text may answer a question.
func (l *lexicon[V]) each(text string, asked bool, f func(means V, phrase string) (more bool)) {
	l.find(text, asked, func(p *phrases.Entry[usage[V]], _ int) bool { return f(p.Means.means, p.Text) })
}

// find is like each, and tells where a phrase begins.
func (l *lexicon[V]) find(text string, asked bool, f func(p *phrases.Entry[usage[V]], at int) (more bool)) {
	begins, sentence := true, true
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf && !begins && letterOrDigit(rune(c)) {
			i++ // inside of a word
			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if !letterOrDigit(r) && !pictured(r) {
			begins = true
			sentence = sentence || r != ' ' && strings.ContainsRune(".!?:;,\n。！？：；，、…", r)
			i += size
			continue
		}
		dense := unspaced(r) || pictured(r)
		if begins || dense {
			if p := l.at(text, i, sentence, asked); p != nil {
				if !f(p, i) {
					return
				}
				i += len(p.Text)
				begins, sentence = true, false
				continue
			}
		}
		begins, sentence = dense, sentence && pictured(r)
		i += size
	}
}

// at returns the longest phrase that is at text[i:] and counts there.
func (l *lexicon[V]) at(text string, i int, begins, asked bool) (longest *phrases.Entry[usage[V]]) {
	l.index.Each(text[i:], func(p *phrases.Entry[usage[V]]) (more bool) {
		after := text[i+len(p.Text):]
		if endsWord(p.Text, after) && p.Means.at.counts(i, after, begins, asked) {
			longest = p
		}
		return longest == nil
	})
	return longest
}

// counts reports whether a phrase counts where it is.
func (w where) counts(i int, after string, begins, asked bool) bool {
	switch w {
	case sentence:
		return begins
	case opening:
		return i == 0 && !asked
	case beforeSign:
		r, _ := utf8.DecodeRuneInString(after)
		return i == 0 && !asked && (after == "" || r != ' ' && !letterOrDigit(r))
	case unasked:
		return !asked
	}
	return true
}

// endsWord reports whether a phrase ends with a word, in scripts that set
// spaces between words.
func endsWord(phrase, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(phrase)
	if after == "" || unspaced(last) || !letterOrDigit(last) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(after)
	return !letterOrDigit(r) || unspaced(r)
}

func letterOrDigit(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// unspaced reports whether words of r's script stand without spaces between
// them.
func unspaced(r rune) bool {
	return r >= 0x2E80 && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r))
}

// pictured reports whether r is a picture, as 👍 is.
func pictured(r rune) bool { return r >= 0x1F300 && r <= 0x1FAFF }
