package export

import (
	"bytes"
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// tongues counts the languages that samples seem to be in, roughly: by their
// writing, and where several share one by their most frequent small words.
type tongues struct {
	words   map[string]string // small words to their language
	counts  map[string]int    // samples, each that is looked at for those it stands for
	samples int
	seen    int
}

// smallWords are frequent in one language and rare in the others.
var smallWords = map[string][]string{
	"en": {"the", "and", "is", "to", "of", "this", "that", "with", "for", "you"},
	"de": {"der", "die", "und", "nicht", "ist", "das", "mit", "ein", "auf", "ich"},
	"fr": {"les", "des", "est", "une", "dans", "pour", "pas", "que", "vous", "je"},
	"es": {"los", "las", "una", "para", "con", "por", "el", "como", "esta", "del"},
	"pt": {"não", "uma", "com", "os", "para", "você", "mais", "em", "isso", "são"},
	"it": {"che", "non", "il", "per", "una", "sono", "con", "della", "gli", "questo"},
}

// newTongues leaves out the words of several languages: they tell nothing.
func newTongues() *tongues {
	t := &tongues{words: map[string]string{}, counts: map[string]int{}}
	for tongue, words := range smallWords {
		for _, w := range words {
			if _, shared := t.words[w]; shared {
				t.words[w] = ""
			} else {
				t.words[w] = tongue
			}
		}
	}
	return t
}

const (
	// tongueBytes of a record are looked at: its beginning is what people say.
	tongueBytes = 4 << 10
	// fewWords do not tell a language.
	fewWords = 8
	// allOf the first samples are looked at, and each of so many after
	// them: it is a rough number, and takes time.
	allOf    = 1000
	everyNth = 64
)

// add looks at a record. Its keys are too few words to count.
func (t *tongues) add(lines []byte) {
	stands := 1 // for so many samples
	if t.seen++; t.seen > allOf {
		if t.seen%everyNth != 0 {
			return
		}
		stands = everyNth
	}
	lines = lines[:min(len(lines), tongueBytes)]
	votes := map[string]int{}
	word := make([]byte, 0, 16)
	for len(lines) > 0 {
		r, size := utf8.DecodeRune(lines)
		if unicode.IsLetter(r) {
			word = append(word, bytes.ToLower(lines[:size])...)
			if of := writing(r); of != "" {
				votes[of]++
			}
		} else if len(word) > 0 {
			if of := t.words[string(word)]; of != "" {
				votes[of]++
			}
			word = word[:0]
		}
		lines = lines[size:]
	}
	if votes["ja"] > 0 { // which is written with Chinese signs, too
		votes["ja"] += votes["zh"]
		delete(votes, "zh")
	}
	best := ""
	for of, n := range votes {
		if n >= fewWords && (best == "" || n > votes[best] || n == votes[best] && of < best) {
			best = of
		}
	}
	if best != "" {
		t.counts[best] += stands
	}
	t.samples += stands
}

// writing tells a language from a letter, where it can be told.
func writing(r rune) string {
	switch {
	case r < 0x250:
		return ""
	case unicode.In(r, unicode.Hiragana, unicode.Katakana):
		return "ja"
	case unicode.Is(unicode.Han, r):
		return "zh"
	case unicode.Is(unicode.Hangul, r):
		return "ko"
	}
	return ""
}

// list names the languages of at least a tenth of the samples, the most
// frequent first; none if it cannot be told.
func (t *tongues) list() (names []string) {
	for of, n := range t.counts {
		if n*10 >= t.samples {
			names = append(names, of)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(t.counts[b]-t.counts[a], cmp.Compare(a, b)) })
	return names
}
