package metric

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// row is a list of phrases, in lower case and of two bytes at least, that mean
// the same. Of phrases that begin at one place the longest counts, and what it
// covers is not looked at again: so a phrase that means nothing takes its words
// out of others.
type row[V any] struct {
	means   V
	at      where
	phrases []string
}

// where says where in a text a phrase counts.
type where uint8

const (
	anywhere   where = iota
	sentence         // at the beginning of a sentence
	opening          // at the beginning of the text, unless the assistant had asked something
	beforeSign       // there, before a sign or the end
	unasked          // anywhere, unless the assistant had asked something
)

// lexicon finds phrases in a text.
type lexicon[V any] struct {
	long  map[uint32][]phrase[V] // by their first four bytes, longest first
	short map[uint32][]phrase[V] // those of two or three bytes, by their first two
	heads [1 << 14 / 64]uint64   // a bit for what any begins with
}

type phrase[V any] struct {
	text  string
	means V
	at    where
}

func newLexicon[V any](rows []row[V]) *lexicon[V] {
	l := &lexicon[V]{long: map[uint32][]phrase[V]{}, short: map[uint32][]phrase[V]{}}
	for _, row := range rows {
		for _, text := range row.phrases {
			list, head := l.short, head2(text)
			if len(text) >= 4 {
				list, head = l.long, head4(text)
			}
			list[head] = append(list[head], phrase[V]{text, row.means, row.at})
			bit := headBit(head)
			l.heads[bit/64] |= 1 << (bit % 64)
		}
	}
	for _, byHead := range []map[uint32][]phrase[V]{l.long, l.short} {
		for _, list := range byHead {
			slices.SortStableFunc(list, func(a, b phrase[V]) int { return len(b.text) - len(a.text) })
		}
	}
	return l
}

func head2(s string) uint32 { return uint32(s[0]) | uint32(s[1])<<8 }
func head4(s string) uint32 { return head2(s) | uint32(s[2])<<16 | uint32(s[3])<<24 }

func headBit(head uint32) uint32 { return head * 0x9E3779B1 >> 18 }

// has tells quickly that no phrase begins so, as is mostly so.
func (l *lexicon[V]) has(head uint32) bool {
	bit := headBit(head)
	return l.heads[bit/64]&(1<<(bit%64)) != 0
}

// each calls f for the phrases in a plain text (see plainText), in order, until
// it returns false. With asked, the text may answer a question.
func (l *lexicon[V]) each(text string, asked bool, f func(means V, phrase string) (more bool)) {
	l.places(text, asked, func(p *phrase[V], _ int) bool { return f(p.means, p.text) })
}

// places is like each, and tells where a phrase begins.
func (l *lexicon[V]) places(text string, asked bool, f func(p *phrase[V], at int) (more bool)) {
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
				i += len(p.text)
				begins, sentence = true, false
				continue
			}
		}
		begins, sentence = dense, sentence && pictured(r)
		i += size
	}
}

// at returns the longest phrase that stands and counts at text[i:].
func (l *lexicon[V]) at(text string, i int, begins, asked bool) *phrase[V] {
	rest := text[i:]
	if len(rest) >= 4 {
		if head := head4(rest); l.has(head) {
			if p := longest(l.long[head], rest, i, begins, asked); p != nil {
				return p
			}
		}
	}
	if len(rest) >= 2 {
		if head := head2(rest); l.has(head) {
			return longest(l.short[head], rest, i, begins, asked)
		}
	}
	return nil
}

func longest[V any](list []phrase[V], rest string, i int, begins, asked bool) *phrase[V] {
	for k := range list {
		p := &list[k]
		if !strings.HasPrefix(rest, p.text) {
			continue
		}
		after := rest[len(p.text):]
		if endsWord(p.text, after) && p.counts(i, after, begins, asked) {
			return p
		}
	}
	return nil
}

// counts reports whether a phrase counts where it stands.
func (p *phrase[V]) counts(i int, after string, begins, asked bool) bool {
	switch p.at {
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

// clip returns at most n bytes of s, whole characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
